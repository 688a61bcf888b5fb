// The hybrid engine: each state is analysed on its own, in a scope whose variable order suits it:
// the questions of its own rules first, those of the weakest foremost, then those of the states
// they lead to. The rules of one state read few variables, so the diagrams stay small however large
// the model is. docs/engines.md ("Hybrid") describes the algorithm, decision 0008 what the order is
// worth.

#include <algorithm>
#include <memory>

#include "poise/base/parallel.h"
#include "poise/check/engines/competing.h"
#include "poise/check/engines/engines.h"
#include "poise/check/engines/paths.h"
#include "poise/check/engines/walk.h"

namespace poise::check {

namespace {

using boolean::Arena;
using boolean::kFalse;
using model::RuleId;
using model::StateId;

class StateAnalysis {
 public:
  StateAnalysis(const Prepared& prepared, Walk& walk) : prepared_(prepared), walk_(walk) {}

  StateFindings of(StateId state) {
    findings_ = {};
    rules_ = &prepared_.model.states[state].rules;
    state_ = state;
    findings_.lives.resize(rules_->size());
    findings_.stopped = too_many_rules(prepared_, state);
    if (rules_->empty() || !findings_.stopped.empty()) return std::move(findings_);
    walk_.start(state);
    find_nondeterminism();
    find_lives();
    find_unstable();
    if (walk_.gave_up()) findings_.stopped = walk_.gave_up_because();
    return std::move(findings_);
  }

 private:
  Arena& arena() { return walk_.scope().arena(); }

  // Algorithm 7, for exact sets of rules instead of pairs.
  void find_nondeterminism() {
    if (rules_->size() < 2) return;
    Competing competing(
        Diagrams{arena()}, walk_.sets().triggered, [&](const Level& chosen, Node starts) {
          return add_choice(findings_, prepared_, state_, chosen,
                            [&](const Atoms& atoms) { return walk_.situations(starts, atoms); });
        });
    for (const Level& level : prepared_.levels[state_.index]) {
      if (level.size() > 1) competing.split(level, two_of(level));
    }
    std::ranges::sort(findings_.nondeterminism, {}, &Choice::rules);
  }

  // The feasible contexts in which at least two rules of a level are triggered. First worked out
  // without regard to types, and if that grows large, again within what is feasible (as in
  // Walk::with_care).
  Node two_of(const Level& level) {
    const std::vector<Node>& triggered = walk_.sets().triggered;
    const std::size_t limit = arena().size() + 1000 + 64 * level.size();
    const auto large = [&] { return arena().size() > limit; };
    auto two = at_least_two(Diagrams{arena()}, level, triggered, large);
    if (!two) {
      std::vector<Node> alive = triggered;
      for (const std::uint32_t i : level) {
        alive[i] = arena().conjunction(walk_.alive(), triggered[i]);
      }
      two = at_least_two(Diagrams{arena()}, level, alive, [] { return false; });
    }
    return arena().conjunction(walk_.alive(), *two);
  }

  // Algorithm 9.
  void find_lives() {
    for (std::uint32_t i = 0; i < rules_->size() && !walk_.gave_up(); ++i) {
      Life& life = findings_.lives[i];
      life.triggered = arena().meet(walk_.alive(), walk_.sets().triggered[i]);
      life.satisfied = life.triggered || arena().meet(walk_.alive(), walk_.sets().satisfied[i]);
      if (!life.satisfied || life.triggered) continue;
      const std::vector<Node>& satisfied = walk_.sets().satisfied;
      const Node contested = arena().conjunction(walk_.alive(), satisfied[i]);
      life.by = winners_over(prepared_, state_, i, Diagrams{arena()}, satisfied, contested);
    }
  }

  // Algorithm 11.
  void find_unstable() {
    for (std::uint32_t i = 0; i < rules_->size() && !walk_.gave_up(); ++i) {
      if (!findings_.lives[i].triggered) continue;
      const Node unstable = walk_.unstable(i);
      if (unstable == kFalse) continue;
      const RuleId rule = (*rules_)[i];
      const Atoms atoms =
          counted_atoms(prepared_, {state_, prepared_.model.rules[rule].to}, {rule});
      findings_.unstable.emplace_back(i, walk_.situations(unstable, atoms));
    }
  }

  const Prepared& prepared_;
  Walk& walk_;
  StateId state_;
  const std::vector<RuleId>* rules_ = nullptr;
  StateFindings findings_;
};

// A scope with a walk in it: one per thread.
struct Space {
  using WalkType = Walk;
  explicit Space(const Prepared& prepared)
      : scope(prepared.model, prepared.questions, prepared.budget), walk_(prepared, scope) {}
  Walk& walk() { return walk_; }
  Scope scope;
  Walk walk_;
};

struct Worker {
  std::shared_ptr<Space> space;
  const Prepared* prepared;
  std::vector<StateFindings>* states;
  void operator()(std::size_t i) {
    StateAnalysis analysis(*prepared, space->walk());
    if (const Exhausted exhausted = space->scope.budget().exhausted(); exhausted != Exhausted::No) {
      (*states)[i].stopped = reason(exhausted);
      return;
    }
    (*states)[i] = analysis.of(StateId{static_cast<std::uint32_t>(i)});
  }
};

}  // namespace

Findings hybrid(const Prepared& prepared) {
  Findings findings;
  findings.states.resize(prepared.model.states.size());
  std::vector<Worker> workers;
  for (std::size_t i = 0; i < worker_count(prepared.options.jobs, findings.states.size()); ++i) {
    workers.push_back({std::make_shared<Space>(prepared), &prepared, &findings.states});
  }
  for_each_index(0, findings.states.size(), workers);
  findings.reachable = reachable_states(prepared.model, findings.states);
  if (prepared.options.paths != 0U) {
    findings.paths = find_paths(prepared, start_states(prepared, findings.reachable),
                                [&] { return std::make_unique<Space>(prepared); });
  }
  return findings;
}

}  // namespace poise::check
