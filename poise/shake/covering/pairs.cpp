#include "poise/shake/covering/pairs.h"

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/shake/covering/feasible.h"

namespace poise::shake {

namespace {

constexpr std::uint64_t kSteps = 2'000'000;
constexpr double kMostPairs = 1e8;

}  // namespace

Result<PairTable> PairTable::of(const Grid& grid) {
  double pairs = 0;
  double values = 0;
  for (const Property& property : grid.properties) {
    const auto count = static_cast<double>(property.values.size());
    pairs += values * count;
    values += count;
  }
  if (pairs > kMostPairs) {
    return failure(fmt::format("{:.3g} pairs of values are too many", pairs));
  }
  return PairTable(grid);
}

PairTable::PairTable(const Grid& grid) {
  for (const Property& property : grid.properties) counts_.push_back(property.values.size());
  const ConstraintSpace space(grid);
  const Result<FeasibleTuples> pairs = feasible_tuples(space, 2, kSteps);
  POISE_CHECK(pairs.has_value());
  for (std::size_t i = 0; i < pairs->numbers.combinations(); ++i) {
    offsets_.push_back(pairs->numbers.offset(i));
  }
  numbers_.assign(pairs->numbers.size(), kNoPair);
  for (std::size_t place = 0; place < numbers_.size(); ++place) {
    if (!pairs->feasible[place]) continue;
    numbers_[place] = static_cast<std::uint32_t>(feasible_.size());
    feasible_.push_back(place);
  }
  infeasible_ = pairs->infeasible;
  undecided_ = pairs->undecided;
}

PairTable::Pair PairTable::pair(std::uint32_t number) const {
  const std::size_t place = feasible_[number];
  std::size_t second = 1;
  while (second + 1 < counts_.size() && offsets_[second * (second + 1) / 2] <= place) ++second;
  std::size_t first = 0;
  const std::size_t row = second * (second - 1) / 2;
  while (first + 1 < second && offsets_[row + first + 1] <= place) ++first;
  const std::size_t within = place - offsets_[row + first];
  return {.first = first,
          .first_value = static_cast<Index>(within / counts_[second]),
          .second = second,
          .second_value = static_cast<Index>(within % counts_[second])};
}

}  // namespace poise::shake
