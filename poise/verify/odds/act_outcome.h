#pragma once

// The values after an act, as affine forms, for one cube of its condition.

#include <functional>
#include <optional>
#include <vector>

#include "poise/verify/odds/affine.h"
#include "poise/verify/system/cubes.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// A condition need not determine the later values. An equation gives one of them as a form over
// known numbers. An inequality leaves the environment a choice, which can be made in two ways:
//   Apart: a distance, "y' is so much more than y". It moves with the noise in y, so it is always
//          possible;
//   Fixed: a value, "y' is 20", whatever the noise was. It is possible only if 20 >= y.
// If y has noise in it, either can be the worse one, so both are tried. A later value in neither an
// equation nor an inequality is any number in or around its range.
enum class Chosen { Apart, Fixed };
struct ActOutcome {
  std::vector<Affine> after;  // by slot
  Bounds bounds;              // the conditions under which it is possible
  Chosen chosen = Chosen::Apart;
  bool follows_noise = false;  // some distance is from a form with noise in it
};

// A later value that the condition has to determine.
struct Open {
  model::SlotId slot;
  NumberId number;  // stands for the later value
};

// `before` and `after` are by slot; for an open slot, `after` has its number. `another` makes one
// more number for a slot, with the role Above or Below.
[[nodiscard]] ActOutcome act_outcome(
    const System& system, const Cube& cube, const std::vector<Affine>& before,
    std::vector<Affine> after, const std::vector<Open>& open, const Numbers& numbers, Chosen what,
    const std::function<NumberId(model::SlotId, Number::Role)>& another);

}  // namespace poise::verify
