// The question concerns two guards of a model that may be huge, so it is asked of a small model
// that has all the variables but only the atoms of these guards, and of the constraints if they are
// few. Leaving constraints out can only turn a yes into a no.

#include "poise/report/implication.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "poise/base/budget.h"
#include "poise/model/cells.h"
#include "poise/model/step.h"

namespace poise::report {

namespace {

using model::AtomId;
using model::Formula;
using model::FormulaId;
using model::Model;
using model::Op;

constexpr std::size_t kMaxAtoms = 16;
constexpr std::int64_t kMaxContexts = 1 << 14;
constexpr std::size_t kMaxSlots = 4096;

// `formulas` with all their parts, each once, parts first. Formulas share parts, so a plain
// recursion could take exponential time.
std::vector<FormulaId> with_parts(const Model& model, std::vector<FormulaId> formulas) {
  std::set<FormulaId> all;
  while (!formulas.empty()) {
    const FormulaId id = formulas.back();
    formulas.pop_back();
    if (!all.insert(id).second) continue;
    const std::vector<FormulaId>& parts = model.formulas[id].parts;
    formulas.insert(formulas.end(), parts.begin(), parts.end());
  }
  return {all.begin(), all.end()};
}

struct Slice {
  Model model;                              // without rules and states
  std::map<FormulaId, FormulaId> formulas;  // from the whole model's ids
};

Slice slice(const Model& whole, const std::vector<FormulaId>& wanted) {
  Slice slice;
  slice.model.symbols = whole.symbols;
  slice.model.variables = whole.variables;
  slice.model.slots = whole.slots;
  std::map<AtomId, AtomId> atoms;
  for (const AtomId atom : model::atoms_of(whole, wanted)) {
    atoms[atom] = slice.model.atoms.add(whole.atoms[atom]);
  }
  for (const FormulaId id : with_parts(whole, wanted)) {
    Formula formula = whole.formulas[id];
    if (formula.op == Op::Atom) formula.atom = atoms.at(formula.atom);
    for (FormulaId& part : formula.parts) part = slice.formulas.at(part);
    slice.formulas[id] = slice.model.formulas.add(std::move(formula));
  }
  return slice;
}

}  // namespace

std::optional<bool> implies(const Model& whole, FormulaId first, FormulaId second) {
  std::vector<FormulaId> wanted = {first, second};
  if (whole.slots.size() > kMaxSlots || model::atoms_of(whole, wanted).size() > kMaxAtoms) {
    return std::nullopt;
  }
  std::vector<FormulaId> constraints;
  for (const model::Constraint& constraint : whole.constraints) {
    constraints.push_back(constraint.condition);
  }
  std::vector<FormulaId> all = wanted;
  all.insert(all.end(), constraints.begin(), constraints.end());
  const bool few = model::atoms_of(whole, all).size() <= kMaxAtoms;
  if (few) wanted = all;

  Slice part = slice(whole, wanted);
  if (few) {
    for (const FormulaId id : constraints) {
      part.model.constraints.add({.name = {}, .condition = part.formulas.at(id), .at = {}});
    }
  }
  Budget unlimited;
  const Result<model::Cells> cells = model::Cells::of(part.model, unlimited);
  if (!cells || cells->count() > Integer(kMaxContexts)) return std::nullopt;

  bool holds = true;
  cells->for_each_context([&](const model::Context& context) {
    const model::Situation situation = model::evaluate(part.model, context);
    const bool counterexample = situation.holds(part.formulas.at(first)) &&
                                !situation.holds(part.formulas.at(second)) &&
                                model::feasible(part.model, situation);
    holds = !counterexample;
    return holds;
  });
  return holds;
}

}  // namespace poise::report
