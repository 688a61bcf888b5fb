#pragma once

// Competition between the rules of one state: which sets of them are triggered together
// (nondeterminism), and which stronger rules shadow a dead one. Written once for all engines:
// `Sets` says how sets of contexts are represented, by conjunction, disjunction, difference, meet
// and is_empty.

#include <cstdint>
#include <optional>
#include <span>
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
  [[nodiscard]] bool meet(Set a, Set b) const { return arena.meet(a, b) && !arena.gave_up(); }
  [[nodiscard]] bool is_empty(Set a) const { return a == boolean::kFalse || arena.gave_up(); }
};

// The sets of the rules of a level.
template <class Set>
std::vector<Set> of_level(const Level& level, const std::vector<Set>& triggered) {
  std::vector<Set> sets;
  for (const std::uint32_t rule : level) sets.push_back(triggered[rule]);
  return sets;
}

// The contexts that are in at least one, and in at least two, of some sets.
template <class Set>
struct OneAndTwo {
  Set one;
  Set two;
};

// By halves, so that most of the work is on small sets. `stop()` is asked after each step; if it
// returns true the result is nothing.
template <class Sets, class Stop>
std::optional<OneAndTwo<typename Sets::Set>> one_and_two(const Sets& sets,
                                                         std::span<const typename Sets::Set> of,
                                                         Stop& stop) {
  if (of.size() == 1) return {{of.front(), sets.difference(of.front(), of.front())}};
  const auto low = one_and_two(sets, of.first(of.size() / 2), stop);
  if (!low) return std::nullopt;
  const auto high = one_and_two(sets, of.subspan(of.size() / 2), stop);
  if (!high || stop()) return std::nullopt;
  return {{sets.disjunction(low->one, high->one),
           sets.disjunction(sets.disjunction(low->two, high->two),
                            sets.conjunction(low->one, high->one))}};
}

// The contexts that are in at least two of some sets.
template <class Sets, class Stop>
std::optional<typename Sets::Set> at_least_two(const Sets& sets,
                                               const std::vector<typename Sets::Set>& of,
                                               Stop stop) {
  auto found = one_and_two(sets, std::span<const typename Sets::Set>(of), stop);
  if (!found) return std::nullopt;
  return std::move(found->two);
}

// Calls visit(a, b, where) for every pair of rules of a level that are triggered together in some
// of the contexts `two`, in ascending order: `where` are the contexts in which both are, whatever
// else is. Stops when `visit` returns false. Partners of a rule are found in a tree of unions,
// branches of which hold none are not entered; so the cost follows the number of pairs, not that of
// sets.
template <class Sets, class Visit>
class Pairs {
 public:
  using Set = typename Sets::Set;
  Pairs(Sets sets, const std::vector<Set>& triggered, Visit visit)
      : sets_(std::move(sets)), triggered_(triggered), visit_(std::move(visit)) {}

  // `two` are those of the contexts `feasible` in which at least two rules of the level are
  // triggered. It tells which rules have partners; it is left out of what is visited, because it
  // mentions all rules of the level, and two of them alone are a much smaller set.
  void among(const Level& level, const Set& two, const Set& feasible) {
    contested_.clear();
    std::vector<Set> where;
    for (const std::uint32_t rule : level) {
      where.push_back(sets_.conjunction(two, triggered_[rule]));
      if (sets_.is_empty(where.back())) {
        where.pop_back();
      } else {
        contested_.push_back(rule);
      }
    }
    unions_.assign(4 * contested_.size(), Set{});
    if (contested_.empty()) return;
    unite(where, 1, 0, contested_.size());
    going_ = true;
    for (std::size_t i = 0; i + 1 < contested_.size() && going_; ++i) {
      first_ = i;
      where_first_ = sets_.conjunction(feasible, triggered_[contested_[i]]);
      find(1, 0, contested_.size());
    }
  }

