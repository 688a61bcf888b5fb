#include "poise/finding/cure.h"

#include <algorithm>

namespace poise::finding {

using model::Model;
using model::Op;
using model::RuleId;
using model::StateId;

bool same_change(const Cure& a, const Cure& b) {
  if (a.kind != b.kind || a.rules != b.rules) return false;
  switch (a.kind) {
    case Cure::Kind::Priority: return a.priority == b.priority;
    case Cure::Kind::Condition: return a.condition == b.condition && a.negated == b.negated;
    case Cure::Kind::Target: return a.to == b.to;
    case Cure::Kind::Deletion: return true;
  }
  return false;
}

void apply(Model& model, const Cure& cure) {
  for (const RuleId id : cure.rules) {
    model::Rule& rule = model.rules[id];
    switch (cure.kind) {
      case Cure::Kind::Priority: rule.priority = cure.priority; break;
      case Cure::Kind::Condition: {
        model::FormulaId added = cure.condition;
        if (cure.negated) added = model.formulas.add({.op = Op::Not, .parts = {added}});
        rule.guard = model.formulas.add({.op = Op::And, .parts = {rule.guard, added}});
        break;
      }
      case Cure::Kind::Target: rule.to = cure.to; break;
      case Cure::Kind::Deletion:
        rule.guard = model.formulas.add({.op = Op::False, .parts = {}});
        break;
    }
  }
}

std::vector<StateId> changed_states(const Model& model, const Cure& cure) {
  std::vector<StateId> states;
  for (const RuleId id : cure.rules) {
    const std::vector<StateId>& from = model.rules[id].from;
    states.insert(states.end(), from.begin(), from.end());
  }
  std::ranges::sort(states);
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return states;
}

}  // namespace poise::finding
