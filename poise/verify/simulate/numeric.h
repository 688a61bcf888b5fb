#pragma once

// Conditions in doubles, for simulation: model/step.h and the solver decide them exactly, this
// decides them fast. Doubles round, so a number counts as 0 if it is nearer to 0 than rounding may
// have moved it: 0.1 + 0.2 == 0.3 holds, as it does for the exact interpreters.

#include <cstdint>
#include <span>
#include <vector>

#include "poise/model/model.h"

namespace poise::verify {

// A sum of products, compared with 0.
struct NumericAtom {
  struct Term {
    double factor = 0;
    std::vector<std::uint32_t> slots;
  };
  std::vector<Term> terms;
  double constant = 0;
  model::Relation relation = model::Relation::Equal;
  bool membership = false;  // the value is one of `among`, instead of a comparison
  std::vector<double> among;
  std::vector<std::uint32_t> slots;   // all that it reads
  std::vector<std::uint32_t> guards;  // the atom is false unless all of these are 1
};

// Atoms and formulas of a model, or of its world, where slot `slots + i` is slot i after an action.
class NumericConditions {
 public:
  // The formulas must outlive it.
  NumericConditions(const model::Model& model, const Table<model::AtomId, model::Atom>& atoms,
                    const Table<model::FormulaId, model::Formula>& formulas);

  [[nodiscard]] bool holds(model::FormulaId formula, std::span<const double> values) const;
  [[nodiscard]] bool holds(const NumericAtom& atom, std::span<const double> values) const;

  [[nodiscard]] const model::Formula& formula(model::FormulaId id) const { return formulas_[id]; }
  [[nodiscard]] const NumericAtom& atom(model::AtomId id) const { return atoms_[id]; }

 private:
  Table<model::AtomId, NumericAtom> atoms_;
  const Table<model::FormulaId, model::Formula>& formulas_;
};

// The sign of a sum; `size` is the sum of the absolute values of its terms. 0 within rounding.
[[nodiscard]] int sign_of(double sum, double size);

}  // namespace poise::verify
