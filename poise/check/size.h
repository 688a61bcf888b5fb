#pragma once

// How many situations a model has: feasible truth assignments to all its atoms.

#include <optional>

#include "poise/check/engines/prepared.h"

namespace poise::check {

// Nothing if a limit kept them from being counted; 0 if the constraints allow no context at all.
[[nodiscard]] std::optional<Integer> situations(const Prepared& prepared);

}  // namespace poise::check
