#pragma once

// Repairs of a hazard: which comparison of a guard would have to ask for more, and for how much, so
// that the hazard is gone: `r0` needs `disF > 21` instead of `disF >= 20`. Exact, the least change
// that is enough: an exponential and then a binary search over numbers, each of which is tried with
// the zones of the changed system. Every number that can matter is a multiple of half a tick.

#include <vector>

#include "poise/base/budget.h"
#include "poise/verify/result.h"
#include "poise/verify/zones/zones.h"

namespace poise::verify {

// Each repair changes one comparison with a number in the guard of the hazard's rule and leaves the
// others. Those that remove the hazard, in the order of the guard. None if zones do not fit, or if
// the rule could not fire any more. `effort` is the number of octagons that may still be made, and
// is reduced: a limit that, unlike time, gives the same answer on every machine.
[[nodiscard]] std::vector<Repair> repairs(const System& system, const Hazard& hazard,
                                          std::size_t& effort, Budget& budget);

}  // namespace poise::verify
