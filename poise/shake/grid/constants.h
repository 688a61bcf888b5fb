#pragma once

// The constants that conditions compare numbers with: where a policy, or a rule, begins to do
// something else. `x > 500` cuts the range of x above 500, `x >= 500` below it.

#include <map>
#include <vector>

#include "poise/base/rational.h"
#include "poise/model/model.h"

namespace poise::shake {

struct Cut {
  bool below = false;  // what holds for the constant may not hold for what is just less
  bool above = false;
};

using Constants = std::map<Rational, Cut>;

// By slot, of all atoms of rules and constraints, and of all comparisons of the policy and its
// expectations in which one slot, by a factor if need be, is compared with a constant. So are the
// greatest, the least, the mean and the previous value of a slot. Comparisons of two slots, and
// atoms that are not linear, have no constant.
[[nodiscard]] std::vector<Constants> constants_of(const model::Model& model);

}  // namespace poise::shake
