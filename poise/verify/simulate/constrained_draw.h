#pragma once

// Values that satisfy a condition, drawn at random: what the world may do where a condition leaves
// it a choice. `disF' == disF - unit` leaves none, `temp' <= temp + 0.4` leaves a range, and a
// constraint such as `disF == 14` nearly none, so that guessing would never hit it.
//
// How: of every disjunction one part is taken; what has to hold then are comparisons. Equations are
// solved, the values that they leave open are drawn one after another, uniformly from what the
// comparisons with known values allow, and the result is checked against the whole condition. If it
// fails, all is drawn again, some hundred times. So what is drawn is always right, but not uniform
// where values depend on each other, and products of unknown values are left to luck.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/base/random.h"
#include "poise/verify/simulate/numeric.h"

namespace poise::verify {

// What an unknown value may be.
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
  // Nothing outside of the domain; else that is only where values come from if nothing else is
  // known of them.
  bool stays = true;
};

struct Draw {
  const NumericConditions& conditions;
  std::span<const model::FormulaId> required;  // all of them
  std::span<const UnknownValue> unknown;
  // Values of all slots that satisfied them once: choices are made as they were there, as far as
  // possible. Empty: at random.
  std::span<const double> pattern = {};
};

// Puts values into the unknown slots, the others being known. False if none were found.
[[nodiscard]] bool draw(const Draw& what, std::span<double> values, Random& random);

}  // namespace poise::verify
