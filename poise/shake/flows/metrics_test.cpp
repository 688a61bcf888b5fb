#include "poise/shake/flows/metrics.h"

#include <cmath>
#include <string_view>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/shake/flows/flows_test.h"

namespace poise::shake {
namespace {

using namespace stand_ins;

std::vector<StepKind> kinds(std::string_view text) {
  std::vector<StepKind> kinds;
  for (const char letter : text) {
    kinds.push_back(letter == 'S'   ? StepKind::Smooth
                    : letter == 'V' ? StepKind::Violent
                                    : StepKind::Moderate);
  }
  return kinds;
}

// On line_grid(101): indices are hundredths.
Flow along(const std::vector<int>& hundredths) {
  Flow flow;
  for (const int at : hundredths) flow.push_back({static_cast<Index>(at)});
  return flow;
}

const double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Metrics, GivesTheDistancesOfTheWebContext) {
  const ContextSpace space(web_grid());
  const auto distance = [&](std::vector<double> a, std::vector<double> b) {
    return space.distance_of(a, b);
  };
  EXPECT_DOUBLE_EQ(distance({1, 1, 0}, {1000, 1000, 1}), 1);
  EXPECT_NEAR(distance({1, 1, 0}, {1, 1, 1}), 0.577350, 5e-7);
  EXPECT_NEAR(distance({10, 5, 0}, {1000, 300, 0}), 0.597010, 5e-7);
  EXPECT_EQ(space.kind_of(distance({10, 5, 0}, {1000, 300, 0})), StepKind::Violent);
}

TEST(Metrics, IsAMetric) {
  Grid grid = web_grid();
  grid.properties[0].weight = 3;
  grid.properties.push_back({.name = "mode",
                             .kind = Property::Kind::Label,
                             .values = {0, 1, 2},
                             .texts = {"a", "b", "c"}});
  grid.properties.push_back(boolean("on"));
  const ContextSpace space(grid);
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Instance a = any_instance(grid, random);
    const Instance b = any_instance(grid, random);
    const Instance c = any_instance(grid, random);
    EXPECT_EQ(space.distance(a, a), 0);
    EXPECT_EQ(space.distance(a, b) == 0, a == b);
    EXPECT_DOUBLE_EQ(space.distance(a, b), space.distance(b, a));
    EXPECT_LE(space.distance(a, c), space.distance(a, b) + space.distance(b, c) + 1e-12);
    EXPECT_LE(space.distance(a, b), 1 + 1e-12);
    EXPECT_NEAR(space.distance(a, b), space.distance_of(values_of(grid, a), values_of(grid, b)),
                1e-12);
  }
}

TEST(Metrics, DoesNotDependOnUnits) {
  const Grid celsius = web_grid();
  Grid other = celsius;
  Property& density = other.properties[0];
  density.low = density.low * 1.8 + 32;
  density.high = density.high * 1.8 + 32;
  for (double& value : density.values) value = value * 1.8 + 32;
  other.constraints.clear();
  const ContextSpace a(celsius);
  const ContextSpace b(other);
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Flow flow = any_flow(celsius, 20, random);
    EXPECT_NEAR(a.distance(flow[0], flow[1]), b.distance(flow[0], flow[1]), 1e-12);
    EXPECT_EQ(shape_of(a, flow), shape_of(b, flow));
  }
}

TEST(Metrics, MeasuresRatiosOnLogScales) {
  Grid grid = web_grid(4, true);  // 1, 10, 100, 1000
  const ContextSpace space(grid);
  EXPECT_NEAR(space.difference(0, 0, 1), 1.0 / 3, 1e-12);
  EXPECT_NEAR(space.difference(0, 2, 3), 1.0 / 3, 1e-12);
}

