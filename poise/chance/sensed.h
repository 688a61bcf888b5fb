#pragma once

// A probability that depends on where something is on a line: that a rule fires there, by what may
// be sensed.

#include <functional>
#include <limits>
#include <vector>

#include "poise/chance/law.h"

namespace poise::chance {

// A probability that depends on the position.
struct Chance {
  std::function<double(double)> at;
  double from = -std::numeric_limits<double>::infinity();  // it is 0 below
  double to = std::numeric_limits<double>::infinity();     // and above
  std::vector<double> kinks;                               // where it bends or jumps
};

[[nodiscard]] Chance certain();
[[nodiscard]] Chance both(const Chance& one, const Chance& other);  // independent of each other

// Something is sensed that is `offset + slope * d` in truth, slope not 0; the chance is that the
// sensed value is between the two.
struct Sensed {
  Law error;
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
  double slope = 1;
  double offset = 0;
};
[[nodiscard]] Chance sensed_within(const Sensed& sensed);

}  // namespace poise::chance
