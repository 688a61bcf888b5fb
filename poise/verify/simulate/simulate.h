#pragma once

// Simulation of a model in its world, with errors drawn from their declared laws: a check by
// experiment of what verification calculates. An interpreter of its own, in doubles; it shares
// nothing with the engines, nor with how they calculate probabilities.
//
// A *replay* is a run in the environment of a counterexample: it starts with the same values, and
// free choices of the world are made as there. Only the errors are drawn. It *hits* if each rule of
// the path is triggered in turn, and the failure happens after the same action and not before. If
// several rules are triggered, the one on the path fires: nothing says how likely that is, so it is
// not drawn. The frequency of hits is what `Counterexample::probability` predicts.
//
// A *random run* starts with values drawn from their ranges that satisfy the constraints and the
// start conditions; free choices of the world are drawn as well (constrained_draw.h), and so is one
// of several triggered rules. It ends with a failure, with its last step, or where it has led out
// of a constraint; a reading on which no rule fires is a step.

#include <cstddef>
#include <cstdint>

#include "poise/base/budget.h"
#include "poise/base/result.h"
#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::verify {

struct SimulationOptions {
  std::uint64_t runs = 1000;  // replays of each counterexample, and as many random runs
  std::size_t bound = 30;     // most steps of a random run
  std::uint64_t seed = 1;
  Limits limits = {};
};

// Reads the mode and the counterexamples of the report. The same seed gives the same runs, and a
// counterexample has the same replays whatever is listed after it. Fails if a limit is reached, and
// says which.
[[nodiscard]] Result<Simulation> simulate(const model::Model& model, const Report& report,
                                          const SimulationOptions& options);

}  // namespace poise::verify
