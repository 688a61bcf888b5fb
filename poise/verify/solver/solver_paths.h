#pragma once

// Paths one after another, depth first: the algorithm of the ISM paper, with one solver that goes
// along. What holds before a step is required once for all that follows it, and a path that is not
// possible is not gone on with.

#include <cstddef>

#include "poise/verify/system/paths.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// As paths_by_zones() does, but one path after another, by a solver; only what it can list is
// counted.
[[nodiscard]] Paths paths_by_solver(const System& system, std::size_t bound, std::size_t most,
                                    const Effort& effort);

}  // namespace poise::verify
