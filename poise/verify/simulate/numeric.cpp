#include "poise/verify/simulate/numeric.h"

#include <algorithm>
#include <cmath>

#include "poise/chance/law.h"

namespace poise::verify {

using model::FormulaId;
using model::Model;
using model::Op;
using model::SlotId;

namespace {

NumericAtom numeric(const Model& model, const model::Atom& atom) {
  NumericAtom made;
  for (const model::Monomial& monomial : atom.value.terms) {
    NumericAtom::Term& term = made.terms.emplace_back();
    term.factor = to_double(monomial.coefficient);
    for (const SlotId slot : monomial.slots) term.slots.push_back(slot.index);
  }
  made.constant = to_double(atom.value.constant);
  made.relation = atom.relation;
  made.membership = atom.membership;
  for (const Rational& value : atom.among) made.among.push_back(to_double(value));
  const auto count = static_cast<std::uint32_t>(model.slots.size());
  for (const SlotId slot : atom.slots) {
    made.slots.push_back(slot.index);
    const std::uint32_t later = slot.index >= count ? count : 0;
    for (auto guard = model::guard_slot(model, SlotId{slot.index - later}); guard;
         guard = model::guard_slot(model, *guard)) {
      made.guards.push_back(guard->index + later);
    }
  }
  return made;
}

}  // namespace

int sign_of(double sum, double size) {
  constexpr double kRounding = 1e-11;
  if (std::abs(sum) <= kRounding * size) return 0;
  return sum < 0 ? -1 : 1;
}

NumericConditions::NumericConditions(const Model& model,
                                     const Table<model::AtomId, model::Atom>& atoms,
                                     const Table<FormulaId, model::Formula>& formulas)
    : formulas_(formulas) {
  for (const model::Atom& atom : atoms) atoms_.add(numeric(model, atom));
}

bool NumericConditions::holds(const NumericAtom& atom, std::span<const double> values) const {
  for (const std::uint32_t guard : atom.guards) {
    if (values[guard] != 1) return false;
  }
  double sum = atom.constant;
  double size = std::abs(sum);
  for (const NumericAtom::Term& term : atom.terms) {
    double product = term.factor;
    for (const std::uint32_t slot : term.slots) product *= values[slot];
    sum += product;
    size += std::abs(product);
  }
  if (!atom.membership) return model::holds(atom.relation, sign_of(sum, size));
  return std::ranges::any_of(
      atom.among, [&](double value) { return sign_of(sum - value, size + std::abs(value)) == 0; });
}

bool NumericConditions::holds(FormulaId id, std::span<const double> values) const {
  const model::Formula& formula = formulas_[id];
  const auto part = [&](FormulaId of) { return holds(of, values); };
  switch (formula.op) {
    case Op::False: return false;
    case Op::True: return true;
    case Op::Atom: return holds(atoms_[formula.atom], values);
    case Op::Not: return !part(formula.parts[0]);
    case Op::And: return std::ranges::all_of(formula.parts, part);
    case Op::Or: return std::ranges::any_of(formula.parts, part);
    case Op::Implies: return !part(formula.parts[0]) || part(formula.parts[1]);
    case Op::Iff: return part(formula.parts[0]) == part(formula.parts[1]);
  }
  return false;
}

}  // namespace poise::verify
