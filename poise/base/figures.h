#pragma once

// Figures with few digits that still hold: a bound that is printed must not be rounded to the wrong
// side.

#include <string>

namespace poise {

// value >= 0 with so many digits, as a number that is not below it, or not above it.
[[nodiscard]] std::string figure_up(double value, int digits);
[[nodiscard]] std::string figure_down(double value, int digits);

}  // namespace poise
