#pragma once

// Competition between the rules of one state: which sets of them are triggered together
// (nondeterminism), and which stronger rules shadow a dead one. Written once for all engines:
// `Sets` says how sets of contexts are represented, by conjunction, disjunction, difference and
// is_empty.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "poise/boolean/diagram.h"
#include "poise/check/engines/prepared.h"

namespace poise::check {

// Sets as nodes of an arena. Once the arena has given up, every set counts as empty, so that all
// loops end.
struct Diagrams {
  using Set = boolean::Node;
  boolean::Arena& arena;
  [[nodiscard]] Set conjunction(Set a, Set b) const { return arena.conjunction(a, b); }
  [[nodiscard]] Set disjunction(Set a, Set b) const { return arena.disjunction(a, b); }
  [[nodiscard]] Set difference(Set a, Set b) const { return arena.difference(a, b); }
  [[nodiscard]] bool is_empty(Set a) const { return a == boolean::kFalse || arena.gave_up(); }
};

// The contexts in which at least two rules of a level are triggered. `stop()` is asked after each
// rule; if it returns true the result is nothing.
template <class Sets, class Stop>
std::optional<typename Sets::Set> at_least_two(const Sets& sets, const Level& level,
                                               const std::vector<typename Sets::Set>& triggered,
                                               Stop stop) {
  using Set = typename Sets::Set;
  Set one = triggered[level[0]];
  Set two = sets.difference(one, one);
  for (std::size_t i = 1; i < level.size(); ++i) {
    const Set& next = triggered[level[i]];
    two = sets.disjunction(two, sets.conjunction(one, next));
    one = sets.disjunction(one, next);
    if (stop()) return std::nullopt;
  }
  return two;
}

// Calls visit(rules, where) for every set of at least two rules of a level that are triggered
// together in some context: `rules` are their indices, `where` the contexts in which exactly these
// rules of the level are triggered. Stops when `visit` returns false. `triggered` holds a set for
// each rule of the state, by index.
template <class Sets, class Visit>
class Competing {
 public:
  using Set = typename Sets::Set;
  Competing(Sets sets, const std::vector<Set>& triggered, Visit visit)
      : sets_(std::move(sets)), triggered_(triggered), visit_(std::move(visit)) {}

  void among(const Level& level, const Set& contexts) {
    if (level.size() < 2) return;
    const auto two = at_least_two(sets_, level, triggered_, [] { return false; });
    split(level, sets_.conjunction(contexts, *two));
  }

  // `two`: the contexts that matter in which at least two rules of the level are triggered. It is
  // split by one rule after another, and empty branches are dropped; so each branch that is kept
  // leads to a visit, and the cost follows the number of answers, not that of subsets. Depth first,
  // with an explicit stack, because a state can have thousands of rules.
  void split(const Level& level, Set two) {
    struct Branch {
      std::size_t next;    // index in the level of the rule to split by
      std::size_t chosen;  // how many rules were chosen before the last split
      Set where;
      bool takes_last;  // the last split chose its rule
    };
    std::vector<Branch> open;
    open.push_back({0, 0, std::move(two), false});
    while (!open.empty()) {
      Branch branch = std::move(open.back());
      open.pop_back();
      chosen_.resize(branch.chosen);
      if (branch.takes_last) chosen_.push_back(level[branch.next - 1]);
      if (sets_.is_empty(branch.where)) continue;
      if (branch.next == level.size()) {
        if (!visit_(chosen_, branch.where)) return;
        continue;
      }
      const Set& triggered = triggered_[level[branch.next]];
      const std::size_t chosen = chosen_.size();
      open.push_back({branch.next + 1, chosen, sets_.difference(branch.where, triggered), false});
      open.push_back({branch.next + 1, chosen, sets_.conjunction(branch.where, triggered), true});
    }
  }

 private:
  Sets sets_;
  const std::vector<Set>& triggered_;
  Visit visit_;
  Level chosen_;
};

// With more candidates than these, pairs of them are too many to try.
inline constexpr std::size_t kMostPaired = 256;

// A small set of candidates that together cover `contested`, by index: the first candidate that
// does so alone, else the first pair, else all candidates less the superfluous ones, which are
// dropped from the last on. `without(set, i)` is what candidate i leaves uncovered of a set. All
// candidates together must cover `contested`. The result is minimal, but from three on not always
// the smallest (docs/decisions/0007).
template <class Set, class Without, class IsEmpty>
std::vector<std::size_t> smallest_cover(const Set& contested, std::size_t candidates,
                                        Without without, IsEmpty is_empty) {
  std::vector<Set> left;
  for (std::size_t i = 0; i < candidates; ++i) {
    left.push_back(without(contested, i));
    if (is_empty(left.back())) return {i};
  }
  if (candidates <= kMostPaired) {
    for (std::size_t i = 0; i < candidates; ++i) {
      for (std::size_t j = i + 1; j < candidates; ++j) {
        if (is_empty(without(left[i], j))) return {i, j};
      }
    }
  }
  // before[i] is what candidates 0 to i - 1 leave uncovered. From the last candidate on: i is kept
  // if the candidates before it and those already kept behind it do not cover everything.
  std::vector<Set> before = {contested};
  for (std::size_t i = 0; i + 1 < candidates; ++i) before.push_back(without(before.back(), i));
  std::vector<std::size_t> kept;
  for (std::size_t i = candidates; i-- > 0;) {
    Set rest = before[i];
    for (const std::size_t other : kept) rest = without(rest, other);
    if (!is_empty(rest)) kept.insert(kept.begin(), i);
  }
  return kept;
}

// The stronger rules that shadow rule `dead`: a small set of which one is satisfied in each of the
// `contested` contexts, those that satisfy `dead`. `satisfied` holds a set for each rule of the
// state.
template <class Sets>
std::vector<model::RuleId> winners_over(const Prepared& prepared, model::StateId state,
                                        std::uint32_t dead, const Sets& sets,
                                        const std::vector<typename Sets::Set>& satisfied,
                                        const typename Sets::Set& contested) {
  const std::vector<model::RuleId>& rules = prepared.model.states[state].rules;
  std::vector<std::uint32_t> stronger;
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    if (is_stronger(prepared.model.rules[rules[i]], prepared.model.rules[rules[dead]])) {
      stronger.push_back(i);
    }
  }
  using Set = typename Sets::Set;
  const auto without = [&](const Set& where, std::size_t i) {
    return sets.difference(where, satisfied[stronger[i]]);
  };
  const auto is_empty = [&](const Set& where) { return sets.is_empty(where); };
  std::vector<model::RuleId> winners;
  for (const std::size_t i : smallest_cover(contested, stronger.size(), without, is_empty)) {
    winners.push_back(rules[stronger[i]]);
  }
  return winners;
}

}  // namespace poise::check
