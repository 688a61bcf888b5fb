#pragma once

// How many situations a model has: feasible truth assignments to all its atoms.

#include <optional>

#include "poise/check/engines/prepared.h"

namespace poise::check {

// Nothing where they could not be counted; 0 where the constraints leave no context at all.
[[nodiscard]] std::optional<Integer> situations(const Prepared& prepared);

}  // namespace poise::check
