#include "poise/verify/mission/mission.h"

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/verify/verify.h"
#include "tests/support/car_models.h"

namespace poise::verify {
namespace {

using tests::model_of;

Report flown(const std::string& text, std::size_t decisions) {
  return run(model_of(text), {.limits = {}, .odds = false, .mission = decisions});
}

std::string walker(const std::string& guard, const std::string& more = "") {
  return fmt::format(R"(
    sense x : real 0..100 error -6..6 uniform
    sense y : real 0..100 error -6..6 uniform
    sense on : bool
    var u : real = 10 error -5..5 uniform
    action walk: x' == x - u {}
    failure f: x <= 0 after walk
    state A initial
    rule r: A -> A when {} do walk
  )",
                     more, guard);
}

void expect_within(const Report& report, double truth, double ratio = 1.1) {
  ASSERT_TRUE(report.mission && report.mission->failure);
  const Within& bounds = *report.mission->failure;
  EXPECT_LE(bounds.low, truth * (1 + 1e-6));
  EXPECT_GE(bounds.high, truth * (1 - 1e-6));
  EXPECT_LE(bounds.high, ratio * truth);
  EXPECT_TRUE(bounds.complete);
}

// P(sensed as 20.9 or more) = (x - 14.9) / 12, P(a step is too long) = (15 - x) / 10.
TEST(Mission, OfOneDecisionIsTheClosedForm) {
  expect_within(flown(walker("x >= 20.9"), 1), 0.1 * 0.1 / 4 / 120);
  expect_within(flown(walker("x >= 20"), 1), 1.0 / 4 / 120);
}

// Where nothing is sensed to be far enough, nothing happens, and the next decision senses anew.
TEST(Mission, CountsDecisionsAtWhichNothingFires) {
  // From 14.95 it goes on like this as long as it does not fire; when it fires it fails, or it is
  // too near for ever.
  const double fires = 0.05 / 12;
  const double truth = 0.05 / 10 * (1 - std::pow(1 - fires, 3));
  const Report report = flown(walker("x >= 20.9"), 3);
  ASSERT_TRUE(report.mission && report.mission->failure);
  EXPECT_GE(report.mission->failure->high, truth);
  EXPECT_LE(report.mission->failure->low, truth * 1.001);
  EXPECT_GE(report.mission->failure->low, truth * 0.9);
}

TEST(Mission, IsNotTouchedByNumbersThatDecideNothing) {
  const Within alone = *flown(walker("x >= 15"), 4).mission->failure;
  const Within with_y = *flown(walker("x >= 15", "and y' == y + u"), 4).mission->failure;
  EXPECT_EQ(alone.low, with_y.low);
  EXPECT_EQ(alone.high, with_y.high);
}

// A second number that may be whatever is worst, and a switch, change nothing about what is worst.
TEST(Mission, LetsTheSurroundingsChoose) {
  const Within alone = *flown(walker("x >= 15"), 3).mission->failure;
  for (const char* guard : {"x >= 15 and y >= 50", "x >= 15 and on"}) {
    const Within other = *flown(walker(guard), 3).mission->failure;
    EXPECT_LE(other.low, alone.high * (1 + 1e-6)) << guard;
    EXPECT_GE(other.high, alone.low * (1 - 1e-6)) << guard;
    EXPECT_LE(other.high - other.low, 0.05) << guard;
  }
}

TEST(Mission, OfASafeModelIsNothing) {
  const Report report = flown(walker("x > 21"), 10);
  EXPECT_EQ(report.verdict, Verdict::Safe);
  EXPECT_EQ(report.mission->failure->low, 0);
  EXPECT_EQ(report.mission->failure->high, 0);
}

TEST(Mission, OfNoDecisionsIsNothing) {
  const Report report = flown(walker("x >= 15"), 0);
  EXPECT_EQ(report.mission->failure->high, 0);
}

// Without errors a run is determined, and single values decide.
TEST(Mission, KnowsSingleValues) {
  const auto gone = [](const char* limit) {
    return fmt::format(R"(
      sense far : real 0..1000
      start far == 0
      action go: far' == far + 10
      failure gone: far > {} after go
      state A initial
      rule on: A -> A when far < 30 do go
    )",
                       limit);
  };
  const Report fails = flown(gone("29"), 3);
  EXPECT_GE(fails.mission->failure->low, 1 - 1e-6);
  EXPECT_EQ(flown(gone("29"), 2).mission->failure->high, 0);
}

TEST(Mission, IsOfEachHazardByItself) {
  const Report report = flown(R"(
    sense x : real 0..100
    var u : real = 10 error -5..5 uniform
    action left: x' == x - u
    action right: x' == x + u
    failure low: x <= 0 after left
    failure high: x >= 100 after right
    state A initial
    rule a: A -> A when x < 50 do left
    rule b: A -> A when x > 90 do right
  )",
                              1);
  ASSERT_EQ(report.hazards.size(), 2U);
  for (const Hazard& hazard : report.hazards) {
    ASSERT_TRUE(hazard.mission);
    EXPECT_GE(hazard.mission->low, 1 - 1e-6);
  }
}

TEST(Mission, SaysWhyItIsNotKnown) {
  const Report report = flown(walker("x >= y"), 2);
  EXPECT_FALSE(report.mission->failure);
  EXPECT_NE(report.mission->reason, "");
}

}  // namespace
}  // namespace poise::verify
