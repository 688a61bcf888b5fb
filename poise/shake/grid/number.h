#pragma once

// Numbers of a model as doubles. Subjects calculate in doubles, which round; the language has exact
// numbers. So a *calculated* number counts as equal to another if rounding may account for the
// difference: 0.1 + 0.2 is 0.3, and ceil(10 * 0.3 / 0.1) is 30. That matters here more than
// elsewhere, because shaking looks at boundary values, where policies fail.

#include <algorithm>
#include <cmath>
#include <limits>

#include "poise/base/rational.h"

namespace poise::shake {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kRounding = 1e-11;  // relative

// How many ticks a duration takes, rounded up; at most 10^15.
[[nodiscard]] double ticks_in(const Rational& seconds, const Rational& tick);

[[nodiscard]] inline bool is_near(double a, double b) {
  return std::abs(a - b) <= kRounding * (std::abs(a) + std::abs(b)) + 1e-14;
}

// Rounding to whole numbers. A number near a whole one counts as it; halves go away from 0.
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
