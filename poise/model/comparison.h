#pragma once

// Atoms that compare the difference of two slots, or one slot, with numbers: `a < b + 5`,
// `2 * a - 2 * b == 7`, `a in {1, 3}`. differences.h decides which of them can hold together
// without looking at values one by one.

#include <compare>
#include <optional>
#include <vector>

#include "poise/base/rational.h"
#include "poise/model/model.h"

namespace poise::model {

// The difference first - second, or the value of `first` where there is no second.
struct Pair {
  SlotId first;
  std::optional<SlotId> second;  // greater than `first`
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

// A place between numbers: it divides them into those below and those above. The number `at` itself
// is below if `closed`.
struct Cut {
  Rational at;
  bool closed = false;
  friend bool operator==(const Cut&, const Cut&) = default;
  friend std::strong_ordering operator<=>(const Cut& a, const Cut& b) {
    const std::strong_ordering order = a.at <=> b.at;
    return order != 0 ? order : a.closed <=> b.closed;
  }
};

// The numbers are divided by the cuts, and the truth changes at every one of them.
struct Comparison {
  std::optional<Pair> pair;  // none where coefficients cancel out: then it is `lowest` everywhere
  std::vector<Cut> cuts;     // sorted, without duplicates
  bool lowest = false;       // the truth below all cuts
};

// None if the atom is no such comparison. Cuts between whole numbers are those of whole numbers: if
// no slot of the pair is real, `at` is an integer that lies above.
[[nodiscard]] std::optional<Comparison> comparison_of(const Model& model, const Atom& atom);

// The values that a slot can take: those from low to high, all or only the whole ones, without
// those in gaps.
struct Range {
  struct Gap {
    Rational first;
    Rational last;
  };
  bool whole = true;
  Rational low;
  Rational high;
  std::vector<Gap> gaps;  // of an enumeration: numbers of other symbols; sorted
};
[[nodiscard]] Range range_of(const Model& model, SlotId slot);

}  // namespace poise::model
