#include "poise/verify/simulate/simulate.h"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/chance/law.h"
#include "poise/lang/lang.h"
#include "poise/verify/verify.h"

namespace poise::verify {
namespace {

model::Model model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value())
      << (parsed.diagnostics.empty() ? "" : parsed.diagnostics.front().message);
  return std::move(*parsed.model);
}

struct Seen {
  Report report;
  Simulation simulation;
};

Seen seen(const std::string& text, std::uint64_t runs, std::size_t bound = 1,
          Mode mode = Mode::Actual) {
  const model::Model model = model_of(text);
  Seen made{.report = run(model, {.mode = mode, .bound = bound, .paths = 100}), .simulation = {}};
  made.simulation = *simulate(model, made.report, {.runs = runs, .bound = bound, .seed = 42});
  return made;
}

// Intervals of 99 % would miss once in a hundred times; with this the seed never matters.
void expect_near(const Observed& observed, double probability) {
  const double width = observed.high - observed.low;
  EXPECT_GE(probability, observed.low - width / 2);
  EXPECT_LE(probability, observed.high + width / 2);
}

// A car before a wall that is so far away.
std::string car(double distance, const std::string& sensing, const std::string& moving) {
  return fmt::format(R"(
    sense front : real 0..400 error {}
    var unit : real = 10 error {}
    start front == {}
    action walk: front' == front - unit
    failure bump: front <= 0 after walk
    state A initial
    rule go: A -> A when front >= 10 do walk
  )",
                     sensing, moving, distance);
}

