#pragma once

// What was seen in simulation, beside what was predicted: a table for a person, JSON for programs,
// and a picture with a point for each counterexample, which is on the diagonal if it happened as
// often as predicted (Yang et al. draw theirs as Fig. 5).
//
// The report has a simulation.

#include <cstddef>
#include <string>

#include "poise/diag/render.h"
#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::report {

struct SimulationTextOptions {
  diag::Color color = diag::Color::No;
  std::size_t width = 100;
};
[[nodiscard]] std::string simulation_text(const model::Model& model, const verify::Report& report,
                                          const SimulationTextOptions& options);
[[nodiscard]] std::string simulation_json(const model::Model& model, const verify::Report& report);
[[nodiscard]] std::string simulation_svg(const model::Model& model, const verify::Report& report);

}  // namespace poise::report
