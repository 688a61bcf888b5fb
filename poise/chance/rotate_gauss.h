#pragma once

// The same event with other noise. Where a sum of many errors decides, as the way of a whole path,
// no single one of them decides much, and drawing them one by one finds out last what matters most.
// A normal vector looks the same from all sides, so Gauss errors can be turned: the first of the
// new noise is along the least likely constraint and decides it alone. Their ranges become
// constraints like the others, on normal noise that is not cut; what those leave is a factor.

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
  double factor = 1;  // by which the probability of the new event must be multiplied
};

// Turns the noise with these numbers, which has Gauss laws and is not on points. Nothing where that
// leads nowhere: fewer than two to turn, or a range that hardly any of the law is in.
[[nodiscard]] std::optional<Rotated> rotated(std::span<const LinearConstraint> constraints,
                                             std::span<const Law> noise,
                                             std::span<const std::size_t> numbers);

}  // namespace poise::chance
