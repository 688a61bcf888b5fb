#pragma once

// Replays a counterexample: an interpreter of models with a world that checks, step by step, with
// exact numbers, whether a given run may happen. It is an oracle for the engines and shares nothing
// with them: it reads the model itself, not the System. No counterexample is reported that it does
// not confirm.

#include <optional>
#include <string>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::verify {

// Why the trace is no run of the model, or does not end with its failure; none if it is right. In
// the mode AsPrinted, conditions of actions are about sensed values, as in the paper.
[[nodiscard]] std::optional<std::string> objection(const model::Model& model, Mode mode,
                                                   const Counterexample& counterexample);

}  // namespace poise::verify
