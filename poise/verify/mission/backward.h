#pragma once

// The value of a mission on one grid: the greatest probability of a failure within so many
// decisions, by going backwards from the last one. In a state with some values, the value with n
// decisions left is a mean of values with n - 1 left: over readings, then over what actions do, and
// between them the greatest over what the adversary may choose.

#include <cstddef>
#include <set>
#include <string>

#include "poise/verify/mission/effects.h"
#include "poise/verify/mission/field.h"
#include "poise/verify/mission/numbers.h"
#include "poise/verify/result.h"

namespace poise::verify {

// Which failures count: all, or those of one hazard.
using Objective = const Hazard*;

struct Value {
  Span span;
  std::string why;  // not empty: it cannot be calculated, and nothing else counts
  std::set<Link> links;
};

[[nodiscard]] Value value_of_mission(const System& system, const MissionNumbers& numbers,
                                     std::size_t decisions, Objective objective, Workshop& shop);

}  // namespace poise::verify
