#pragma once

// What an act makes of values, by one cube of its condition.

#include <functional>
#include <optional>
#include <vector>

#include "poise/verify/affine.h"
#include "poise/verify/cubes.h"
#include "poise/verify/system.h"

namespace poise::verify {

// The later values that the condition mentions, as forms over what is known before and what is left
// open: an equation gives one of them, an inequality becomes "so much more than that", and what
// stands in neither is any number in and around its range.
struct Outcome {
  std::vector<Affine> after;  // by slot
  Bounds bounds;              // what must hold for it to be possible
};

struct Open {
  model::SlotId slot;
  NumberId number;  // stands for its later value
};

// `before` and `after` are by slot; of what is open, `after` has the number. `another` makes a
// number with another role of the slot.
[[nodiscard]] Outcome outcome_of(
    const System& system, const Cube& cube, const std::vector<Affine>& before,
    std::vector<Affine> after, const std::vector<Open>& open, const Numbers& numbers,
    const std::function<NumberId(model::SlotId, Number::Role)>& another);

}  // namespace poise::verify
