#pragma once

// A linear constraint on noise.

#include <limits>
#include <vector>

namespace poise::chance {

// lower <= sum of coefficients times noise <= upper. An end within the rounding of doubles holds.
struct LinearConstraint {
  std::vector<double> coefficients;  // by noise
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

}  // namespace poise::chance
