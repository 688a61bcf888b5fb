#include "poise/base/random.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace poise {
namespace {

// The numbers that are published for SplitMix64 with the state 0. They are promised: generated
// models are the same everywhere and for ever.
TEST(Random, DrawsTheSameNumbersEverywhere) {
  Random random(0);
  EXPECT_EQ(random.next(), 0xe220a8397b1dcdafU);
  EXPECT_EQ(random.next(), 0x6e789e6aa1b965f4U);
  EXPECT_EQ(random.next(), 0x06c45d188009454fU);
}

TEST(Random, DrawsEveryNumberBelowABoundAboutEquallyOften) {
  Random random(7);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60'000; ++i) ++counts.at(random.below(6));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Random, HasStreamsThatDiffer) {
  EXPECT_NE(Random(1, 0).next(), Random(1, 1).next());
  EXPECT_NE(Random(1, 1).next(), Random(2, 0).next());
}

TEST(Random, ShufflesIntoEveryOrder) {
  Random random(3);
  std::array<int, 27> seen{};
  for (int i = 0; i < 6'000; ++i) {
    std::array<int, 3> items = {0, 1, 2};
    random.shuffle(std::span<int>(items));
    ++seen.at(static_cast<std::size_t>(9 * items[0] + 3 * items[1] + items[2]));
  }
  for (const std::size_t order : {5U, 7U, 11U, 15U, 19U, 21U})
    EXPECT_NEAR(seen.at(order), 1000, 150);
}

}  // namespace
}  // namespace poise
