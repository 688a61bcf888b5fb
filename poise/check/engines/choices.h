#pragma once

// The search for nondeterminism, sets of few rules first, for any engine. It looks at states in
// which rules overlap, for only these have such sets, and goes through the sets of two rules, of
// three and so on, each with the contexts in which exactly these rules are triggered (competing.h).
// It stops when more are known than are to be listed: a state of 20 rules can have a million sets.
//
// Each worker goes by the sets that it has found itself. It leaves out a set only if so many of
// these come earlier in the report that this one cannot be listed; so the result does not depend on
// which worker looked at which state.

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

#include "poise/base/parallel.h"
#include "poise/check/engines/competing.h"
#include "poise/check/engines/findings.h"
#include "poise/check/engines/prepared.h"

namespace poise::check {

// The order of reports: by number of rules, state, rules.
inline bool comes_before(const Choice& a, const Choice& b) {
  if (a.rules.size() != b.rules.size()) return a.rules.size() < b.rules.size();
  return std::tie(a.state, a.rules) < std::tie(b.state, b.rules);
}

// Looks at one state after another, in ascending order. SpaceType has
//   begin(state)           makes ready for a state
//   triggered()            by index of its rules: the contexts that trigger them
//   contested(level)       the feasible contexts in which at least two rules of a level are
//   triggered situations(set, atoms) how many situations a set of contexts is sets() the `Sets` of
//   competing.h gave_up(), gave_up_because()
template <class SpaceType>
class ChoiceSearch {
 public:
  ChoiceSearch(const Prepared& prepared, SpaceType& space)
      : prepared_(prepared), space_(space), budget_(prepared.budget) {}

  // The sets of a state with overlaps that may be among the first in the report.
  ChoiceFindings look_at(model::StateId state) {
    found_ = {};
    state_ = state;
    if (is_full(2)) {
      found_.more = true;
      return std::move(found_);
    }
    space_.begin(state);
    find_by_size();
    if (space_.gave_up()) found_.stopped = space_.gave_up_because();
    if (found_.stopped.empty()) found_.stopped = reason(budget_.seen());
    return std::move(found_);
  }

 private:
  using Sets = decltype(std::declval<SpaceType>().sets());
  using Set = typename Sets::Set;

  // How many known sets surely come earlier than any of this size that is still to be found in this
  // state: all that are smaller, and those of this size in earlier states.
  [[nodiscard]] std::size_t earlier(std::size_t size) const {
    const auto end =
        known_.begin() + static_cast<std::ptrdiff_t>(std::min(size + 1, known_.size()));
    return std::accumulate(known_.begin(), end, std::size_t{0});
  }
  [[nodiscard]] bool is_full(std::size_t size) const {
    return earlier(size) >= most_choices(prepared_.options);
  }

  // The contexts in which rules of a level compete: two of them are triggered, and, unless harmless
  // choices are asked for, two that do not do the same.
  [[nodiscard]] Set contested(const Level& level) {
    Set two = space_.contested(level);
    if (prepared_.options.show == Show::All || space_.sets().is_empty(two)) return two;
    std::map<std::uint32_t, Set> by_deed;
    for (const std::uint32_t rule : level) {
      const Set where = space_.sets().conjunction(two, space_.triggered()[rule]);
      const std::uint32_t deed = prepared_.deeds[prepared_.model.states[state_].rules[rule].index];
      const auto [same, is_new] = by_deed.try_emplace(deed, where);
      if (!is_new) same->second = space_.sets().disjunction(same->second, where);
    }
    std::vector<Set> sets;
    for (auto& [deed, set] : by_deed) sets.push_back(std::move(set));
    return *at_least_two(space_.sets(), sets, [] { return false; });
  }

  // Sets can be many, each of them quick to find; so the limits are looked at for each.
  [[nodiscard]] bool is_over() {
    return space_.gave_up() || budget_.exhausted_now() != Exhausted::No;
  }

