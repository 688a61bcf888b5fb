// The hybrid engine: each state is analysed on its own, in a scope whose variable order suits it:
// the questions of its own rules first, those of the weakest foremost, then those of the states
// they lead to. The rules of one state read few variables, so the diagrams stay small however large
// the model is. docs/engines.md ("Hybrid") describes the algorithm, decision 0008 what the order is
// worth.

#include <algorithm>
#include <memory>

#include "poise/base/parallel.h"
#include "poise/check/engines/choices.h"
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

// The feasible contexts in which at least two rules of a level are triggered, in the state where a
// walk begins. First worked out without regard to types, and if that grows large, again within what
// is feasible (as in Walk::with_care).
Node contested(Walk& walk, const Level& level) {
  Arena& arena = walk.scope().arena();
  std::vector<Node> triggered = of_level(level, walk.sets().triggered);
  const std::size_t limit = arena.size() + 1000 + 64 * level.size();
  const auto large = [&] { return arena.size() > limit; };
  auto two = at_least_two(Diagrams{arena}, triggered, large);
  if (!two) {
    for (Node& rule : triggered) rule = arena.conjunction(walk.alive(), rule);
    two = at_least_two(Diagrams{arena}, triggered, [] { return false; });
  }
  return arena.conjunction(walk.alive(), *two);
}

class StateAnalysis {
 public:
  StateAnalysis(const Prepared& prepared, Walk& walk)
      : prepared_(prepared), walk_(walk), budget_(prepared.budget) {}

  StateFindings of(StateId state) {
    findings_ = {};
    rules_ = &prepared_.model.states[state].rules;
    state_ = state;
    findings_.lives.resize(rules_->size());
    findings_.stopped = too_many_rules(prepared_, state);
    if (rules_->empty() || !findings_.stopped.empty()) return std::move(findings_);
    walk_.start(state);
    find_overlaps();
    find_lives();
    find_unstable();
    if (walk_.gave_up()) findings_.stopped = walk_.gave_up_because();
    return std::move(findings_);
  }

 private:
  Arena& arena() { return walk_.scope().arena(); }

  // Algorithm 7. Exact sets of rules, which can be many more than pairs, are found later, if at
  // all.
  void find_overlaps() {
    if (rules_->size() < 2) return;
    Pairs pairs(Diagrams{arena()}, walk_.sets().triggered,
                [&](std::uint32_t first, std::uint32_t second, Node starts) {
                  const auto count = [&](const Atoms& atoms) {
                    return walk_.situations(starts, atoms);
                  };
                  return add_overlap(findings_, prepared_, budget_, state_, first, second, count);
                });
    for (const Level& level : prepared_.levels[state_.index]) {
      if (level.size() > 1) pairs.among(level, contested(walk_, level), walk_.alive());
    }
    std::ranges::sort(findings_.overlaps, {},
                      [](const Pair& pair) { return std::pair(pair.first, pair.second); });
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
  Budget budget_;
};

// A scope with a walk in it: one per thread. It is a space of PathSearch and of ChoiceSearch.
struct Space {
  using WalkType = Walk;
  explicit Space(const Prepared& prepared)
      : scope(prepared.model, prepared.questions, prepared.budget), walk_(prepared, scope) {}
  Walk& walk() { return walk_; }

  void begin(StateId state) { walk_.start(state); }
  Diagrams sets() { return {scope.arena()}; }
  const std::vector<Node>& triggered() { return walk_.sets().triggered; }
  Node contested(const Level& level) { return check::contested(walk_, level); }
  Integer situations(Node starts, const Atoms& atoms) { return walk_.situations(starts, atoms); }
  [[nodiscard]] bool gave_up() const { return scope.gave_up(); }
  [[nodiscard]] std::string gave_up_because() const { return scope.gave_up_because(); }

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
  const std::vector<bool> starts = start_states(prepared, findings.reachable);
  const auto make = [&] { return std::make_unique<Space>(prepared); };
  findings.choices = find_choices(prepared, starts, findings.states, make, prepared.options.jobs);
  if (prepared.options.paths != 0U) findings.paths = find_paths(prepared, starts, make);
  return findings;
}

}  // namespace poise::check
