#include "poise/report/svg/log_axis.h"

#include <gtest/gtest.h>

namespace poise::report {
namespace {

std::string labels(const LogAxis& axis) {
  std::string text;
  for (const LogTick& tick : ticks_of(axis)) {
    if (!tick.label.empty()) text += (text.empty() ? "" : " ") + tick.label;
  }
  return text;
}

TEST(LogAxis, GoesFromOnePowerOfTenToAnother) {
  EXPECT_EQ(labels(log_axis({3e-8, 0.4})), "1e-8 1e-6 1e-4 1e-2 1");
  EXPECT_EQ(labels(log_axis({0.004, 0.02})), "1e-3 1e-2 1e-1");
  EXPECT_EQ(labels(log_axis({0.002, 0.003})), "1e-3 1e-2");
}

TEST(LogAxis, HasLabelsAtBothEnds) {
  EXPECT_EQ(labels(log_axis({3e-9, 0.4})), "1e-10 1e-8 1e-6 1e-4 1e-2 1");
  EXPECT_EQ(labels(log_axis({3e-17, 0.4})), "1e-18 1e-15 1e-12 1e-9 1e-6 1e-3 1");
  EXPECT_EQ(labels(log_axis({3e-9, 0.04})), "1e-10 1e-8 1e-6 1e-4 1e-2 1");
}

TEST(LogAxis, TakesARoundValueForAnEnd) {
  EXPECT_EQ(labels(log_axis({1e-3, 1})), "1e-3 1e-2 1e-1 1");
  EXPECT_EQ(labels(log_axis({1})), "1e-1 1");
  EXPECT_EQ(labels(log_axis({0.1 * 0.1 * 0.1, 0.1})), "1e-3 1e-2 1e-1");
}

TEST(LogAxis, LeavesOutWhatHasNoLogarithm) {
  EXPECT_EQ(labels(log_axis({0, 0.05, 0.5})), "1e-2 1e-1 1");
  EXPECT_EQ(labels(log_axis({0})), "1e-3 1e-2 1e-1 1");
  EXPECT_EQ(labels(log_axis({})), "1e-3 1e-2 1e-1 1");
}

TEST(LogAxis, HasAtMostSevenLabelsAtRoundPowers) {
  for (int from = -18; from < 0; ++from) {
    const std::vector<LogTick> ticks = ticks_of({from, 0});
    EXPECT_EQ(ticks.size(), static_cast<std::size_t>(1 - from));
    int count = 0;
    for (const LogTick& tick : ticks) count += tick.label.empty() ? 0 : 1;
    EXPECT_LE(count, 7);
    EXPECT_GE(count, 2);
    EXPECT_EQ(ticks.back().label, "1");
  }
  EXPECT_EQ(labels({-15, 0}), "1e-15 1e-12 1e-9 1e-6 1e-3 1");
}

TEST(LogAxis, IsNeverTooLong) {
  const LogAxis axis = log_axis({1e-200, 0.5});
  EXPECT_EQ(axis.from, -kMostDecades);
  EXPECT_EQ(place_on(axis, 1e-200), 0);
}

TEST(LogAxis, PutsEqualRatiosEquallyFarApart) {
  const LogAxis axis{-4, 0};
  EXPECT_DOUBLE_EQ(place_on(axis, 1e-4), 0);
  EXPECT_DOUBLE_EQ(place_on(axis, 1e-3), 0.25);
  EXPECT_DOUBLE_EQ(place_on(axis, 0.1), 0.75);
  EXPECT_DOUBLE_EQ(place_on(axis, 1), 1);
  EXPECT_DOUBLE_EQ(place_on(axis, 0), 0);
  EXPECT_DOUBLE_EQ(place_on(axis, 1e-9), 0);
}

}  // namespace
}  // namespace poise::report
