#pragma once

// The result of a search through paths, for both engines, and the limits of such a search.

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

// The progress of a run.
struct Progress {
  enum class Of { Octagons, Paths, Odds };
  Of of = Of::Octagons;   // the unit of count
  std::size_t count = 0;  // done so far
  std::size_t steps = 0;  // length of the present paths
};
using Tell = std::function<void(const Progress&)>;

// The limits of a search, and the callback for its progress. The budget must outlive it.
class Effort {
 public:
  // Memory for counting paths, if there is no limit for the process.
  static constexpr std::size_t kUsualBytes = 150'000'000;

  Effort(Budget& budget, Tell tell = {}, std::size_t bytes = kUsualBytes)
      : budget_(&budget), tell_(std::move(tell)), bytes_(bytes) {}

  [[nodiscard]] Exhausted exhausted() const { return budget_->exhausted_now(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Calls back for every 32nd count only.
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
  std::size_t act = 0;                  // the first act of the last rule after which it can fail
  std::vector<std::size_t> later = {};  // later acts after which it can fail instead
};

// Counts are by length: at [n - 1], paths of n steps.
struct Paths {
  std::vector<Integer> possible;
  std::vector<Integer> failing;     // pairs of a path and a failure, whatever the act
  std::vector<Hazard> hazards;      // with counts; by shortest path, then as declared
  std::vector<FailingPath> listed;  // such pairs: shortest first, then in the order of rules
  bool complete = true;             // all pairs are listed
  std::string stopped;              // why longer paths were not looked at; empty if all were
  bool fits = true;                 // false: zones do not fit, and nothing else here counts
};

// The same state, rule, act and failure.
[[nodiscard]] bool at_same_place(const Hazard& a, const Hazard& b);

}  // namespace poise::verify
