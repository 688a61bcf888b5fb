#include "poise/check/engines/starts.h"

#include <algorithm>

namespace poise::check {

using boolean::Arena;
using boolean::kFalse;
using finding::Fault;
using finding::FaultKind;
using model::RuleId;
using model::StateId;

bool is_path(const Fault& fault) {
  return fault.kind == FaultKind::Race || fault.kind == FaultKind::Cycle;
}

void FaultStarts::begin(StateId state) {
  walk_.start(state);
  path_.clear();
}

Node FaultStarts::of(const Fault& fault) {
  return is_path(fault) ? of_path(fault) : triggered_together(fault);
}

Node FaultStarts::satisfied(StateId state, RuleId rule) {
  return walk_.scope().arena().conjunction(walk_.alive(),
                                           walk_.sets().satisfied[index_of(state, rule)]);
}

const Atoms& FaultStarts::atoms(const Fault& fault) {
  states_ = {fault.state};
  if (is_path(fault)) {
    for (const RuleId rule : fault.rules) states_.push_back(prepared_.model.rules[rule].to);
  }
  return counted_.of(states_, fault.rules);
}

std::uint32_t FaultStarts::index_of(StateId state, RuleId rule) const {
  const std::vector<RuleId>& rules = prepared_.model.states[state].rules;
  return static_cast<std::uint32_t>(std::ranges::lower_bound(rules, rule) - rules.begin());
}

Node FaultStarts::triggered_together(const Fault& fault) {
  Arena& arena = walk_.scope().arena();
  Node starts = walk_.alive();
  for (const Level& level : prepared_.levels[fault.state.index]) {
    for (const std::uint32_t rule : level) {
      const Node triggered = walk_.sets().triggered[rule];
      const RuleId id = prepared_.model.states[fault.state].rules[rule];
      starts = std::ranges::find(fault.rules, id) != fault.rules.end()
                   ? arena.conjunction(starts, triggered)
                   : arena.difference(starts, triggered);
    }
  }
  return starts;
}

Node FaultStarts::of_path(const Fault& fault) {
  std::size_t common = 0;
  while (common < path_.size() && common < fault.rules.size() &&
         path_[common] == fault.rules[common]) {
    ++common;
  }
  // The last firing is always walked: its answer says which runs closed.
  if (common == fault.rules.size()) --common;
  while (path_.size() > common) {
    walk_.pop();
    path_.pop_back();
  }
  Walk::Fired fired;
  while (path_.size() < fault.rules.size()) {
    const RuleId rule = fault.rules[path_.size()];
    fired = walk_.fire(index_of(walk_.state(), rule));
    if (!fired.fired) return kFalse;  // only where the walk gave up
    path_.push_back(rule);
  }
  return fault.kind == FaultKind::Cycle ? fired.closed : walk_.stable();
}

bool walks_before(const Fault* a, const Fault* b) {
  if (is_path(*a) != is_path(*b)) return is_path(*b);
  return is_path(*a) && a->rules < b->rules;
}

}  // namespace poise::check
