#include "poise/rank/quality.h"

#include <algorithm>
#include <cmath>

namespace poise::rank {

namespace {

double discount(std::size_t place) {
  return place < 2 ? 1 : 1 / std::log2(static_cast<double>(place));
}

}  // namespace

double dcg(const std::vector<bool>& ranked) {
  double sum = 0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (ranked[i]) sum += discount(i + 1);
  }
  return sum;
}

double normalized_dcg(const std::vector<bool>& ranked) {
  std::vector<bool> ideal = ranked;
  std::sort(ideal.begin(), ideal.end(), std::greater{});
  const double best = dcg(ideal);
  return best == 0 ? 1 : dcg(ranked) / best;
}

double random_dcg(std::size_t size, std::size_t truths) {
  if (truths == 0 || size == 0) return 1;
  double all = 0;
  double best = 0;
  for (std::size_t place = 1; place <= size; ++place) {
    all += discount(place);
    if (place <= truths) best += discount(place);
  }
  return all * static_cast<double>(truths) / static_cast<double>(size) / best;
}

double precision(const std::vector<bool>& ranked, std::size_t top) {
  const std::size_t size = std::min(top, ranked.size());
  if (size == 0) return 0;
  const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(size);
  return static_cast<double>(std::count(ranked.begin(), end, true)) / static_cast<double>(size);
}

}  // namespace poise::rank
