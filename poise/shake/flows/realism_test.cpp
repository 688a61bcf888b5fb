#include "poise/shake/flows/realism.h"

#include <cmath>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/shake/flows/flows_test.h"

namespace poise::shake {
namespace {

using namespace stand_ins;

TEST(Realism, ComparesDistributions) {
  EXPECT_EQ(kolmogorov_smirnov({1, 2, 3}, {1, 2, 3}), 0);
  EXPECT_EQ(kolmogorov_smirnov({1, 1}, {2, 2}), 1);
  EXPECT_EQ(kolmogorov_smirnov({1, 2}, {2, 3}), 0.5);
  EXPECT_NEAR(kolmogorov_smirnov({1, 2, 3, 4}, {2, 2}), 0.5, 1e-12);
}

TEST(Realism, IsOneForTheRecordingItself) {
  const Grid grid = web_grid();
  const ContextSpace space(grid);
  Random random(1);
  const Flow flow = any_flow(grid, 60, random);
  const Reference reference(space, recording_of(grid, flow));
  const Realism realism = reference.realism_of(grid, flow);
  EXPECT_EQ(realism.value, 1);
  EXPECT_EQ(realism.properties, (std::vector<double>{0, 0, 0}));
}

TEST(Realism, IsSmallForAConstantFlow) {
  const Grid grid = web_grid();
  const ContextSpace space(grid);
  Random random(2);
  const Reference reference(space, recording_of(grid, any_flow(grid, 600, random)));
  for (int i = 0; i < 50; ++i) {
    const Flow flow(60, any_instance(grid, random));
    EXPECT_LE(reference.realism_of(grid, flow).value, 0.5);
  }
}

TEST(Realism, AcceptsSamplesOfTheRecording) {
  // Of one property with many values: 95 % of 60-long samples are within 1.36 / sqrt(60).
  const Grid grid = line_grid(10001);
  const ContextSpace space(grid);
  Random random(3);
  const Reference reference(space, recording_of(grid, any_flow(grid, 100'000, random)));
  int within = 0;
  constexpr int kSamples = 1000;
  for (int i = 0; i < kSamples; ++i) {
    const Realism realism = reference.realism_of(grid, any_flow(grid, 60, random));
    if (realism.properties[0] <= 1.36 / std::sqrt(60.0)) ++within;
  }
  EXPECT_GE(within, kSamples * 93 / 100);
  EXPECT_LE(within, kSamples * 98 / 100);
}

TEST(Realism, TakesMissingValuesForAValue) {
  Grid grid;
  grid.properties = {boolean("on"), number("speed", 0, 10, {0, 5, 10})};
  grid.properties[1].guard = 0;
  const ContextSpace space(grid);
  const double none = std::numeric_limits<double>::quiet_NaN();
  const Reference reference(space, {{0, none}, {1, 5}, {0, none}, {1, 5}});
  const Realism realism = reference.realism_of({{0, none}, {0, none}});
  EXPECT_EQ(realism.properties[1], 0.5);
  EXPECT_EQ(realism.steps, 1);
  EXPECT_EQ(realism.value, 0);
}

TEST(Realism, GivesThresholdsOfTheRecording) {
  const Grid grid = line_grid();
  const ContextSpace space(grid);
  Flow flow;
  for (int i = 0; i < 100; ++i) flow.push_back({static_cast<Index>(i / 20 % 2 == 0 ? i % 2 : 80)});
  for (int i = 0; i < 10; ++i) flow.push_back({static_cast<Index>(i % 2 * 90)});
  const Reference reference(space, recording_of(grid, flow));
  const auto thresholds = reference.thresholds();
  ASSERT_TRUE(thresholds);
  EXPECT_GT(thresholds->violent, 0.5);
  EXPECT_LT(thresholds->smooth, 0.02);
}

}  // namespace
}  // namespace poise::shake
