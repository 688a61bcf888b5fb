#pragma once

// A table of the observed frequency of each counterexample in simulation beside its predicted
// probability, then what happened in random runs. The report must have a simulation.

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

}  // namespace poise::report
