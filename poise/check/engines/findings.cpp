#include "poise/check/engines/findings.h"

#include <algorithm>

#include <fmt/format.h>

namespace poise::check {

using model::StateId;

std::string cut_short(std::size_t length, std::size_t prefixes) {
  return fmt::format(
      "all races and cycles of up to {} firings are known; to look for longer ones takes more than "
      "{} steps",
      length, prefixes);
}

std::string too_many_rules(const Prepared& prepared, StateId state) {
  const model::State& from = prepared.model.states[state];
  if (from.rules.size() <= kMaxRulesPerState) return {};
  return fmt::format("state `{}` has {} rules; at most {} are compared with each other", from.name,
                     from.rules.size(), kMaxRulesPerState);
}

bool is_harmless(std::span<const std::uint32_t> deeds, const std::vector<model::RuleId>& rules) {
  return std::ranges::all_of(
      rules, [&](model::RuleId rule) { return deeds[rule.index] == deeds[rules.front().index]; });
}

bool is_asked_for(const Options& options, const Overlap& overlap, bool reachable) {
  return asks_for(options, finding::FaultKind::Nondeterminism) &&
         (options.show == Show::All || (reachable && !overlap.harmless));
}

std::string too_many_choices() {
  return fmt::format("more than {} sets of rules compete", kMaxChoices);
}

std::string too_many_overlaps(const model::State& state) {
  return fmt::format("state `{}` has more than {} pairs of rules that overlap", state.name,
                     kMaxOverlaps);
}

bool add_overlap(StateFindings& findings, const Prepared& prepared, Budget& budget, StateId state,
                 std::uint32_t first, std::uint32_t second,
                 const std::function<Integer(const Atoms&)>& situations) {
  const model::State& from = prepared.model.states[state];
  if (const Exhausted exhausted = budget.exhausted_now(); exhausted != Exhausted::No) {
    findings.stopped = reason(exhausted);
    return false;
  }
  if (findings.overlaps.size() == kMaxOverlaps) {
    findings.stopped = too_many_overlaps(from);
    return false;
  }
  const Atoms atoms = counted_atoms(prepared, {state}, {from.rules[first], from.rules[second]});
  Integer count = situations(atoms);
  if (count.sign() == 0) return false;
  findings.overlaps.push_back({first, second, std::move(count)});
  return true;
}

std::vector<bool> reachable_states(const model::Model& model,
                                   const std::vector<StateFindings>& states) {
  std::vector<bool> reached(model.states.size(), false);
  std::vector<StateId> open = {model.initial};
  reached[model.initial.index] = true;
  while (!open.empty()) {
    const StateId state = open.back();
    open.pop_back();
    const std::vector<model::RuleId>& rules = model.states[state].rules;
    for (std::size_t i = 0; i < states[state.index].lives.size(); ++i) {
      const StateId to = model.rules[rules[i]].to;
      if (!states[state.index].lives[i].triggered || reached[to.index]) continue;
      reached[to.index] = true;
      open.push_back(to);
    }
  }
  return reached;
}

}  // namespace poise::check
