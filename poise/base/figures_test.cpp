#include "poise/base/figures.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "poise/base/random.h"

namespace poise {
namespace {

TEST(Figures, AreRoundedToTheSideThatHolds) {
  EXPECT_EQ(figure_up(2.08333e-5, 3), "2.09e-05");
  EXPECT_EQ(figure_down(2.08999e-5, 3), "2.08e-05");
  EXPECT_EQ(figure_up(0.9999, 3), "1");
  EXPECT_EQ(figure_down(0.25, 3), "0.25");
  EXPECT_EQ(figure_up(0.25, 3), "0.25");
  EXPECT_EQ(figure_up(0, 3), "0");
}

TEST(Figures, AreNeverOnTheOtherSide) {
  Random random(3);
  double value = 1;
  for (int i = 0; i < 20'000; ++i) {
    value *= 0.97 - static_cast<double>(random.below(1000)) / 1e6;
    EXPECT_GE(std::strtod(figure_up(value, 4).c_str(), nullptr), value);
    EXPECT_LE(std::strtod(figure_up(value, 4).c_str(), nullptr), value * 1.001 + 1e-320);
    EXPECT_LE(std::strtod(figure_down(value, 4).c_str(), nullptr), value);
  }
}

}  // namespace
}  // namespace poise
