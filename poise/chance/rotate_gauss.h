#pragma once

// The same event in rotated noise. If a sum of many errors decides, such as the length of a whole
// path, no single error decides much, and drawing them one by one finds out last what matters most.
// A standard normal vector is the same in all directions, so Gauss errors can be rotated: the first
// of the new noise points along the least likely constraint and decides it alone (triangular.h).
// The new noise is normal and not cut. The ranges of the old errors become constraints, too; their
// laws were scaled to mass 1 there, and `factor` does that for the new event.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "poise/chance/law.h"
#include "poise/chance/linear_constraint.h"

namespace poise::chance {

struct Rotated {
  std::vector<LinearConstraint> constraints;
  std::vector<Law> noise;
  double factor = 1;  // multiply the probability of the new event by it
};

// Rotates the noise with these numbers, whose laws must be Gauss and not single values; the other
// noise follows it unchanged. First come the given constraints, in their order, then the ranges.
// None if it is of no use: fewer than two to rotate, or a range with less than 1% of the mass of
// its uncut law.
[[nodiscard]] std::optional<Rotated> rotated(std::span<const LinearConstraint> constraints,
                                             std::span<const Law> noise,
                                             std::span<const std::size_t> numbers);

}  // namespace poise::chance
