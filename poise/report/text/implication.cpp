// Two steps. The first compares truth tables of the two guards, with their atoms taken as
// independent: a yes is final, and so is a no if the atoms really are independent. Else types or
// constraints may still turn the no into a yes, so the second step tries one context for each
// distinguishable cell of values (model/cells.h). The model may be huge, so the cells are those of
// a slice: all variables, but only the atoms of the two guards, and of the constraints if they are
// few. Leaving constraints out can only turn a yes into a no.

#include "poise/report/text/implication.h"

#include <algorithm>
#include <cstdint>
#include <functional>
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
using model::TypeKind;

constexpr std::size_t kMaxAtoms = 16;
constexpr std::int64_t kMaxContexts = 1 << 14;
constexpr std::size_t kMaxSlots = 4096;

// `formulas` and all their parts, each once and parts first, which is the order of ids. Formulas
// share parts, so a plain recursion could take exponential time.
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

// A truth table: one bit for each assignment of truth values to the atoms.
using Truths = std::vector<std::uint64_t>;

Truths truths_of_atom(std::size_t atom, std::size_t words) {
  // The first six atoms vary within a word of 64 bits, the others from word to word.
  constexpr std::uint64_t kWithin[] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                       0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
  Truths truths(words);
  for (std::size_t word = 0; word < words; ++word) {
    truths[word] = atom < 6 ? kWithin[atom] : 0 - ((word >> (atom - 6)) & 1);
  }
  return truths;
}

// Whether the first formula implies the second if every truth assignment to their atoms is
// possible.
bool implies_in_form(const Model& model, FormulaId first, FormulaId second) {
  const std::vector<AtomId> atoms = model::atoms_of(model, {first, second});
  const std::size_t words = atoms.size() > 6 ? std::size_t{1} << (atoms.size() - 6) : 1;
  std::map<FormulaId, Truths> truths;
  for (const FormulaId id : with_parts(model, {first, second})) {
    const Formula& formula = model.formulas[id];
    const auto combined = [&](std::uint64_t neutral, auto combine) {
      Truths result(words, neutral);
      for (const FormulaId part : formula.parts) {
        const Truths& of_part = truths.at(part);
        for (std::size_t i = 0; i < words; ++i) result[i] = combine(result[i], of_part[i]);
      }
      return result;
    };
    switch (formula.op) {
      case Op::False: truths[id] = Truths(words, 0); break;
      case Op::True: truths[id] = Truths(words, ~std::uint64_t{0}); break;
      case Op::Atom: {
        const auto place = std::ranges::lower_bound(atoms, formula.atom) - atoms.begin();
        truths[id] = truths_of_atom(static_cast<std::size_t>(place), words);
        break;
      }
      case Op::Not: truths[id] = combined(0, [](auto, auto part) { return ~part; }); break;
      case Op::And: truths[id] = combined(~std::uint64_t{0}, std::bit_and<>()); break;
      case Op::Or: truths[id] = combined(0, std::bit_or<>()); break;
      // Folded from the left, starting with true: (true implies a) implies b.
      case Op::Implies:
        truths[id] = combined(~std::uint64_t{0}, [](auto a, auto b) { return ~a | b; });
        break;
      case Op::Iff:
        truths[id] = combined(~std::uint64_t{0}, [](auto a, auto b) { return ~(a ^ b); });
        break;
    }
  }
  const Truths& from = truths.at(first);
  const Truths& to = truths.at(second);
  for (std::size_t i = 0; i < words; ++i) {
    if ((from[i] & ~to[i]) != 0) return false;
  }
  return true;
}

// Whether every truth assignment to the atoms is possible: each reads a boolean of its own that
// always has a value, and the model has no constraints.
bool are_independent(const Model& model, const std::vector<AtomId>& atoms) {
  std::set<model::SlotId> slots;
  return model.constraints.empty() && std::ranges::all_of(atoms, [&](AtomId id) {
           const model::Atom& atom = model.atoms[id];
           if (atom.slots.size() != 1 || !slots.insert(atom.slots.front()).second) return false;
           const model::Variable& variable =
               model.variables[model.slots[atom.slots.front()].variable];
           if (variable.guard) return false;
           if (variable.type.kind != TypeKind::Bool && variable.type.kind != TypeKind::Set)
             return false;
           const auto holds_at = [&](int value) {
             const model::Value given = value;
             return model::holds(atom, [&](model::SlotId) -> const model::Value& { return given; });
           };
           return holds_at(0) != holds_at(1);
         });
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
  if (implies_in_form(whole, first, second)) return true;
  if (are_independent(whole, model::atoms_of(whole, wanted))) return false;
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