TEST(Simulate, SeesAPathAsOftenAsItsProbabilitySays) {
  struct Laws {
    std::string sensing;
    std::string moving;
    chance::Law error;
    chance::Law moved;
  };
  for (const Laws& laws :
       {Laws{"-6..6 gauss 2", "-5..5 gauss 2.5", chance::Law::gauss(-6, 6, 2),
             chance::Law::gauss(-5, 5, 2.5)},
        Laws{"-6..6 uniform", "-5..5 triangle", chance::Law::uniform(-6, 6),
             chance::Law::triangle(-5, 5)},
        Laws{"-3..6 table 1 2 3", "-2..5 uniform", chance::Law::table(-3, 6, {1, 2, 3}),
             chance::Law::uniform(-2, 5)}}) {
    for (const double distance : {8.5, 10.0, 12.0, 14.0}) {
      const Seen all = seen(car(distance, laws.sensing, laws.moving), 20'000);
      ASSERT_EQ(all.simulation.replays.size(), 1U) << distance;
      const double expected =
          laws.error.mass(10 - distance, 100) * laws.moved.mass(distance - 10, 100);
      expect_near(all.simulation.replays.front(), expected);
      // One step, one start: random runs are the same.
      ASSERT_EQ(all.simulation.hits.size(), 1U);
      EXPECT_EQ(all.simulation.hits.front().runs, all.simulation.failed);
      EXPECT_NEAR(static_cast<double>(all.simulation.failed) / 20'000, expected, 0.02);
      EXPECT_EQ(all.simulation.stuck, 0U);
    }
  }
}

TEST(Simulate, ReadsAnewAtEachStepAndCountsOnlyThePath) {
  // Two steps of a known length: only what is sensed is left to chance.
  const Seen all = seen(R"(
    sense front : real 0..400 error -5..5 uniform
    var unit : real = 10
    start front == 18
    action walk: front' == front - unit
    failure bump: front <= 0 after walk
    state A initial
    rule go: A -> A priority 1 when front >= 10 do walk
    rule stay: A -> A priority 2 when true
  )",
                        20'000, 3);
  // 18 always looks far enough, 8 with (5 + 8 - 10) / 10.
  ASSERT_EQ(all.simulation.replays.size(), 2U);
  ASSERT_EQ(all.report.counterexamples[0].path.size(), 2U);
  ASSERT_EQ(all.report.counterexamples[1].path.size(), 3U);
  expect_near(all.simulation.replays[0], 0.3);
  expect_near(all.simulation.replays[1], 0.7 * 0.3);
}

// From 5 a third of the steps fails, a third leads to 4, which cannot happen, and a third stays.
TEST(Simulate, EndsARunThatLeadsOutOfAConstraint) {
  const Seen all = seen(R"(
    sense x : int 0..9
    var unit : int = 1 error -1..1 uniform
    start x == 5
    constraint x >= 5
    action walk: x' == x - unit
    failure low: x <= 3 after walk
    state A initial
    rule go: A -> A when true do walk
  )",
                        20'000, 2);
  ASSERT_EQ(all.simulation.replays.size(), 2U);
  expect_near(all.simulation.replays[0], 1.0 / 3);
  expect_near(all.simulation.replays[1], 1.0 / 9);
  EXPECT_NEAR(static_cast<double>(all.simulation.failed) / 20'000, 4.0 / 9, 0.02);
  EXPECT_NEAR(static_cast<double>(all.simulation.stuck) / 20'000, 1.0 / 3, 0.02);
}

TEST(Simulate, LetsTheRuleOfThePathFireWhereSeveralAreTriggered) {
  const Seen all = seen(R"(
    sense front : real 0..400 error -5..5 uniform
    start front == 10
    action crash: front' == 0
    failure bump: front <= 0 after crash
    state A initial
    rule one: A -> A when front >= 10 do crash
    rule other: A -> A when true
  )",
                        20'000);
  ASSERT_EQ(all.simulation.replays.size(), 1U);
  expect_near(all.simulation.replays.front(), 0.5);
  EXPECT_NEAR(static_cast<double>(all.simulation.failed) / 20'000, 0.25, 0.02);
}

TEST(Simulate, TakesTheEnvironmentOfTheCounterexample) {
  // Without errors a counterexample happens each time, whatever the world has to choose.
  const std::string text = R"(
    sense on : bool
    sense left : real 0..100
    sense level : int 0..9 if on
    sense mode : {slow, fast, odd}
    action look: left' <= left + 10 and left' >= left - 10 and
                 (mode == odd implies mode' == fast or mode' == slow)
    action jump: mode' == mode and (left' == left - 50 or left' == left + 50)
    failure gone: left < 0 after jump, left > 100 after jump
    state A initial
    state B, C
    rule switch_on: A -> B when not on and mode == odd and left >= 45 and left <= 55 do on := true
    rule look: B -> C when on and level == 7 do look
    rule jump: C -> A when mode == slow do jump
  )";
  for (const Mode mode : {Mode::Ideal, Mode::Actual, Mode::Naive, Mode::AsPrinted}) {
    const Seen all = seen(text, 50, 4, mode);
    if (mode != Mode::Naive) {
      ASSERT_FALSE(all.simulation.replays.empty());
    }
    for (const Observed& observed : all.simulation.replays) EXPECT_EQ(observed.hits, 50U);
  }
}

TEST(Simulate, CountsHitsAndFailuresOfEachActionApart) {
  const Seen all = seen(R"(
    sense x : real 0..1
    sense y : real 0..1
    action move: true
    action rest: x' == x and y' == y
    failure low: x <= 0.25 after move
    failure high: y >= 0.5 after move, x > 0.5 after rest
    state A initial
    rule go: A -> A when true do move, rest
  )",
                        20'000);
  // Of those that go on after `move`, with y < 0.5, two thirds have x > 0.5.
  ASSERT_EQ(all.simulation.hits.size(), 3U);
  const auto share = [&](std::size_t i) {
    return static_cast<double>(all.simulation.hits[i].runs) / 20'000;
  };
  EXPECT_NEAR(share(0), 0.25, 0.02);
  EXPECT_NEAR(share(1), 0.5, 0.02);
  EXPECT_NEAR(share(2), 0.25, 0.02);
  EXPECT_NEAR(static_cast<double>(all.simulation.failed) / 20'000, 0.875, 0.02);
}

// A lift that reads floors wrongly, and goes wrongly.
std::string lift(const std::string& sensing, const std::string& moving, const std::string& guard) {
  return fmt::format(R"(
    sense floor : int 0..30 error {}
    sense other : int 0..30 error -1..2 triangle
    var unit : int = 3 error {}
    start floor == 5 and other == 4
    action down: floor' == floor - unit and other' == other
    failure below: floor <= 0 after down
    state A initial
    rule go: A -> A when {} do down
  )",
                     sensing, moving, guard);
}

TEST(Simulate, DrawsErrorsOfWholeNumbersAsTheyArePredicted) {
  const Seen third = seen(lift("-1..1 uniform", "2..2", "floor == 6"), 20'000);
  ASSERT_EQ(third.simulation.replays.size(), 1U);
  expect_near(third.simulation.replays.front(), 1.0 / 3);
  for (const std::string sensing :
       {"-1..1", "-2..1 gauss 1", "0..3 triangle", "-1..1 table 1 4 2"}) {
    for (const std::string moving :
         {"-1..2", "-3..3 gauss 1.5", "-2..3 triangle", "0..2 table 3 1"}) {
      for (const std::string guard : {"floor > 5", "floor - other == 1", "floor + other < 11"}) {
        const Seen all = seen(lift(sensing, moving, guard), 10'000);
        ASSERT_EQ(all.simulation.replays.size(), 1U) << sensing << moving << guard;
        ASSERT_TRUE(all.report.counterexamples.front().probability.has_value());
        expect_near(all.simulation.replays.front(),
                    all.report.counterexamples.front().probability->value);
      }
    }
  }
}

TEST(Simulate, SaysWhereNoValuesAreFound) {
  const Seen all = seen(R"(
    sense x : real 0..10
    action up: x' == x + 1 and x' <= 10
    failure never: x < 0 after up
    state A initial
    rule go: A -> A when x >= 5 do up
  )",
                        2'000);
  EXPECT_EQ(all.simulation.failed, 0U);
  EXPECT_NEAR(static_cast<double>(all.simulation.stuck), 200, 60);
}

TEST(Simulate, GivesTheSameForTheSameSeed) {
  const model::Model model = model_of(car(12, "-6..6 gauss 2", "-5..5 gauss 2.5"));
  const Report report = run(model, {.bound = 2});
  const auto hits = [&](std::uint64_t seed) {
    const Simulation made = *simulate(model, report, {.runs = 500, .bound = 5, .seed = seed});
    std::vector<std::uint64_t> all = {made.failed};
    for (const Observed& observed : made.replays) all.push_back(observed.hits);
    return all;
  };
  EXPECT_EQ(hits(1), hits(1));
  EXPECT_NE(hits(1), hits(2));
}

TEST(Simulate, KnowsNothingWithoutRuns) {
  const Seen all = seen(car(12, "-6..6 gauss 2", "-5..5 gauss 2.5"), 0);
  ASSERT_EQ(all.simulation.replays.size(), 1U);
  EXPECT_EQ(all.simulation.replays.front().hits, 0U);
  EXPECT_EQ(all.simulation.replays.front().low, 0);
  EXPECT_EQ(all.simulation.replays.front().high, 1);
  EXPECT_EQ(all.simulation.failed, 0U);
}

}  // namespace
}  // namespace poise::verify
