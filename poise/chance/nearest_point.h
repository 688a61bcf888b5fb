#pragma once

// The likeliest noise that satisfies linear constraints, if all laws were normal with their mean
// and variance: the point of a polytope that is nearest to the middle, in deviations. It tells
// where the probability of a rare event comes from. The ranges of the laws are constraints too.
//
// How: Hildreth (1957). Start in the middle, go round the constraints, and move onto each that is
// violated along its own direction; what a constraint moved and no longer needs, it takes back.
// Stops after a fixed number of rounds: the answer is for aiming, not for proving.

#include <span>
#include <vector>

#include "poise/chance/law.h"

namespace poise::chance {

// lower <= normal . x <= upper
struct Slab {
  std::vector<double> normal;
  double lower;
  double upper;
};

[[nodiscard]] std::vector<double> nearest_point(std::span<const Slab> slabs,
                                                std::span<const Law> noise);

}  // namespace poise::chance
