#pragma once

// A log, executed through the model: which faults happened, how often and when. Every instance of
// the application in the log is executed by itself, from its first line on (application.h says
// how).
//
// If an instance was at work already when its log began, its state is not known. Then it is
// executed from every configuration that fits: every state that some chain of rules leads to and
// that is not final, with every combination of values that own variables can have, but no other
// than the first line says. Executions that come to the same configuration go on as one. What
// happens in all of them at the same line happened; what happens in some only may have happened. An
// execution ends where the log gives an own variable another value than it has, unless all do.
//
// A replay that a limit ends says nothing: what did not happen until then might have happened
// later.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "poise/base/budget.h"
#include "poise/log/entry.h"
#include "poise/model/model.h"
#include "poise/rank/application.h"
#include "poise/rank/case_index.h"
#include "poise/rank/occasions.h"
#include "poise/rank/result.h"

namespace poise::rank {

// Where instances begin.
struct Start {
  enum class Kind {
    Initial,  // in the initial state, unless the first line gives an own variable another value
              // than the declared one: then it is unknown
    Unknown,
    Given,
  };
  Kind kind = Kind::Initial;
  model::StateId state = {};  // Given
};

class Replay {
 public:
  // The model must outlive it.
  explicit Replay(const model::Model& model, Start start = {}, Budget budget = Budget());
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  void add(const log::Entry& entry);

  // What it says about these cases.
  [[nodiscard]] Executed executed(std::span<const finding::Fault> faults,
                                  std::span<const finding::Case> cases) const;

 private:
  // An instance, as all that it can be.
  struct Instance {
    std::vector<Application> possible;   // at least one
    std::optional<double> time;          // of its last line that has one
    std::optional<std::uint32_t> rests;  // the situation, if it rests and its state is known
  };
  // How often something happened at one line: at least, at most, and on average of all executions.
  struct Count {
    std::size_t least = 0;
    std::size_t most = 0;
    double mean = 0;
  };
  // Of all lines.
  struct Sum {
    Happened happened;
    double mean = 0;
  };
  using Counts = std::unordered_map<IncidentKey, Count, IncidentKeyHash>;

  [[nodiscard]] Instance& instance(const log::Entry& entry);
  [[nodiscard]] std::vector<Application> starts(const log::Entry& first) const;
  void run_one(Instance& instance, const log::Entry& entry);
  void run_all(Instance& instance, const log::Entry& entry);
  [[nodiscard]] Counts counts_of_all(Instance& instance, const log::Entry& entry);
  [[nodiscard]] bool has_budget();
  void count(IncidentKey key, const Count& count, std::size_t line, std::optional<double> time);

  Rulebook rulebook_;
  Start start_;
  Budget budget_;
  std::map<std::string, Instance, std::less<>> instances_;
  Instance* last_ = nullptr;
  std::string last_app_;
  Occasions occasions_;
  std::map<IncidentKey, Sum> sums_;
  ReplaySummary summary_;
};

// The same about some of the cases: that at place i is `some[i]` of all.
[[nodiscard]] Executed executed_of(const Executed& all, std::span<const std::uint32_t> some);

}  // namespace poise::rank
