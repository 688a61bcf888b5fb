#pragma once

// A linear constraint on noise: one number per source of uncertainty (a sensing, a move), each with
// a law of its own.

#include <limits>
#include <vector>

namespace poise::chance {

// lower <= sum of coefficients times noise <= upper. linear_event.h allows a relative 1e-12 at both
// ends, so that an equality is not lost to the rounding of doubles.
struct LinearConstraint {
  std::vector<double> coefficients;  // by noise
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

}  // namespace poise::chance
