#pragma once

// A scatter plot of predicted against observed probability, with a point for each counterexample:
// on the diagonal if it happened in simulation as often as predicted (Fig. 5 of Yang et al.). Both
// axes are logarithmic, since odds are spread over many powers of ten; what was never seen has no
// logarithm, and is a ring at the lower edge. The report must have a simulation.

#include <string>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::report {

[[nodiscard]] std::string simulation_svg(const model::Model& model, const verify::Report& report);

}  // namespace poise::report
