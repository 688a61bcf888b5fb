#pragma once

// Points that fill the unit cube more evenly than chance does: Richtmyer's rule, which takes
// multiples of the square roots of the primes less their whole parts. Each point is shifted, the
// same way for all points, and folded (|2x - 1|), which makes the cube's opposite faces meet; so
// averages of smooth functions converge nearly as 1/n^2 instead of 1/sqrt(n). Shifts are random and
// independent of each other: an average over one has no bias, and how far several disagree tells
// how good they are.

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "poise/base/random.h"

namespace poise::chance {

class QuasiRandomPoints {
 public:
  QuasiRandomPoints(std::size_t dimensions, std::size_t shifts, Random random);

  // Writes point number `index` under a shift: one number between 0 and 1 for each dimension.
  void fill(std::span<double> point, std::size_t index, std::size_t shift) const {
    const auto multiple = static_cast<double>(index + 1);
    for (std::size_t i = 0; i < point.size(); ++i) {
      const double at = multiple * steps_[i] + shifts_[shift * steps_.size() + i];
      point[i] = std::abs(2 * (at - std::floor(at)) - 1);
    }
  }

 private:
  std::vector<double> steps_;
  std::vector<double> shifts_;  // those of the first shift, of the second, ...
};

}  // namespace poise::chance
