#pragma once

// What a path depends on, and sums of it.
//
// A *number* of a path is chosen by its environment, or is noise. The environment chooses without a
// distribution: what sensed variables are at the start and whatever they may become where actions
// leave it open. Noise has a law: errors of what is sensed and of what is done.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "poise/base/rational.h"
#include "poise/base/table.h"
#include "poise/chance/law.h"
#include "poise/model/model.h"
#include "poise/verify/system/cubes.h"

namespace poise::verify {

using NumberId = Id<struct NumberTag>;

struct Number {
  enum class Role {
    Start,
    Renewed,  // before a step
    Freed,    // by an act, within its range
    Open,     // what an act makes of a slot, as far as it leaves that open
    Above,    // the same: by how much more than the act asks for at least
    Below,    // by how much less than it allows
    SensingError,
    DoneError,
  };
  Role role;
  model::SlotId slot;
  std::size_t step = 0;
  std::size_t act = 0;
  bool whole = false;
  Rational low;
  Rational high;
  std::vector<Rational> gaps = {};  // between them, where it is not
  std::optional<chance::Law> law =
      {};  // of noise; where it is whole, of a number that is rounded to it

  [[nodiscard]] bool is_noise() const { return law.has_value(); }
};
using Numbers = Table<NumberId, Number>;

struct Affine {
  struct Term {
    NumberId number;
    Rational factor;  // not 0
    friend bool operator==(const Term&, const Term&) = default;
  };
  Rational constant;
  std::vector<Term> terms;  // by number, which differ
  friend bool operator==(const Affine&, const Affine&) = default;
};

[[nodiscard]] Affine affine(NumberId number);
// a + factor b
[[nodiscard]] Affine sum(const Affine& a, const Affine& b, const Rational& factor = 1);
[[nodiscard]] Rational factor_of(const Affine& value, NumberId number);  // 0 if it has none
[[nodiscard]] Affine substituted(const Affine& value, NumberId number, const Affine& by);
[[nodiscard]] Rational value_of(const Affine& value, std::span<const Rational> numbers);

// The value is less than 0, at most 0, or 0.
struct Bound {
  Affine value;
  Literal::Sign sign = Literal::Sign::AtMost;
};
using Bounds = std::vector<Bound>;

[[nodiscard]] bool holds(const Bound& bound, std::span<const Rational> numbers);

// Without those that hold whatever the numbers are, by their ranges; over whole numbers as tight as
// can be. Nothing if one of them never holds.
[[nodiscard]] std::optional<Bounds> simplified(const Bounds& bounds, const Numbers& numbers);

// Whether two of them contradict each other for all numbers. Not all that do are found.
[[nodiscard]] bool exclude_each_other(const Bounds& a, const Bounds& b);

}  // namespace poise::verify
