#pragma once

// The algorithm of Yang et al., "Verifying Self-adaptive Applications Suffering Uncertainty", as it
// is printed (Algorithm 1): it goes through every sequence of rules up to a bound, depth first, and
// for each makes a new solver and asks it whether the whole condition of the path can hold together
// with the failure. A path that cannot be taken is extended all the same, since nobody asks whether
// it can.
//
// If nothing can fail after the last rule, there are two variants (Ask): to ask whether the path
// can be taken, or to ask nothing. The paper does not mention the second, but an implementation
// would likely do it. Values are not asked for. The conditions are those of this project, in its
// mode of actual values.

#include <chrono>
#include <cstddef>

#include "poise/verify/system/system.h"

namespace poise::bench {

enum class Ask {
  EveryPath,
  WhereItCanFail,  // only paths whose last rule can fail
};

struct OneByOne {
  std::size_t asked = 0;    // questions to a solver
  std::size_t failing = 0;  // pairs of a path and a failure
  bool finished = true;     // within the time limit
};

[[nodiscard]] OneByOne one_by_one(const verify::System& system, Ask ask, std::size_t bound,
                                  std::chrono::seconds limit);

// How many sequences of rules there are up to the bound, possible or not.
[[nodiscard]] double sequences(const verify::System& system, std::size_t bound);

}  // namespace poise::bench
