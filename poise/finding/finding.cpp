#include "poise/finding/finding.h"

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

std::string to_text(const Model& model, const Conjunction& conjunction) {
  if (conjunction.empty()) return "true";
  std::string text;
  for (const Literal& literal : conjunction) {
    if (!text.empty()) text += " and ";
    if (!literal.holds) text += "not ";
    text += model.atoms[literal.atom].text;
  }
  return text;
}

std::string to_text(const Model& model, const Condition& condition) {
  if (condition.empty()) return "false";
  std::string text;
  for (const Conjunction& conjunction : condition) {
    if (!text.empty()) text += " or ";
    text += to_text(model, conjunction);
  }
  return text;
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

Position position(const Model& model, const Fault& fault) {
  return fault.rules.empty() ? model.states[fault.state].at : model.rules[fault.rules.front()].at;
}

}  // namespace poise::finding