  void find_by_size() {
    struct Open {
      const Level* level;
      AtLeast<Sets> at_least;
    };
    std::vector<Open> open;
    for (const Level& level : prepared_.levels[state_.index]) {
      if (level.size() < 2) continue;
      const Set among = contested(level);
      if (space_.sets().is_empty(among)) continue;
      open.push_back({&level, AtLeast<Sets>(space_.sets(), level, space_.triggered(), among)});
      open.back().at_least.step();
      open.back().at_least.step();
    }
    const auto goes_on = [&](const Open& here) {
      return !space_.sets().is_empty(here.at_least.contexts());
    };
    for (std::size_t size = 2; std::ranges::any_of(open, goes_on) && !is_over(); ++size) {
      if (is_full(size)) {
        found_.more = true;
        return;
      }
      // Sets of another level may come earlier than those of this one, so each level is searched as
      // if it were the only one.
      std::size_t of_size = 0;
      for (Open& here : open) {
        if (!goes_on(here)) continue;
        const Set at_least = here.at_least.contexts();
        here.at_least.step();
        of_size += find_exactly(*here.level, size,
                                space_.sets().difference(at_least, here.at_least.contexts()));
      }
      known_.resize(std::max(known_.size(), size + 1), 0);
      known_[size] += of_size;
    }
  }

  // Looks for sets of this size, in contexts that trigger so many rules of the level. Returns how
  // many there are among `contexts`, up to one more than are to be listed.
  std::size_t find_exactly(const Level& level, std::size_t size, const Set& contexts) {
    const std::size_t before = earlier(size);
    std::size_t count = 0;
    for_each_exact_set(space_.sets(), level, space_.triggered(), contexts, size,
                       [&](const Level& rules, const Set& where) {
                         if (before + count++ >= most_choices(prepared_.options)) {
                           found_.more = true;
                           return false;
                         }
                         add(rules, where);
                         return !is_over();
                       });
    return count;
  }

  void add(const Level& rules, const Set& where) {
    Choice choice{.state = state_, .rules = {}, .situations = {}};
    for (const std::uint32_t rule : rules) {
      choice.rules.push_back(prepared_.model.states[state_].rules[rule]);
    }
    choice.situations = space_.situations(where, counted_atoms(prepared_, {state_}, choice.rules));
    if (!space_.gave_up()) found_.choices.push_back(std::move(choice));
  }

  const Prepared& prepared_;
  SpaceType& space_;
  Budget budget_;
  model::StateId state_;
  ChoiceFindings found_;
  std::vector<std::size_t> known_;  // by number of rules: how many sets were found so far
};

// The search in all states that are `wanted` and have overlaps whose choice was asked for. make()
// returns a std::unique_ptr to a space of one worker's own.
template <class Make>
ChoiceFindings find_choices(const Prepared& prepared, const std::vector<bool>& wanted,
                            const std::vector<StateFindings>& states, Make make, std::size_t jobs) {
  ChoiceFindings all;
  if (!asks_for(prepared.options, finding::FaultKind::Nondeterminism)) return all;
  std::vector<model::StateId> contested;
  for (const model::StateId state : prepared.model.states.ids()) {
    const StateFindings& found = states[state.index];
    const auto counts = [&](const Pair& pair) {
      const std::vector<model::RuleId>& rules = prepared.model.states[state].rules;
      return prepared.options.show == Show::All ||
             prepared.deeds[rules[pair.first].index] != prepared.deeds[rules[pair.second].index];
    };
    if (wanted[state.index] && found.stopped.empty() &&
        std::ranges::any_of(found.overlaps, counts)) {
      contested.push_back(state);
    }
  }
  if (contested.empty()) return all;
  using Space = typename decltype(make())::element_type;
  struct Worker {
    std::shared_ptr<Space> space;
    std::shared_ptr<ChoiceSearch<Space>> search;
    const std::vector<model::StateId>* contested;
    std::vector<ChoiceFindings>* found;
    void operator()(std::size_t i) { (*found)[i] = search->look_at((*contested)[i]); }
  };
  std::vector<ChoiceFindings> found(contested.size());
  std::vector<Worker> workers;
  for (std::size_t i = 0; i < worker_count(jobs, contested.size()); ++i) {
    const std::shared_ptr<Space> space = make();
    workers.push_back(
        {space, std::make_shared<ChoiceSearch<Space>>(prepared, *space), &contested, &found});
  }
  for_each_index(0, contested.size(), workers);
  for (ChoiceFindings& of_state : found) {
    std::ranges::move(of_state.choices, std::back_inserter(all.choices));
    all.more = all.more || of_state.more;
    if (all.stopped.empty()) all.stopped = of_state.stopped;
  }
  std::ranges::sort(all.choices, comes_before);
  if (const std::size_t most = most_choices(prepared.options); all.choices.size() > most) {
    all.choices.resize(most);
    all.more = true;
  }
  return all;
}

}  // namespace poise::check
