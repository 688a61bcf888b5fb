#include "poise/finding/finding.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>

namespace poise::finding {

using model::Model;

std::string_view name(FaultKind kind) {
  switch (kind) {
    case FaultKind::Nondeterminism: return "nondeterminism";
    case FaultKind::DeadRule: return "dead-rule";
    case FaultKind::DeadState: return "dead-state";
    case FaultKind::UnreachableState: return "unreachable-state";
    case FaultKind::Race: return "race";
    case FaultKind::Cycle: return "cycle";
  }
  return "";
}

std::optional<FaultKind> fault_kind(std::string_view text) {
  for (const FaultKind kind : kAllFaultKinds) {
    if (name(kind) == text) return kind;
  }
  return std::nullopt;
}

namespace {

void append(std::string& text, const Model& model, const std::vector<Literal>& literals,
            std::string_view between) {
  for (const Literal& literal : literals) {
    if (literal != literals.front()) text += between;
    if (!literal.holds) text += "not ";
    text += model.atoms[literal.atom].text;
  }
}

void append_conjunction(std::string& text, const Model& model, const Conjunction& conjunction) {
  if (conjunction.empty()) text += "true";
  append(text, model, conjunction, " and ");
}

void append_alternative(std::string& text, const Model& model, const Alternative& alternative) {
  if (alternative.size() > 1) text += '(';
  append(text, model, alternative, " or ");
  if (alternative.size() > 1) text += ')';
}

}  // namespace

std::string to_text(const Model& model, const Conjunction& conjunction) {
  std::string text;
  append_conjunction(text, model, conjunction);
  return text;
}

std::string alternative_text(const Model& model, const Alternative& literals) {
  std::string text;
  append_alternative(text, model, literals);
  return text;
}

std::string to_text(const Model& model, const Condition& condition) {
  const bool any = condition.form == Condition::Form::AnyOfConjunctions;
  if (condition.parts.empty()) return any ? "false" : "true";
  std::string text;
  for (const std::vector<Literal>& part : condition.parts) {
    if (!text.empty()) text += any ? " or " : " and ";
    (any ? append_conjunction : append_alternative)(text, model, part);
  }
  return text;
}

Witness::Witness(model::Context context)
    : usual_(std::make_shared<const model::Context>(std::move(context))) {}

const model::Value& Witness::operator[](model::SlotId slot) const {
  const auto other = std::ranges::lower_bound(others_, slot, {}, &model::Assignment::slot);
  if (other != others_.end() && other->slot == slot) return other->value;
  return (*usual_)[slot.index];
}

model::Context Witness::context() const {
  model::Context context = *usual_;
  for (const model::Assignment& other : others_) context[other.slot.index] = other.value;
  return context;
}

namespace {

using Assigned = std::vector<std::pair<model::SlotId, model::Value>>;

// What a rule assigns, the same for rules that leave the same values: the last value of each slot,
// sorted. An action that makes a guard true frees the variables behind it and one that makes it
// false clears them; so where a rule assigns a guard, it matters what comes before it.
Assigned assigned_by(const model::Rule& rule, const std::vector<bool>& is_guard) {
  Assigned all;
  for (const model::Action& action : rule.actions) {
    for (const model::Effect& effect : action.effects) all.emplace_back(effect.slot, effect.value);
  }
  const auto assigns_guard = [&](const auto& one) { return is_guard[one.first.index]; };
  if (std::ranges::any_of(all, assigns_guard)) return all;
  std::map<model::SlotId, model::Value> last;
  for (auto& [slot, value] : all) last[slot] = std::move(value);
  return {last.begin(), last.end()};
}

}  // namespace

std::vector<std::uint32_t> deeds(const Model& model) {
  // Where it leads, what it assigns, and its named actions, in their order.
  using Deed = std::tuple<model::StateId, Assigned, std::vector<std::string_view>>;
  std::vector<bool> is_guard(model.slots.size(), false);
  for (const model::SlotId slot : model.slots.ids()) {
    if (const auto guard = model::guard_slot(model, slot)) is_guard[guard->index] = true;
  }
  std::map<Deed, std::uint32_t> numbers;
  std::vector<std::uint32_t> by_rule;
  for (const model::Rule& rule : model.rules) {
    std::vector<std::string_view> actions;
    for (const model::Action& action : rule.actions) {
      if (action.effects.empty()) actions.emplace_back(action.text);
    }
    const auto next = static_cast<std::uint32_t>(numbers.size());
    Deed deed{rule.to, assigned_by(rule, is_guard), std::move(actions)};
    by_rule.push_back(numbers.try_emplace(std::move(deed), next).first->second);
  }
  return by_rule;
}

std::vector<model::StateId> visited_states(const Model& model, const Fault& fault) {
  std::vector<model::StateId> states = {fault.state};
  if (fault.kind != FaultKind::Race && fault.kind != FaultKind::Cycle) return states;
  std::unordered_set<model::StateId> seen = {fault.state};
  for (const model::RuleId rule : fault.rules) {
    const model::StateId next = model.rules[rule].to;
    if (seen.insert(next).second) states.push_back(next);
  }
  return states;
}

std::vector<model::VariableId> variables_that_matter(const Model& model, const Fault& fault) {
  std::vector<model::FormulaId> guards;
  for (const model::StateId state : visited_states(model, fault)) {
    for (const model::RuleId rule : model.states[state].rules)
      guards.push_back(model.rules[rule].guard);
  }
  std::vector<model::VariableId> variables;
  for (const model::AtomId atom : model::atoms_of(model, guards)) {
    for (const model::SlotId slot : model.atoms[atom].slots) {
      for (std::optional<model::VariableId> id = model.slots[slot].variable; id;
           id = model.variables[*id].guard) {
        variables.push_back(*id);
      }
    }
  }
  std::ranges::sort(variables);
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

Position position(const Model& model, const Fault& fault) {
  return fault.rules.empty() ? model.states[fault.state].at : model.rules[fault.rules.front()].at;
}

}  // namespace poise::finding
