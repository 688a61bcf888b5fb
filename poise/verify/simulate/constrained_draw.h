#pragma once

// Draws random values that satisfy a condition: the choice of the world where a condition leaves it
// one. `disF' == disF - unit` leaves none, `temp' <= temp + 0.4` leaves a range, and a constraint
// such as `disF == 14` so little that rejection sampling would never hit it.
//
// How: one part of every disjunction is taken, so that only comparisons are left. Equations are
// solved; the values that they leave open are drawn one after another, uniformly from the range
// that comparisons with known values allow; then the result is checked against the whole condition.
// If it fails, everything is drawn again, some hundred times. So values are always right, but not
// uniform where they depend on each other, and products of unknown values are left to luck.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/base/random.h"
#include "poise/verify/simulate/numeric.h"

namespace poise::verify {

// The values of a type, in doubles.
struct NumericDomain {
  double low = 0;
  double high = 1;
  bool whole = false;
  std::vector<double> members = {};  // of an enumeration; sorted
};

[[nodiscard]] NumericDomain numeric_domain(const model::Type& type);
[[nodiscard]] double drawn(const NumericDomain& domain, Random& random);

struct UnknownValue {
  std::uint32_t slot = 0;
  NumericDomain domain;
  // Whether the value must be in the domain. If not, it is drawn from there only if no comparison
  // bounds it.
  bool stays = true;
};

struct Draw {
  const NumericConditions& conditions;
  std::span<const model::FormulaId> required;  // all of them
  std::span<const UnknownValue> unknown;
  // Values of all slots that satisfied the conditions once: choices are made as there, as far as
  // possible. If empty, at random.
  std::span<const double> pattern = {};
};

// Sets the unknown slots of `values`; the others are given. False if no values were found.
[[nodiscard]] bool draw(const Draw& what, std::span<double> values, Random& random);

}  // namespace poise::verify
