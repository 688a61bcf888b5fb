#include "poise/check/engines/findings.h"

#include <fmt/format.h>

namespace poise::check {

using model::StateId;

namespace {

// A state with many rules of one priority can have one fault for each set of them.
constexpr std::size_t kMaxChoices = 1 << 20;

}  // namespace

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

bool add_choice(StateFindings& findings, const Prepared& prepared, StateId state,
                const Level& rules, const std::function<Integer(const Atoms&)>& situations) {
  const model::State& from = prepared.model.states[state];
  if (findings.nondeterminism.size() == kMaxChoices) {
    findings.stopped = fmt::format("state `{}` has more than {} sets of rules that compete",
                                   from.name, kMaxChoices);
    return false;
  }
  Choice choice;
  for (const std::uint32_t rule : rules) choice.rules.push_back(from.rules[rule]);
  choice.situations = situations(counted_atoms(prepared, {state}, choice.rules));
  findings.nondeterminism.push_back(std::move(choice));
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
