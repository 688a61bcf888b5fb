#pragma once

// The first firings of runs, for all starts at once, as sets of starts in a scope: one start state,
// and a stack of prefixes below it. fire() adds a firing, pop() takes it back. Path search, the
// one-step analysis of the hybrid engine and the explanation of faults all walk this way.

#include <optional>
#include <unordered_map>
#include <vector>

#include "poise/boolean/scope.h"
#include "poise/check/engines/prepared.h"

namespace poise::check {

using boolean::Node;
using boolean::Scope;

// Where the rules of a state are satisfied and triggered, by index of the rule. Constraints are
// left aside, and for the most part types too: to be seen within what is feasible.
struct StateSets {
  std::vector<Node> satisfied;
  std::vector<Node> triggered;
  Node any = boolean::kFalse;  // some rule is satisfied
};

class Walk {
 public:
  Walk(const Prepared& prepared, Scope& scope) : prepared_(prepared), scope_(scope) {}
  // In a scope that is already in use and stays so, from these starts.
  Walk(const Prepared& prepared, Scope& scope, Node starts)
      : prepared_(prepared), scope_(scope), starts_(starts) {}

  // Begins anew, in a fresh scope unless there are starts.
  void start(model::StateId state);

  struct Fired {
    bool fired = false;  // else nothing has changed
    Node closed = boolean::kFalse;
    std::size_t loop = 0;  // the least index at which some of the closed runs come back
  };
  // Fires a rule of the present state, by index, wherever it is triggered. Runs that come back to
  // where they were end here; the others go on as the new present prefix.
  Fired fire(std::uint32_t rule);
  void pop();

  [[nodiscard]] model::StateId state() const { return prefixes_.back().state; }
  [[nodiscard]] Node alive() const { return prefixes_.back().alive; }
  [[nodiscard]] std::size_t firings() const { return prefixes_.size() - 1; }
  // Of the present prefix: the starts from which the run is stable here, and whether any are not.
  [[nodiscard]] Node stable();
  [[nodiscard]] bool goes_on();

  // The sets of the present state after the present prefix.
  const StateSets& sets();
  const StateSets& sets_of(model::StateId state, Scope::View view);
  // Where some rule of a state is satisfied.
  Node any_of(model::StateId state, Scope::View view);

  [[nodiscard]] static bool is_empty(Node starts) { return starts == boolean::kFalse; }
  [[nodiscard]] bool gave_up() const { return scope_.gave_up(); }
  [[nodiscard]] std::string gave_up_because() const { return scope_.gave_up_because(); }
  [[nodiscard]] Integer situations(Node starts, const Atoms& atoms) {
    return scope_.situations(starts, atoms);
  }

  // The starts for which firing a rule of the present state leads to a state where a rule is
  // satisfied at once.
  [[nodiscard]] Node unstable(std::uint32_t rule);

  [[nodiscard]] Scope& scope() { return scope_; }

 private:
  struct Prefix {
    model::StateId state;
    Scope::View view;
    Node alive;
    std::size_t views;  // before it
  };
  Node feasible(model::StateId state) {
    return scope_.feasible(prepared_.state_atoms[state.index]);
  }
  [[nodiscard]] model::RuleId rule_of(std::uint32_t rule) const {
    return prepared_.model.states[state()].rules[rule];
  }
  Node types_of(model::StateId state) { return scope_.typed(prepared_.state_atoms[state.index]); }
  // work(care, limit) is false where it made more nodes than the limit says.
  template <class Work>
  void with_care(model::StateId state, Work work);
  void forget_views(std::size_t from);
  [[nodiscard]] bool out_of_budget();
  // A long search makes more nodes than it needs at any time.
  void drop_garbage();

  const Prepared& prepared_;
  Scope& scope_;
  std::optional<Node> starts_;
  std::vector<Prefix> prefixes_;
  std::unordered_map<std::uint64_t, StateSets> sets_;       // by state, at the start
  std::unordered_map<std::uint64_t, StateSets> view_sets_;  // by state and view
  static constexpr std::size_t kFirstGarbageLimit = std::size_t{1} << 16;
  std::size_t garbage_limit_ = kFirstGarbageLimit;
};

}  // namespace poise::check
