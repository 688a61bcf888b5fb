#pragma once

// How good a ranking is, given what is true: Eq. 6 of the AFChecker paper and the share of true
// faults at the top.

#include <cstddef>
#include <vector>

namespace poise::rank {

// Eq. 6, with relevance 1 for what is true.
[[nodiscard]] double dcg(const std::vector<bool>& ranked);
// As a share of that of the ideal ranking; 1 where nothing is true.
[[nodiscard]] double normalized_dcg(const std::vector<bool>& ranked);
// What is to be expected of a ranking by chance: the same for each place.
[[nodiscard]] double random_dcg(std::size_t size, std::size_t truths);
// Of the first `top`, or of all if there are fewer, the share that is true.
[[nodiscard]] double precision(const std::vector<bool>& ranked, std::size_t top);

}  // namespace poise::rank
