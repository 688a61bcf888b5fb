#pragma once

// Which guard would have to move, and by how much, so that a hazard is none any more: `r0` needs
// `disF > 21` instead of `disF >= 20`. Exact: the least that is enough, found by asking the zones
// of the system with that guard moved, where every number that matters is a whole number of half
// ticks.

#include <vector>

#include "poise/base/budget.h"
#include "poise/verify/result.h"
#include "poise/verify/zones/zones.h"

namespace poise::verify {

// One comparison with a number in the guard of the hazard's rule, moved; the others stay. Those
// that help, in the order of the guard. None if zones do not fit, or nothing helps but to give the
// rule up. `effort` is how many octagons may be looked at, and becomes less: so the same model gets
// the same answer on every machine.
[[nodiscard]] std::vector<Repair> repairs(const System& system, const Hazard& hazard,
                                          std::size_t& effort, Budget& budget);

}  // namespace poise::verify
