#pragma once

// The algorithm of Yang et al., "Verifying Self-adaptive Applications Suffering Uncertainty", as it
// is printed (Algorithm 1): every sequence of rules up to a bound, depth first, and for each a
// solver that is made anew and asked whether the whole condition of the path can hold together with
// the failure. A path that cannot be taken is gone on with, since nobody asks whether it can.
//
// Where nothing can fail after the last rule, the question is whether the path can be taken; or
// there is none, which the paper does not say but somebody would do who writes it. Values are not
// asked for. The conditions are ours, of actual values.

#include <chrono>
#include <cstddef>

#include "poise/verify/system/system.h"

namespace poise::bench {

enum class Ask {
  EveryPath,
  WhereItCanFail,
};

struct OneByOne {
  std::size_t asked = 0;    // questions to a solver
  std::size_t failing = 0;  // pairs of a path and a failure
  bool finished = true;
};

[[nodiscard]] OneByOne one_by_one(const verify::System& system, Ask ask, std::size_t bound,
                                  std::chrono::seconds limit);

// How many sequences of rules there are up to the bound, possible or not.
[[nodiscard]] double sequences(const verify::System& system, std::size_t bound);

}  // namespace poise::bench