 private:
  // A node of the tree stands for the contested rules from `begin` to `end`.
  void unite(std::vector<Set>& where, std::size_t node, std::size_t begin, std::size_t end) {
    if (end - begin == 1) {
      unions_[node] = std::move(where[begin]);
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    unite(where, 2 * node, begin, middle);
    unite(where, 2 * node + 1, middle, end);
    unions_[node] = sets_.disjunction(unions_[2 * node], unions_[2 * node + 1]);
  }

  void find(std::size_t node, std::size_t begin, std::size_t end) {
    if (!going_ || end <= first_ + 1) return;
    if (!sets_.meet(triggered_[contested_[first_]], unions_[node])) return;
    if (end - begin == 1) {
      going_ = visit_(contested_[first_], contested_[begin],
                      sets_.conjunction(where_first_, triggered_[contested_[begin]]));
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    find(2 * node, begin, middle);
    find(2 * node + 1, middle, end);
  }

  Sets sets_;
  const std::vector<Set>& triggered_;
  Visit visit_;
  Level contested_;          // the rules of the level that are triggered with another one
  std::vector<Set> unions_;  // the tree; the children of node i are 2 * i and 2 * i + 1
  std::size_t first_ = 0;    // index in contested_ of the rule whose partners are looked for
  Set where_first_{};        // the feasible contexts in which that one is triggered
  bool going_ = true;
};

// Calls visit(rules, where) for every set of rules of a level that is triggered in some of the
// contexts `among`, in lexicographic order: `rules` are their indices, `where` the contexts in
// which exactly these rules of the level are triggered. Stops when `visit` returns false.
//
// `among` is split by one rule after another, and empty branches are dropped; so each branch that
// is kept leads to a visit, and the cost follows the number of answers, not that of subsets. Depth
// first, with an explicit stack, because a state can have thousands of rules. `most`: no context
// triggers more rules, so that once so many are chosen nothing is left to split by.
template <class Sets, class Visit>
void for_each_exact_set(const Sets& sets, const Level& level,
                        const std::vector<typename Sets::Set>& triggered, typename Sets::Set among,
                        std::size_t most, Visit visit) {
  using Set = typename Sets::Set;
  struct Branch {
    std::size_t next;    // index in the level of the rule to split by
    std::size_t chosen;  // how many rules were chosen before the last split
    Set where;
    bool takes_last;  // the last split chose its rule
  };
  Level chosen;
  std::vector<Branch> open;
  open.push_back({0, 0, std::move(among), false});
  while (!open.empty()) {
    Branch branch = std::move(open.back());
    open.pop_back();
    chosen.resize(branch.chosen);
    if (branch.takes_last) chosen.push_back(level[branch.next - 1]);
    if (sets.is_empty(branch.where)) continue;
    if (branch.next == level.size() || chosen.size() == most) {
      if (!visit(chosen, branch.where)) return;
      continue;
    }
    const Set& rule = triggered[level[branch.next]];
    open.push_back({branch.next + 1, chosen.size(), sets.difference(branch.where, rule), false});
    open.push_back({branch.next + 1, chosen.size(), sets.conjunction(branch.where, rule), true});
  }
}

// The contexts in which at least so many rules of a level are triggered, for one number after
// another, from 0 on. Each step costs a few operations for each rule.
template <class Sets>
class AtLeast {
 public:
  using Set = typename Sets::Set;
  AtLeast(Sets sets, const Level& level, const std::vector<Set>& triggered, const Set& among)
      : sets_(std::move(sets)),
        level_(level),
        triggered_(triggered),
        of_first_(level.size() + 1, among) {}

  void step() {
    Set before = of_first_[0];
    of_first_[0] = sets_.difference(before, before);
    for (std::size_t i = 0; i < level_.size(); ++i) {
      Set here = sets_.disjunction(of_first_[i], sets_.conjunction(before, triggered_[level_[i]]));
      before = std::exchange(of_first_[i + 1], std::move(here));
    }
  }
  [[nodiscard]] const Set& contexts() const { return of_first_.back(); }

 private:
  Sets sets_;
  const Level& level_;
  const std::vector<Set>& triggered_;
  std::vector<Set> of_first_;  // by i: those in which so many of the first i rules are triggered
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
