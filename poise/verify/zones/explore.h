#pragma once

// Paths up to a bound, and what is reached by any number of steps, by octagons.

#include <functional>
#include <string>
#include <vector>

#include "poise/verify/result.h"
#include "poise/verify/system/paths.h"
#include "poise/verify/zones/zone_graph.h"

namespace poise::verify {

// Counts all paths of at most `bound` steps, and lists at most `most` that fail. Where that takes
// more than effort.bytes(), only shorter ones.
[[nodiscard]] Paths paths_by_zones(const System& system, const ZoneSystem& zones, std::size_t bound,
                                   std::size_t most, const Effort& effort);

// Everything that can be reached.
struct Reached {
  bool fits = true;
  bool finished = false;        // else only what is reached by some steps
  std::size_t steps = 0;        // so many were looked at
  std::size_t zones = 0;        // and so many octagons
  std::vector<Hazard> hazards;  // without counts
  std::vector<Zones> by_state;  // what holds there while nothing has failed
  std::string stopped;
};
// When to stop before the end.
struct Aim {
  const Hazard* until = nullptr;  // where it can fail there, the rest is not looked at
  // Whether the answer has been found by other means. It is asked ever more rarely, while nothing
  // has failed and values seem to drift away (drift.h).
  std::function<bool()> settled = {};
};
[[nodiscard]] Reached reached(const System& system, const ZoneSystem& zones, const Effort& effort,
                              const Aim& aim = {});

}  // namespace poise::verify
