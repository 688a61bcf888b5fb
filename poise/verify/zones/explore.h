#pragma once

// Two searches with octagons: paths_by_zones() counts and lists the paths up to a bound, reached()
// finds everything that is reachable in any number of steps.
//
// paths_by_zones() goes through lengths. A layer says how many paths of one length lead to each
// node of the graph (zone_graph.h); the next layer follows by adding along the edges, so that the
// cost depends on the nodes, not on the number of paths. Failing paths are listed afterwards, depth
// first, only along edges from which a failure can still be reached in the steps that are left.
//
// reached() is a worklist, breadth first, of single octagons. An octagon that a known one of its
// state includes is dropped; one that includes known ones replaces them. If the worklist runs
// empty, the octagons of each state are an inductive invariant.

#include <functional>
#include <string>
#include <vector>

#include "poise/verify/result.h"
#include "poise/verify/system/paths.h"
#include "poise/verify/zones/zone_graph.h"

namespace poise::verify {

// Counts all paths of at most `bound` steps, and lists at most `most` that fail. If that takes more
// than effort.bytes() of memory, it stops at a smaller length and says so.
[[nodiscard]] Paths paths_by_zones(const System& system, const ZoneSystem& zones, std::size_t bound,
                                   std::size_t most, const Effort& effort);

struct Reached {
  bool fits = true;             // false: zones do not fit, and nothing else here counts
  bool finished = false;        // everything was reached; otherwise only a part of it
  std::size_t steps = 0;        // length of the longest paths that were followed
  std::size_t zones = 0;        // how many octagons were made
  std::vector<Hazard> hazards;  // without counts of paths
  std::vector<Zones> by_state;  // if finished: the values that are reached without a failure
  Happenings happenings;        // all there are, if finished
  std::string stopped;          // why it is not finished
};
// When to stop early.
struct Aim {
  const Hazard* until = nullptr;  // as soon as this hazard is found
  // As soon as this returns true, because the answer was found by other means. It is called ever
  // more rarely, and only while nothing has failed and values seem to diverge (divergence.h).
  std::function<bool()> settled = {};
};
[[nodiscard]] Reached reached(const System& system, const ZoneSystem& zones, const Effort& effort,
                              const Aim& aim = {});

}  // namespace poise::verify