TEST(Metrics, TakesLabelsAndMissingValuesForEqualOrNot) {
  Grid grid;
  grid.properties = {boolean("on"),
                     number("speed", 0, 10, {0, 5, 10}),
                     {.name = "mode", .kind = Property::Kind::Label, .values = {0, 1, 2}}};
  grid.properties[1].guard = 0;
  const ContextSpace space(grid);
  EXPECT_EQ(space.difference(1, kNoValue, 1), 1);
  EXPECT_EQ(space.difference(1, kNoValue, kNoValue), 0);
  EXPECT_EQ(space.difference(1, 0, 1), 0.5);
  EXPECT_EQ(space.difference(2, 0, 2), 1);
  EXPECT_EQ(space.difference_of(1, kNan, 5), 1);
  EXPECT_EQ(space.difference_of(1, kNan, kNan), 0);
  EXPECT_NEAR(space.distance(Instance{0, kNoValue, 0}, Instance{1, 0, 0}), std::sqrt(2.0 / 3),
              1e-12);
}

TEST(Metrics, WeighsProperties) {
  Grid grid;
  grid.properties = {number("a", 0, 1, {0, 1}), number("b", 0, 1, {0, 1})};
  grid.properties[1].weight = 3;
  const ContextSpace space(grid);
  EXPECT_DOUBLE_EQ(space.distance(Instance{0, 0}, Instance{1, 0}), 0.5);
  EXPECT_DOUBLE_EQ(space.distance(Instance{0, 0}, Instance{0, 1}), std::sqrt(0.75));
}

TEST(Metrics, ClassesStepsAtTheirThresholds) {
  const ContextSpace space(line_grid());
  EXPECT_EQ(space.kind_of(space.distance(Instance{20}, Instance{30})), StepKind::Smooth);
  EXPECT_EQ(space.kind_of(space.distance(Instance{20}, Instance{31})), StepKind::Moderate);
  EXPECT_EQ(space.kind_of(space.distance(Instance{20}, Instance{69})), StepKind::Moderate);
  EXPECT_EQ(space.kind_of(space.distance(Instance{20}, Instance{70})), StepKind::Violent);
  EXPECT_FALSE(are_sound({.violent = 0.5, .smooth = 0.25}));
  EXPECT_TRUE(are_sound({.violent = 0.5, .smooth = 0.2}));
}

TEST(Metrics, TakesThresholdsFromARecording) {
  std::vector<double> lengths(100, 0.01);
  for (std::size_t i = 0; i < 10; ++i) lengths[i] = 0.7;
  const std::optional<Thresholds> thresholds = thresholds_of(lengths);
  ASSERT_TRUE(thresholds);
  EXPECT_EQ(thresholds->violent, 0.7);
  EXPECT_EQ(thresholds->smooth, 0.01);
  EXPECT_FALSE(thresholds_of(std::vector<double>(100, 0.3)));
  EXPECT_FALSE(thresholds_of({}));
}

TEST(Metrics, CountsChangesOfLabels) {
  EXPECT_EQ(earthquake_profiles(kinds("SSVV")), 1U);
  EXPECT_EQ(earthquake_profiles(kinds("SVSVS")), 4U);
  EXPECT_EQ(earthquake_profiles(kinds("SSSS")), 0U);
  EXPECT_EQ(earthquake_profiles(kinds("VVVV")), 0U);
  EXPECT_EQ(earthquake_profiles(kinds("SMMV")), 1U);
  EXPECT_EQ(earthquake_profiles(kinds("SMMMMMMMMMV")), 0U);
  EXPECT_EQ(earthquake_profiles(kinds("SMMMMMMMV")), 1U);
  EXPECT_EQ(earthquake_profiles(kinds("")), 0U);
  const ContextSpace space(line_grid());
  EXPECT_TRUE(is_earthquake(space, along({0, 1, 90})));
  EXPECT_FALSE(is_earthquake(space, along({0, 30, 60})));
}

TEST(Metrics, KeepsProfilesWhenAFlowIsReversed) {
  const Grid grid = web_grid();
  const ContextSpace space(grid);
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    Flow flow = any_flow(grid, 30, random);
    const std::size_t profiles = earthquake_profiles(space, flow);
    EXPECT_LE(profiles, flow.size() - 2);
    std::ranges::reverse(flow);
    EXPECT_EQ(earthquake_profiles(space, flow), profiles);
  }
}

