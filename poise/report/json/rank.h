#pragma once

// The report of `poise rank` as JSON, for programs. docs/rank-schema.json describes it. Each entry
// is a case: a fault as `poise check` lists it, in one situation.

#include <string>

#include "poise/model/model.h"
#include "poise/rank/result.h"

namespace poise::report {

// One JSON object that ends with a line break.
[[nodiscard]] std::string rank_json(const model::Model& model, const rank::Report& report);

// The deterministic constraints (what cannot be) and the probabilistic ones (what the log makes
// likely) as one JSON object.
[[nodiscard]] std::string constraints_json(const model::Model& model, const rank::Report& report);

// The constraint graph: a vertex for each literal, an edge for each probabilistic constraint.
[[nodiscard]] std::string constraint_graph_json(const model::Model& model,
                                                const rank::Report& report);
[[nodiscard]] std::string constraint_graph_dot(const model::Model& model,
                                               const rank::Report& report);

}  // namespace poise::report
