#pragma once

// An interpreter of models with a world, one step after another, on given values. It shares nothing
// with the engines: it reads the model itself, and says of a run whether each step of it may
// happen. No counterexample is reported that it does not confirm.

#include <optional>
#include <string>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::verify {

// Why the run is none, or does not end with this failure; nothing if it is right. `as_printed`
// counterexamples are checked by the paper's conditions.
[[nodiscard]] std::optional<std::string> objection(const model::Model& model, Mode mode,
                                                   const Counterexample& counterexample);

}  // namespace poise::verify
