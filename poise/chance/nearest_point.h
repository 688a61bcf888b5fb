#pragma once

// The likeliest noise that satisfies linear constraints, with every law taken for a normal one of
// the same mean and variance. That is the point of a polytope nearest to the means, with distances
// in standard deviations; most of the probability of a rare event comes from around it. The ranges
// of the laws are constraints, too.
//
// How: Hildreth (1957). Start at the means. Visit the constraints in turn and project the point
// onto each one that is violated; remember how far each constraint moved it, and take back what it
// turns out not to need. Ends when the moves are tiny, or after 500 rounds: the answer is a place
// to aim at, not a proof.

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

// One number for each noise. If the constraints contradict each other: some point near them.
[[nodiscard]] std::vector<double> nearest_point(std::span<const Slab> slabs,
                                                std::span<const Law> noise);

}  // namespace poise::chance
