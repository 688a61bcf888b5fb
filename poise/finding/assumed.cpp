#include "poise/finding/assumed.h"

#include <algorithm>

#include "poise/model/latest.h"

namespace poise::finding {

using model::AtomId;
using model::Model;

namespace {

std::vector<AtomId> free_among(const Model& model, std::vector<AtomId> atoms) {
  std::ranges::sort(atoms);
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  std::erase_if(atoms, [&](AtomId atom) { return !model::is_free(model, atom); });
  return atoms;
}

void append_guards(std::vector<model::FormulaId>& guards, const Model& model,
                   model::StateId state) {
  for (const model::RuleId rule : model.states[state].rules) {
    guards.push_back(model.rules[rule].guard);
  }
}

}  // namespace

std::vector<AtomId> assumed_free(const Model& model, const Fault& fault) {
  const bool occurs = fault.kind == FaultKind::Nondeterminism || fault.kind == FaultKind::Race ||
                      fault.kind == FaultKind::Cycle;
  if (model.queries.empty() || !occurs) return {};
  std::vector<AtomId> atoms;
  if (fault.when) {
    for (const std::vector<Literal>& part : fault.when->parts) {
      for (const Literal& literal : part) atoms.push_back(literal.atom);
    }
    return free_among(model, std::move(atoms));
  }
  std::vector<model::FormulaId> guards;
  for (const model::StateId state : visited_states(model, fault)) {
    append_guards(guards, model, state);
  }
  return free_among(model, model::atoms_of(model, std::move(guards)));
}

std::vector<AtomId> assumed_free(const Model& model, model::RuleId unstable) {
  if (model.queries.empty()) return {};
  std::vector<model::FormulaId> guards = {model.rules[unstable].guard};
  append_guards(guards, model, model.rules[unstable].to);
  return free_among(model, model::atoms_of(model, std::move(guards)));
}

}  // namespace poise::finding
