#include "poise/chance/piecewise_cubic.h"

#include <cmath>

#include <gtest/gtest.h>

namespace poise::chance {
namespace {

TEST(PiecewiseCubic, IsExactForCubicsBetweenBreaks) {
  const auto function = [](double x) { return x < 1 ? x * x * x - x : 7 - x; };
  const PiecewiseCubic grid({3, 0, 1}, 0.5, function);
  for (double x = 0.01; x < 3; x += 0.13) EXPECT_NEAR(grid.at(x), function(x), 1e-7) << x;
  EXPECT_EQ(grid.at(-0.1), 0);
  EXPECT_EQ(grid.at(3.1), 0);
  EXPECT_EQ(grid.breaks(), (std::vector<double>{0, 1, 3}));
  EXPECT_NEAR(grid.integral(), -0.25 + 14 - 4, 1e-7);
}

TEST(PiecewiseCubic, HasTheExpectedValueAfterAMove) {
  // Of the number that is reached from 2 by a step back of 1 and an error in -0.5 .. 1.
  const PiecewiseCubic grid({-5, 5}, 0.1, [](double x) { return x * x; });
  const Law error = Law::uniform(-0.5, 1);
  const double mean = 2 - (1 + error.mean());
  EXPECT_NEAR(grid.expected(Kernel(error), {2, -1, 1}), mean * mean + error.variance(), 1e-7);
  EXPECT_NEAR(grid.expected(Kernel(Law::point(0.5)), {2, -2, 1}), 1, 1e-7);
  // Cut by the end of the grid: only what is at most 0.
  const PiecewiseCubic left({-5, 0}, 0.1, [](double) { return 1.0; });
  EXPECT_NEAR(left.expected(Kernel(Law::gauss(-9, 9, 1)), {1, 1, 0}),
              Law::gauss(-9, 9, 1).mass(-9, -1), 1e-9);
}

TEST(PiecewiseCubic, KnowsItsGreatestValue) {
  const PiecewiseCubic grid({0, 10}, 0.5, [](double x) { return -std::abs(x - 7); });
  EXPECT_EQ(grid.peak().at, 7);
  EXPECT_LT(grid.peak().before, 7);
  EXPECT_GT(grid.peak().after, 7);
}

TEST(PiecewiseCubic, WithoutAnIntervalIsZeroEverywhere) {
  for (const PiecewiseCubic& grid : {PiecewiseCubic({}, 1, [](double) { return 1.0; }),
                                     PiecewiseCubic({2, 2}, 1, [](double) { return 1.0; })}) {
    EXPECT_TRUE(grid.empty());
    EXPECT_EQ(grid.at(2), 0);
    EXPECT_EQ(grid.integral(), 0);
    EXPECT_EQ(grid.expected(Kernel(Law::uniform(-1, 1)), {2, 1, 0}), 0);
  }
}

}  // namespace
}  // namespace poise::chance
