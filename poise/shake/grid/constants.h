#pragma once

// The constants that conditions compare numbers with: there a policy or a rule may begin to behave
// differently. `x > 500` cuts the range of x just above 500, `x >= 500` just below it, and
// `2 * x + 10 > 500` just above 245.

#include <map>
#include <vector>

#include "poise/base/rational.h"
#include "poise/model/model.h"

namespace poise::shake {

struct Cut {
  bool below = false;  // conditions may differ between the constant and what is just less
  bool above = false;  // and between the constant and what is just more
};

using Constants = std::map<Rational, Cut>;

// By slot: the constants of all atoms of rules and constraints, and of all comparisons in the
// policy and its expectations, that are linear in one slot. The maximum, minimum, mean and previous
// value of a slot count as the slot. Comparisons of two slots, and those that are not linear, have
// no constant.
[[nodiscard]] std::vector<Constants> constants_of(const model::Model& model);

}  // namespace poise::shake
