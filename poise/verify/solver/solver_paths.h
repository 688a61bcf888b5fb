#pragma once

// Paths one after another, depth first: the algorithm of the ISM paper, with one incremental
// solver. Requirements of a step are added once for all paths that go on from it, and a path that
// is impossible is not extended. For models that zones do not fit: the cost grows with the number
// of paths.

#include <cstddef>

#include "poise/verify/system/paths.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// Like paths_by_zones(). Every path is visited, also those beyond the `most` that are listed. If it
// stops early, counts of all lengths are incomplete.
[[nodiscard]] Paths paths_by_solver(const System& system, std::size_t bound, std::size_t most,
                                    const Effort& effort);

}  // namespace poise::verify
