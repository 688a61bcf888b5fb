#pragma once

// The answer of a search through paths, whichever engine goes through them, and what the search may
// take.

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "poise/base/budget.h"
#include "poise/base/integer.h"
#include "poise/model/model.h"
#include "poise/verify/result.h"

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

[[nodiscard]] bool at_same_place(const Hazard& a, const Hazard& b);

}  // namespace poise::verify
