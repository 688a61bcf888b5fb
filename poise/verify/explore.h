#pragma once

// Paths up to a bound, and what is reached by any number of steps.

#include <optional>
#include <string>
#include <vector>

#include "poise/base/budget.h"
#include "poise/verify/result.h"
#include "poise/verify/zone_graph.h"

namespace poise::verify {

// A path that fails, without values.
struct FailingPath {
  model::FailureId failure;
  std::vector<model::RuleId> path;
  std::size_t act = 0;
};

struct Paths {
  std::vector<Integer> possible;    // by length less one
  std::vector<Integer> failing;     // pairs of a path and a failure
  std::vector<Hazard> hazards;      // with counts; by shortest path, then as declared
  std::vector<FailingPath> listed;  // shortest first, then in the order of rules
  bool complete = true;             // all are listed
  std::string stopped;              // else why there may be more
  bool fits = true;                 // zones were enough
};

// Counts all paths of at most `bound` steps, and lists at most `most` that fail.
[[nodiscard]] Paths paths_by_zones(const System& system, const ZoneSystem& zones, std::size_t bound,
                                   std::size_t most, Budget& budget);

// The same, one path after another, by a solver; only what it can list is counted.
[[nodiscard]] Paths paths_by_solver(const System& system, std::size_t bound, std::size_t most,
                                    Budget& budget);

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
// With `until`, only up to that hazard, if it is one: then the rest is not looked at.
[[nodiscard]] Reached reached(const System& system, const ZoneSystem& zones, Budget& budget,
                              const Hazard* until = nullptr);

[[nodiscard]] bool at_same_place(const Hazard& a, const Hazard& b);

}  // namespace poise::verify
