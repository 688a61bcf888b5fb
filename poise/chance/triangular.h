#pragma once

// A vector with a multivariate normal law as independent noise: the covariance is taken apart as
// C C', with C lower triangular, so that the vector is its mean and C times standard normal noise,
// and the sides of a box become linear constraints on that noise, the first on one, the second on
// two and so on.
//
// The components are taken in the order of Genz and Bretz (2002): next is the least likely to be
// within its sides, given the expected values of those before. That makes what is drawn early
// decide most, and the late factors vary little.
//
// A covariance without full rank is fine: a component that depends on those before it is one more
// constraint on the same noise.

#include <vector>

#include "poise/chance/linear_constraint.h"

namespace poise::chance {

struct NormalVector {
  std::vector<double> mean;
  std::vector<double> covariance;  // by row; symmetric and not negative in any direction
};

// Sides may be infinite; lower <= upper.
struct Box {
  std::vector<double> lower;
  std::vector<double> upper;
};

// One constraint for each component, in their order, on as much noise as there are components, of
// which the last may be unused.
[[nodiscard]] std::vector<LinearConstraint> triangular(const NormalVector& vector, const Box& box);

}  // namespace poise::chance
