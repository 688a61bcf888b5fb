#pragma once

// What was seen in simulation, beside what was predicted, for programs: a part of what
// docs/verify-schema.json describes. The report has a simulation.

#include <string>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::report {

[[nodiscard]] std::string simulation_json(const model::Model& model, const verify::Report& report);

}  // namespace poise::report
