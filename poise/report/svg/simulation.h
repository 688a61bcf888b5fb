#pragma once

// A picture with a point for each counterexample: on the diagonal if it happened in simulation as
// often as predicted (Yang et al. draw theirs as Fig. 5). The report has a simulation.

#include <string>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::report {

[[nodiscard]] std::string simulation_svg(const model::Model& model, const verify::Report& report);

}  // namespace poise::report