TEST(Metrics, CountsTurnsOfTheDistanceToTheOrigin) {
  const ContextSpace space(line_grid());
  EXPECT_EQ(oscillation(space, along({50, 50, 50, 50})), 0);
  EXPECT_EQ(oscillation(space, along({10, 20, 10, 20, 10})), 1);
  EXPECT_EQ(oscillation(space, along({10, 20, 20, 30, 40})), 0);
  EXPECT_EQ(oscillation(space, along({10, 20, 20, 10})), 0.5);
  EXPECT_EQ(oscillation(space, along({10, 20})), 0);
}

TEST(Metrics, FindsTwoThirdsOfTurnsInRandomFlows) {
  const Grid grid = line_grid(60001);
  const ContextSpace space(grid);
  Random random(4);
  double sum = 0;
  for (int i = 0; i < 500; ++i) sum += oscillation(space, any_flow(grid, 60, random));
  EXPECT_NEAR(sum / 500, 2.0 / 3, 0.01);
}

TEST(Metrics, MeasuresDwell) {
  const ContextSpace space(line_grid());
  EXPECT_EQ(longest_dwell(space, along({5, 5, 5, 5})), 4U);
  EXPECT_EQ(longest_dwell(space, along({5, 6, 5, 6})), 1U);
  EXPECT_EQ(longest_dwell(space, {}), 0U);
  EXPECT_EQ(dwells(space, along({5, 5, 9, 9, 9, 5})), (std::vector<std::size_t>{2, 3, 1}));
  const ContextSpace loose(line_grid(), {.still = 0.02});
  EXPECT_EQ(longest_dwell(loose, along({5, 6, 7, 50})), 3U);
}

// The paper's figure 4.
TEST(Metrics, TellsTheShapesOfTheFigure) {
  using Trend = FlowShape::Trend;
  using Share = FlowShape::Share;
  const ContextSpace space(line_grid());
  std::vector<int> left;
  std::vector<int> centre;
  std::vector<int> right;
  for (int i = 0; i < 60; ++i) {
    const int side = i % 2 == 0 ? 1 : -1;
    left.push_back(10 + i + 4 * side);
    centre.push_back(50 + 5 * side);
    right.push_back(50 + side * (3 + 45 * i / 60));
  }
  EXPECT_EQ(shape_of(space, along(left)),
            (FlowShape{Trend::Up, Trend::Flat, Share::Few, Share::Few}));
  EXPECT_EQ(shape_of(space, along(centre)),
            (FlowShape{Trend::Flat, Trend::Flat, Share::Few, Share::Few}));
  EXPECT_EQ(shape_of(space, along(right)),
            (FlowShape{Trend::Flat, Trend::Up, Share::Some, Share::Few}));
  EXPECT_EQ(shape_of(space, along(std::vector<int>(60, 7))),
            (FlowShape{Trend::Flat, Trend::Flat, Share::Few, Share::Most}));
}

TEST(Metrics, HasAsManyShapesAsCells) {
  for (std::size_t i = 0; i < kShapeCells; ++i) {
    const auto digit = [&](std::size_t by) { return static_cast<std::uint8_t>(i / by % 3); };
    const FlowShape shape{FlowShape::Trend{digit(27)}, FlowShape::Trend{digit(9)},
                          FlowShape::Share{digit(3)}, FlowShape::Share{digit(1)}};
    EXPECT_EQ(shape.cell(), i);
  }
}

TEST(Metrics, NeverLosesShapesWhenAFlowIsAdded) {
  const Grid grid = web_grid();
  const ContextSpace space(grid);
  Random random(5);
  std::vector<Flow> flows;
  std::size_t before = 0;
  for (int i = 0; i < 50; ++i) {
    flows.push_back(any_flow(grid, 5 + random.below(20), random));
    const std::size_t now = shape_cells(space, flows).count();
    EXPECT_GE(now, before);
    before = now;
  }
}

}  // namespace
}  // namespace poise::shake
