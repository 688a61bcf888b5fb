#pragma once

// A probability as a function of a position on a line: that a rule fires there, although its sensor
// is off by an error.

#include <functional>
#include <limits>
#include <vector>

#include "poise/chance/law.h"

namespace poise::chance {

struct Chance {
  std::function<double(double)> at;
  double from = -std::numeric_limits<double>::infinity();  // it is 0 below this position
  double to = std::numeric_limits<double>::infinity();     // and above this one
  std::vector<double> kinks;                               // where it bends or jumps
};

[[nodiscard]] Chance certain();
[[nodiscard]] Chance both(const Chance& one, const Chance& other);  // independent of each other

// A sensor reads offset + slope * d + error at position d, slope not 0; the chance is that the
// reading is between `from` and `to`.
struct Sensed {
  Law error;
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
  double slope = 1;
  double offset = 0;
};
[[nodiscard]] Chance sensed_within(const Sensed& sensed);

}  // namespace poise::chance
