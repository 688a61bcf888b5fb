#pragma once

// Symbolic execution of runs from one start state, for all contexts at once. A prefix is a sequence
// of firings together with the set of starts (contexts, as a diagram in a scope) from which just
// these rules fire. Prefixes form a stack: fire() extends the present one by a rule, pop() takes
// that back. Path search, the one-step analysis of the hybrid engine and the explanation of faults
// all walk this way.
//
// All sets are sets of *starts*. The context after some actions is never a set of its own; a view
// of the scope (boolean/scope.h) expresses it as a function of the start.

#include <optional>
#include <unordered_map>
#include <vector>

#include "poise/boolean/scope.h"
#include "poise/check/engines/prepared.h"

namespace poise::check {

using boolean::Node;
using boolean::Scope;

// The contexts in which the rules of a state are satisfied and triggered, by index of the rule.
// They may include contexts that types or constraints rule out, because that is faster to work out;
// to be conjoined with what is feasible before they are believed.
struct StateSets {
  std::vector<Node> satisfied;
  std::vector<Node> triggered;
  Node any = boolean::kFalse;  // the union of `satisfied`
};

class Walk {
 public:
  // Garbage is collected only by fire(), and only if the arena has at least so many nodes.
  static constexpr std::size_t kFirstGarbageLimit = std::size_t{1} << 16;

  Walk(const Prepared& prepared, Scope& scope) : prepared_(prepared), scope_(scope) {}
  // Walks in a scope that others use, too, and never restarts it. Every walk begins with these
  // starts. (For the symbolic engine, which has one scope for the whole model.)
  Walk(const Prepared& prepared, Scope& scope, Node starts)
      : prepared_(prepared), scope_(scope), starts_(starts) {}

  // Begins anew in this state: with the given starts, or in a fresh scope with all feasible ones.
  void start(model::StateId state);
  // Begins anew in this state with some starts of the present scope, and keeps what is known.
  void start(model::StateId state, Node starts);
  // Forgets the sets of a state whose rules were prepared anew. No prefix may be on the stack.
  void forget(model::StateId state) { sets_.erase(state.index); }

  struct Fired {
    bool fired = false;             // false: no start triggers the rule, and nothing was pushed
    Node closed = boolean::kFalse;  // starts whose run comes back to an earlier configuration
    std::size_t loop = 0;           // the least index of the firings where such a loop starts
  };
  // Fires a rule of the present state, by index, wherever it is triggered. Runs that close end
  // here; the others go on as the new present prefix, which may be empty. Also false where the
  // scope gave up.
  Fired fire(std::uint32_t rule);
  void pop();

  [[nodiscard]] model::StateId state() const { return prefixes_.back().state; }
  [[nodiscard]] Node alive() const { return prefixes_.back().alive; }
  [[nodiscard]] std::size_t firings() const { return prefixes_.size() - 1; }
  // The starts of the present prefix whose run is stable here, and whether there are others.
  [[nodiscard]] Node stable();
  [[nodiscard]] bool goes_on();

  // The sets of the present state after the present prefix. Valid until fire() or pop().
  const StateSets& sets();
  const StateSets& sets_of(model::StateId state, Scope::View view);
  // StateSets::any alone, which is cheaper.
  Node any_of(model::StateId state, Scope::View view);

  [[nodiscard]] static bool is_empty(Node starts) { return starts == boolean::kFalse; }
  [[nodiscard]] bool gave_up() const { return scope_.gave_up(); }
  [[nodiscard]] std::string gave_up_because() const { return scope_.gave_up_because(); }
  [[nodiscard]] Integer situations(Node starts, const Atoms& atoms) {
    return scope_.situations(starts, atoms);
  }

  // The starts from which firing a rule of the present state is unstable: it leads to a state in
  // which a rule is satisfied at once.
  [[nodiscard]] Node unstable(std::uint32_t rule);

  [[nodiscard]] Scope& scope() { return scope_; }

 private:
  struct Prefix {
    model::StateId state;
    Scope::View view;
    Node alive;         // the starts whose runs have come this far and have not closed
    std::size_t views;  // how many views the scope had before this firing
  };
  Node feasible(model::StateId state) {
    return scope_.feasible(prepared_.state_atoms[state.index]);
  }
  [[nodiscard]] model::RuleId rule_of(std::uint32_t rule) const {
    return prepared_.model.states[state()].rules[rule];
  }
  Node types_of(model::StateId state) { return scope_.typed(prepared_.state_atoms[state.index]); }
  // Calls work(care, limit), which combines the guards of a state within the care set. First
  // without a care set; if that returns false, because the arena outgrew the limit, again within
  // the types.
  template <class Work>
  void with_care(model::StateId state, Work work);
  void forget_views(std::size_t from);
  [[nodiscard]] bool out_of_budget();
  // Collects the nodes that no prefix needs: a long search makes far more than it uses at a time.
  void drop_garbage();

  const Prepared& prepared_;
  Scope& scope_;
  std::optional<Node> starts_;  // none: all feasible ones, in a scope of this walk's own
  std::vector<Prefix> prefixes_;
  std::unordered_map<std::uint64_t, StateSets> sets_;       // by state, at the start
  std::unordered_map<std::uint64_t, StateSets> view_sets_;  // by state and view
  std::size_t garbage_limit_ = kFirstGarbageLimit;
};

}  // namespace poise::check
