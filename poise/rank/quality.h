#pragma once

// Measures of a ranking, given which cases are true: the discounted cumulative gain (Eq. 6 of the
// AFChecker paper) and precision at the top. `ranked[i]` says whether the case at place i + 1 is
// true.

#include <cstddef>
#include <vector>

namespace poise::rank {

// Eq. 6, with relevance 1 for a true case and 0 for a false one.
[[nodiscard]] double dcg(const std::vector<bool>& ranked);
// Divided by the DCG of the ideal ranking; 1 if nothing is true.
[[nodiscard]] double normalized_dcg(const std::vector<bool>& ranked);
// The expected normalised DCG of a random order, of `size` cases with `truths` true ones.
[[nodiscard]] double random_dcg(std::size_t size, std::size_t truths);
// The share of true cases among the first `top`, or among all if there are fewer. With `top` the
// number of true cases this is R-precision.
[[nodiscard]] double precision(const std::vector<bool>& ranked, std::size_t top);

}  // namespace poise::rank
