#include "poise/chance/normal.h"

#include <cmath>

#include <gtest/gtest.h>

#include "poise/base/infinity.h"

namespace poise::chance {
namespace {

// Published values, e.g. Abramowitz and Stegun, tables 26.1 and 26.2.
TEST(Normal, HasTheTailsOfTheTables) {
  EXPECT_DOUBLE_EQ(normal_upper_tail(0), 0.5);
  EXPECT_NEAR(normal_upper_tail(1) / 0.15865525393145705, 1, 1e-14);
  EXPECT_NEAR(normal_upper_tail(3) / 0.0013498980316300945, 1, 1e-13);
  EXPECT_NEAR(normal_upper_tail(10) / 7.619853024160525e-24, 1, 1e-12);
  EXPECT_NEAR(normal_upper_tail(-3) + normal_upper_tail(3), 1, 1e-15);
}

TEST(Normal, HasTheQuantilesOfTheTables) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.005), -2.575829303548901, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-13);
}

TEST(Normal, QuantileUndoesTheTail) {
  for (double x = -37; x <= 0; x += 0.0625) {
    EXPECT_NEAR(normal_quantile(normal_upper_tail(-x)), x, 2e-14 * (1 + std::abs(x))) << x;
  }
}

TEST(Normal, MillsRatioIsTheTailByTheDensityAndGoesOnBeyond) {
  for (double x = 0; x < 36; x += 0.25) {
    EXPECT_NEAR(mills_ratio(x) * normal_density(x) / normal_upper_tail(x), 1, 1e-12) << x;
  }
  EXPECT_NEAR(mills_ratio(1000) * 1000, 1 - 1e-6, 1e-11);
  EXPECT_EQ(mills_ratio(kInfinity), 0);
}

TEST(Normal, IntegralsAddUpOnEveryScale) {
  for (const double nearest : {0.0, 0.5, 5.0, 50.0, 1e6}) {
    for (const double about : {1e-9, 1e-3, 0.1, 1.0, 30.0}) {
      const double width = (nearest + about) - nearest;
      const double whole = normal_integral(nearest, nearest + width, nearest);
      const double cut = nearest + width / 3;
      const double parts =
          normal_integral(nearest, cut, nearest) + normal_integral(cut, nearest + width, nearest);
      EXPECT_GT(whole, 0);
      EXPECT_LE(whole, width * (1 + 1e-12));
      EXPECT_NEAR(parts / whole, 1, 1e-12) << nearest << " " << width;
      EXPECT_EQ(normal_integral(-nearest - width, -nearest, nearest), whole);
    }
  }
}

TEST(Normal, IntegralAcrossTheMiddleIsTheSumOfBothSides) {
  EXPECT_NEAR(normal_integral(-kInfinity, kInfinity, 0), 2.5066282746310002, 1e-15);
  EXPECT_NEAR(normal_integral(-1e-8, 2e-8, 0), 3e-8, 1e-23);
}

}  // namespace
}  // namespace poise::chance
