#pragma once

// Repairs of a hazard: which comparison of a guard would have to ask for more, and for how much, so
// that the hazard is gone: `r0` needs `disF > 21` instead of `disF >= 20`. Exact, the least change
// that is enough.
//
// How: a path that fails is a set of linear conditions, also if the number in the guard is an
// unknown of them. A solver says up to which number the path can fail, and whether at that number,
// too. Nothing below is enough. Zones say whether that number is; if not, they show another path
// that fails, which asks for a larger number, and so on. Numbers need not be multiples of anything:
// a path that meets the comparison three times may ask for thirds of a tick.

#include <vector>

#include "poise/verify/result.h"
#include "poise/verify/system/paths.h"
#include "poise/verify/zones/zones.h"

namespace poise::verify {

// Each repair changes one comparison with a number in the guard of the hazard's rule and leaves the
// others. Those that remove the hazard, in the order of the guard. None if zones do not fit, or if
// the rule could not fire any more. `effort` is the number of octagons that may still be made, and
// is reduced: a limit that, unlike time, gives the same answer on every machine.
[[nodiscard]] std::vector<Repair> repairs(const System& system, const Hazard& hazard,
                                          std::size_t& effort, const Effort& limits);

}  // namespace poise::verify
