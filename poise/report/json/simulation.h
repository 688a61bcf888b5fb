#pragma once

// The results of a simulation beside the predicted probabilities, as JSON: the key `simulation` of
// the report of `poise verify` (docs/verify-schema.json). The report must have a simulation.

#include <string>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::report {

[[nodiscard]] std::string simulation_json(const model::Model& model, const verify::Report& report);

}  // namespace poise::report
