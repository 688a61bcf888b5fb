#pragma once

// Paths up to a bound, and what is reached by any number of steps.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "poise/base/budget.h"
#include "poise/verify/result.h"
#include "poise/verify/zones/zone_graph.h"

namespace poise::verify {

// How far a run is.
struct Progress {
  enum class Of { Octagons, Paths, Odds };
  Of of = Of::Octagons;
  std::size_t count = 0;  // so many were looked at
  std::size_t steps = 0;  // and paths of this length are looked at now
};
using Tell = std::function<void(const Progress&)>;

// What a search may take, and whom it tells how far it is, now and then.
class Effort {
 public:
  // So much may be kept to count paths, where no limit is given for the process.
  static constexpr std::size_t kUsualBytes = 150'000'000;

  Effort(Budget& budget, Tell tell = {}, std::size_t bytes = kUsualBytes)
      : budget_(&budget), tell_(std::move(tell)), bytes_(bytes) {}

  [[nodiscard]] Exhausted exhausted() const { return budget_->exhausted_now(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Every so many times.
  void tell(const Progress& progress) const {
    constexpr std::size_t kRarely = 32;
    if (tell_ && progress.count % kRarely == 0) tell_(progress);
  }

 private:
  Budget* budget_;
  Tell tell_;
  std::size_t bytes_;
};

// A path that fails, without values.
struct FailingPath {
  model::FailureId failure;
  std::vector<model::RuleId> path;
  std::size_t act = 0;
  std::vector<std::size_t> later = {};  // acts after which it can fail instead
};

struct Paths {
  std::vector<Integer> possible;    // by length less one
  std::vector<Integer> failing;     // pairs of a path and a failure, after whatever acts
  std::vector<Hazard> hazards;      // with counts; by shortest path, then as declared
  std::vector<FailingPath> listed;  // such pairs: shortest first, then in the order of rules
  bool complete = true;             // all are listed
  std::string stopped;              // else why there may be more
  bool fits = true;                 // zones were enough
};

// Counts all paths of at most `bound` steps, and lists at most `most` that fail. Where that takes
// more than effort.bytes(), only shorter ones.
[[nodiscard]] Paths paths_by_zones(const System& system, const ZoneSystem& zones, std::size_t bound,
                                   std::size_t most, const Effort& effort);

// The same, one path after another, by a solver; only what it can list is counted.
[[nodiscard]] Paths paths_by_solver(const System& system, std::size_t bound, std::size_t most,
                                    const Effort& effort);

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

[[nodiscard]] bool at_same_place(const Hazard& a, const Hazard& b);

}  // namespace poise::verify
