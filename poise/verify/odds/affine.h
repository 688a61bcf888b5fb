#pragma once

// The unknown numbers of a path, and affine forms over them: a constant plus multiples of numbers.
//
// A *number* of a path is either chosen by its environment or noise. The environment has no
// distribution: it chooses the sensed variables at the start, and their new values where actions
// leave them open. Noise has a law: the errors of sensing and of acting.

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
    Renewed,       // a condition over streams, before a step
    Freed,         // an act lets the slot take any value of its range
    Open,          // the value after an act, where the act does not determine it
    Above,         // the same as a distance: how much more than the least that the act allows
    Below,         // how much less than the most that it allows
    SensingError,  // noise
    DoneError,     // noise: how far an act is off
  };
  Role role;
  model::SlotId slot;
  std::size_t step = 0;
  std::size_t act = 0;
  bool whole = false;
  Rational low;
  Rational high;
  std::vector<Rational> gaps = {};  // numbers in between that it cannot be
  bool searched = false;            // it may be beyond low .. high, but is not searched for there
  // Of noise. If it is whole, the law of a real number that becomes the noise by rounding.
  std::optional<chance::Law> law = {};

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
  std::vector<Term> terms;  // sorted by number; none occurs twice
  friend bool operator==(const Affine&, const Affine&) = default;
};

[[nodiscard]] Affine affine(NumberId number);
// a + factor * b
[[nodiscard]] Affine sum(const Affine& a, const Affine& b, const Rational& factor = 1);
[[nodiscard]] Rational factor_of(const Affine& value, NumberId number);  // 0 if it has none
[[nodiscard]] Affine substituted(const Affine& value, NumberId number, const Affine& by);
[[nodiscard]] Rational value_of(const Affine& value, std::span<const Rational> numbers);

// value < 0, <= 0, or == 0.
struct Bound {
  Affine value;
  Literal::Sign sign = Literal::Sign::AtMost;
};
using Bounds = std::vector<Bound>;

[[nodiscard]] bool holds(const Bound& bound, std::span<const Rational> numbers);

// Drops bounds that always hold, by the ranges of their numbers, and tightens those over whole
// numbers. None if one of them never holds.
[[nodiscard]] std::optional<Bounds> simplified(const Bounds& bounds, const Numbers& numbers);

// Whether a bound of one contradicts a bound of the other. Sound but not complete: finds only pairs
// of bounds that are multiples of each other apart from their constants.
[[nodiscard]] bool exclude_each_other(const Bounds& a, const Bounds& b);

}  // namespace poise::verify
