#pragma once

// The result of a search through paths, for both engines, and the limits of such a search.

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "poise/base/budget.h"
#include "poise/base/integer.h"
#include "poise/base/watchdog.h"
#include "poise/model/model.h"
#include "poise/verify/result.h"
#include "poise/verify/system/happenings.h"

namespace poise::verify {

// The progress of a run.
struct Progress {
  enum class Of { Octagons, Paths, Proof, Check, Cures, Odds, Mission };
  Of of = Of::Octagons;               // what is being done
  std::size_t count = 0;              // how many of them are done so far
  std::size_t steps = 0;              // length of the present paths
  std::chrono::seconds elapsed = {};  // since the run began
};
using Tell = std::function<void(const Progress&)>;

// The latest progress: the run writes it, and the thread that watches the run reads it.
class ProgressBoard {
 public:
  void write(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    latest_ = progress;
  }
  [[nodiscard]] Progress latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

 private:
  mutable std::mutex mutex_;
  Progress latest_;
};

// Those who watch a run, if there are any.
struct Watched {
  Watchdog* watchdog = nullptr;  // of solvers
  ProgressBoard* board = nullptr;
};

// The limits of a search, and where it tells its progress. The budget must outlive it.
class Effort {
 public:
  // Memory for counting paths, if there is no limit for the process.
  static constexpr std::size_t kUsualBytes = 150'000'000;

  Effort(Budget& budget, Watched watched = {}, std::size_t bytes = kUsualBytes)
      : budget_(&budget), watched_(watched), bytes_(bytes) {}

  [[nodiscard]] Exhausted exhausted() const { return budget_->exhausted_now(); }
  [[nodiscard]] Budget& budget() const { return *budget_; }
  [[nodiscard]] Watchdog* watchdog() const { return watched_.watchdog; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Notes every 32nd count only.
  void tell(const Progress& progress) const {
    constexpr std::size_t kRarely = 32;
    if (watched_.board != nullptr && progress.count % kRarely == 0) watched_.board->write(progress);
  }

 private:
  Budget* budget_;
  Watched watched_;
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
  std::vector<Integer> failing;          // pairs of a path and a failure, whatever the act
  std::vector<Hazard> hazards;           // with counts; by shortest path, then as declared
  std::vector<FailingPath> listed;       // such pairs: shortest first, then in the order of rules
  std::optional<Happenings> happenings;  // all there are; none if that is not known
  bool complete = true;                  // all pairs are listed
  std::string stopped;                   // why longer paths were not looked at; empty if all were
  bool fits = true;                      // false: zones do not fit, and nothing else here counts
};

// The same state, rule, act and failure.
[[nodiscard]] bool at_same_place(const Hazard& a, const Hazard& b);

// By the length of the shortest path, then as declared: the order of hazards in a report.
void sort_hazards(std::vector<Hazard>& hazards);

}  // namespace poise::verify
