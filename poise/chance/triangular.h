#pragma once

// A vector with a multivariate normal law as independent noise. The covariance is factored as C C',
// with C lower triangular (Cholesky), so the vector is its mean plus C times standard normal noise.
// The sides of a box become linear constraints on that noise: the first on one number, the second
// on two, and so on.
//
// The components are taken in the order of Genz and Bretz (2002): next comes the one that is least
// likely to be within its sides, given the expected noise so far. So the numbers that are drawn
// early decide most, and the late factors vary little.
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

// One constraint for each component, in the order of the vector (not in that of Genz and Bretz), on
// as many numbers of noise as there are components. Without full rank, the last ones are unused.
[[nodiscard]] std::vector<LinearConstraint> triangular(const NormalVector& vector, const Box& box);

}  // namespace poise::chance
