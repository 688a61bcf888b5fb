#pragma once

// Conditions as cubes: a disjunction of conjunctions of linear comparisons. The cubes of a
// condition exclude each other, so exactly one of them holds where the condition does: `a or b`
// becomes `a`, and `not a and b`. So probabilities of cubes add up.
//
// How: a decision tree over the atoms of the condition, depth first. Each inner node decides the
// first atom on which the truth of the condition still depends; an atom that fails in two ways
// (x == 3: x < 3, x > 3) has a branch for each. A branch with two comparisons of one slot that
// contradict each other is cut at once.

#include <optional>
#include <span>
#include <vector>

#include "poise/base/budget.h"
#include "poise/base/rational.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// terms + constant < 0, <= 0, or == 0.
struct Literal {
  enum class Sign { Less, AtMost, Equal };
  struct Term {
    model::SlotId slot;
    Rational factor;  // not 0
  };
  std::vector<Term> terms;  // at least one; no slot occurs twice
  Rational constant;
  Sign sign = Sign::AtMost;
};
using Cube = std::vector<Literal>;

struct Wanted {
  model::FormulaId formula;
  bool holds = true;
};

// The cubes of the conjunction of all that is wanted. None if an atom is not linear, if there would
// be more than `most`, or if the budget, where there is one, is exhausted.
[[nodiscard]] std::optional<std::vector<Cube>> cubes(const System& system,
                                                     std::span<const Wanted> wanted,
                                                     std::size_t most = 4096,
                                                     Budget* budget = nullptr);

}  // namespace poise::verify
