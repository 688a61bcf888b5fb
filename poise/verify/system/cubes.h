#pragma once

// Conditions as cubes: conjunctions of linear comparisons that exclude each other, and of which one
// holds exactly where the condition does. They come from a decision tree over the condition's
// atoms, so `a or b` is `a`, and `not a and b`.

#include <optional>
#include <span>
#include <vector>

#include "poise/base/rational.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// The sum of its terms and a constant is less than 0, at most 0, or 0.
struct Literal {
  enum class Sign { Less, AtMost, Equal };
  struct Term {
    model::SlotId slot;
    Rational factor;  // not 0
  };
  std::vector<Term> terms;  // by slot, which differ; at least one
  Rational constant;
  Sign sign = Sign::AtMost;
};
using Cube = std::vector<Literal>;

struct Wanted {
  model::FormulaId formula;
  bool holds = true;
};

// Of all that is wanted together. Nothing if an atom is not linear, or if there are too many.
[[nodiscard]] std::optional<std::vector<Cube>> cubes(const System& system,
                                                     std::span<const Wanted> wanted,
                                                     std::size_t most = 4096);

}  // namespace poise::verify
