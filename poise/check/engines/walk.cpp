#include "poise/check/engines/walk.h"

#include <algorithm>

namespace poise::check {

using boolean::Arena;
using boolean::kFalse;
using boolean::kTrue;
using model::StateId;

void Walk::start(StateId state, Node starts) {
  prefixes_.clear();
  forget_views(0);
  prefixes_.push_back({state, Scope::kStart, starts, 0});
}

void Walk::start(StateId state) {
  if (starts_) return start(state, *starts_);
  prefixes_.clear();
  scope_.restart();
  garbage_limit_ = kFirstGarbageLimit;
  sets_.clear();
  view_sets_.clear();
  // First of all, so that the questions of this state's rules come first in the variable order.
  static_cast<void>(sets_of(state, Scope::kStart));
  Node alive = feasible(state);
  if (prepared_.options.count == Count::All) {
    alive = scope_.arena().conjunction(alive, scope_.feasible(prepared_.all_atoms));
  }
  if (prepared_.impossible) alive = kFalse;
  prefixes_.push_back({state, Scope::kStart, alive, 0});
}

void Walk::forget_views(std::size_t from) {
  if (scope_.view_count() == from) return;
  scope_.forget_views(from);
  std::erase_if(view_sets_, [&](const auto& entry) { return (entry.first >> 32U) > from; });
}

const StateSets& Walk::sets() { return sets_of(state(), prefixes_.back().view); }

// Guards are first worked out without regard to types, which is fastest. Over enumerations their
// diagrams can be small within what the types allow and huge outside; then they are worked out
// again within the types.
template <class Work>
void Walk::with_care(StateId state, Work work) {
  const std::span<const Prepared::Guard> guards = prepared_.guards_of(state);
  if (guards.empty()) return;
  // The questions of the weakest rules come first in the variable order. Guards are joined from the
  // strongest on, so each adds nodes on top of the diagram so far and leaves it as it is, where the
  // opposite order would rebuild all of it.
  for (std::size_t i = guards.size(); i-- > 0;) scope_.ask(prepared_.code_of(guards[i]));
  const std::size_t tokens = (&guards.back())[1].begin - guards.front().begin;
  const std::size_t limit = scope_.arena().size() + 1000 + 32 * tokens;
  if (!work(kTrue, limit)) static_cast<void>(work(types_of(state), SIZE_MAX));
}

const StateSets& Walk::sets_of(StateId state, Scope::View view) {
  const std::uint64_t key = (std::uint64_t{view} << 32U) | state.index;
  auto& known_sets = view == Scope::kStart ? sets_ : view_sets_;
  if (const auto known = known_sets.find(key); known != known_sets.end()) return known->second;
  Arena& arena = scope_.arena();
  const std::span<const Prepared::Guard> guards = prepared_.guards_of(state);
  StateSets sets;
  sets.satisfied.resize(guards.size(), kFalse);
  sets.triggered.resize(guards.size(), kFalse);
  // Algorithm 1 of the A-FSM paper, one priority after another. (Its line 6 conjoins where it has
  // to disjoin.)
  with_care(state, [&](Node care, std::size_t limit) {
    sets.any = kFalse;
    Node here = kFalse;
    for (const Prepared::Guard& guard : guards) {
      if (arena.size() > limit) return false;
      if (guard.first_of_level) {
        sets.any = arena.disjunction(sets.any, here);
        here = kFalse;
      }
      const Node satisfied = scope_.truth(prepared_.code_of(guard), view, care);
      sets.satisfied[guard.rule] = satisfied;
      sets.triggered[guard.rule] = arena.difference(satisfied, sets.any);
      here = arena.disjunction(here, satisfied);
    }
    sets.any = arena.disjunction(sets.any, here);
    return true;
  });
  return known_sets.emplace(key, std::move(sets)).first->second;
}

Node Walk::any_of(StateId state, Scope::View view) {
  if (view == Scope::kStart) {
    if (const auto known = sets_.find(state.index); known != sets_.end()) return known->second.any;
  }
  Arena& arena = scope_.arena();
  Node any = kFalse;
  with_care(state, [&](Node care, std::size_t limit) {
    any = kFalse;
    for (const Prepared::Guard& guard : prepared_.guards_of(state)) {
      if (arena.size() > limit) return false;
      any = arena.disjunction(any, scope_.truth(prepared_.code_of(guard), view, care));
    }
    return true;
  });
  return any;
}

void Walk::drop_garbage() {
  if (scope_.arena().size() < garbage_limit_) return;
  std::vector<Node*> roots;
  for (Prefix& prefix : prefixes_) roots.push_back(&prefix.alive);
  if (starts_) roots.push_back(&*starts_);
  scope_.collect(std::move(roots));
  sets_.clear();
  view_sets_.clear();
  // The sets that are needed are built anew. If these alone are large, collect less often.
  garbage_limit_ = 2 * std::max(garbage_limit_, scope_.arena().size());
}

bool Walk::out_of_budget() {
  const Exhausted exhausted = scope_.budget().exhausted();
  if (exhausted == Exhausted::No) return false;
  scope_.give_up(std::string(reason(exhausted)));
  return true;
}

Walk::Fired Walk::fire(std::uint32_t rule) {
  drop_garbage();
  if (out_of_budget()) return {};
  Arena& arena = scope_.arena();
  const Prefix here = prefixes_.back();
  const Node before = arena.conjunction(here.alive, sets().triggered[rule]);
  if (before == kFalse) return {};
  const std::size_t views = scope_.view_count();
  const model::RuleId fired_rule = rule_of(rule);
  const StateId to = prepared_.targets[fired_rule.index];
  const auto [view, starts] = scope_.fired(here.view, fired_rule, before);
  Fired fired{.fired = true};
  Node alive = starts;
  // A run that had been anywhere twice would have ended there. So each run comes back to at most
  // one of these prefixes, and the runs that close at one are taken out before the next is tried.
  std::vector<std::uint32_t> changed;
  Scope::View seen = view;
  for (std::size_t i = prefixes_.size(); i-- > 0 && alive != kFalse;) {
    if (prefixes_[i].state != to) continue;
    if (out_of_budget()) return {};
    Node back = alive;
    if (prefixes_[i].view != view) {
      scope_.add_changed(prefixes_[i].view, seen, changed);
      seen = prefixes_[i].view;
      back = scope_.same(prefixes_[i].view, view, changed, alive);
      if (back == kFalse) continue;
      alive = arena.conjunction(alive, scope_.feasible(view));
      back = arena.conjunction(alive, back);
    }
    if (back == kFalse) continue;
    fired.loop = i;
    fired.closed = arena.disjunction(fired.closed, back);
    alive = arena.difference(alive, back);
  }
  if (alive != kFalse) {
    static_cast<void>(sets_of(to, view));
    if (view != here.view) alive = arena.conjunction(alive, scope_.feasible(view));
    alive = arena.conjunction(alive, feasible(to));
  }
  prefixes_.push_back({to, view, alive, views});
  return fired;
}

void Walk::pop() {
  forget_views(prefixes_.back().views);
  prefixes_.pop_back();
}

Node Walk::stable() { return scope_.arena().difference(alive(), sets().any); }

bool Walk::goes_on() { return scope_.arena().meet(alive(), sets().any); }

Node Walk::unstable(std::uint32_t rule) {
  Arena& arena = scope_.arena();
  const Prefix here = prefixes_.back();
  const model::RuleId fired_rule = rule_of(rule);
  const StateId to = prepared_.targets[fired_rule.index];
  if (prepared_.guards_of(to).empty()) return kFalse;
  const Node before = arena.conjunction(here.alive, sets().triggered[rule]);
  if (before == kFalse) return kFalse;
  const std::size_t views = scope_.view_count();
  auto [view, starts] = scope_.fired(here.view, fired_rule, before);
  if (view == Scope::kStart) {
    const Node any = any_of(to, view);  // first, because it asks the questions of `to`
    const Atoms atoms =
        atoms_of_both(prepared_.state_atoms[here.state.index], prepared_.state_atoms[to.index]);
    return arena.conjunction(arena.conjunction(starts, scope_.feasible_only(atoms)), any);
  }
  starts = arena.conjunction(starts, any_of(to, view));
  starts = arena.conjunction(starts, scope_.feasible(view));
  forget_views(views);
  return arena.conjunction(starts, feasible(to));
}

}  // namespace poise::check
