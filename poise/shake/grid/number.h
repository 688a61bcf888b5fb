#pragma once

// Numbers of a model as doubles. Machines calculate in doubles, which round; the language does not.
// So a *calculated* number counts as equal to another that is nearer than rounding may have moved
// it: 0.1 + 0.2 is 0.3, and ceil(10 * 0.3 / 0.1) is 30. Boundary values are where policies fail,
// and where shaking looks.

#include <algorithm>
#include <cmath>
#include <limits>

#include "poise/base/rational.h"

namespace poise::shake {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kRounding = 1e-11;  // in proportion to what was calculated with

// How many ticks make up so many seconds, rounded up. A whole number, at most 10^15.
[[nodiscard]] double ticks_in(const Rational& seconds, const Rational& tick);

[[nodiscard]] inline bool is_near(double a, double b) {
  return std::abs(a - b) <= kRounding * (std::abs(a) + std::abs(b)) + 1e-14;
}

// To whole numbers. A number near one is that one; halves go away from 0.
[[nodiscard]] inline double ceiling_near(double number) {
  const double whole = std::round(number);
  return is_near(number, whole) ? whole : std::ceil(number);
}
[[nodiscard]] inline double floor_near(double number) {
  const double whole = std::round(number);
  return is_near(number, whole) ? whole : std::floor(number);
}
[[nodiscard]] inline double round_near(double number) {
  return std::copysign(floor_near(std::abs(number) + 0.5), number);
}

}  // namespace poise::shake
