#pragma once

// Runs of a model in its world, with errors drawn from their declared laws: what verification says,
// seen happening. An interpreter of its own, in doubles; it shares nothing with the engines and
// nothing with how they find probabilities.
//
// A *replay* is a run in the environment of a counterexample: it starts with its values, and what
// the world is free to choose it chooses as there. Which errors occur is left to chance. It *hits*
// if each rule of the path is triggered in turn, and the failure happens after the same action and
// not before. Where several rules are triggered, the one on the path fires: nothing says how likely
// that is, so it is not a matter of chance. That is what `Counterexample::probability` predicts.
//
// A *random run* starts with values that are uniform in their ranges and satisfy the constraints;
// what the world is free to choose is uniform too, and so is the choice among triggered rules. It
// ends with a failure or with its last step; a reading on which no rule fires is a step.

#include <cstddef>
#include <cstdint>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::verify {

struct SimulationOptions {
  std::uint64_t runs = 1000;  // replays of each counterexample, and as many random ones
  std::size_t bound = 30;     // steps of a random run
  std::uint64_t seed = 1;
};

// Of the report, reads the mode and the counterexamples. The same seed gives the same runs, and a
// counterexample the same replays whatever else is listed behind it.
[[nodiscard]] Simulation simulate(const model::Model& model, const Report& report,
                                  const SimulationOptions& options);

}  // namespace poise::verify
