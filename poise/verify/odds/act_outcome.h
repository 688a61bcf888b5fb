#pragma once

// What an act makes of values, by one cube of its condition.

#include <functional>
#include <optional>
#include <vector>

#include "poise/verify/odds/affine.h"
#include "poise/verify/system/cubes.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// The later values that the condition mentions, as forms over what is known before and what is left
// open: an equation gives one of them, an inequality becomes "so much more than that", and what
// stands in neither is any number in and around its range.
//
// The environment may as well aim at a value, whatever the noise was before. Where an inequality
// has noise in it that is another choice: of y' >= y with a noisy y, so much more than y is always
// possible, and 20 is the same each time.
enum class Chosen { Apart, Fixed };
struct ActOutcome {
  std::vector<Affine> after;  // by slot
  Bounds bounds;              // what must hold for it to be possible
  Chosen chosen = Chosen::Apart;
  bool follows_noise = false;  // it is a distance from something with noise in it
};

struct Open {
  model::SlotId slot;
  NumberId number;  // stands for its later value
};

// `before` and `after` are by slot; of what is open, `after` has the number. `another` makes a
// number with another role of the slot.
[[nodiscard]] ActOutcome act_outcome(
    const System& system, const Cube& cube, const std::vector<Affine>& before,
    std::vector<Affine> after, const std::vector<Open>& open, const Numbers& numbers, Chosen what,
    const std::function<NumberId(model::SlotId, Number::Role)>& another);

}  // namespace poise::verify
