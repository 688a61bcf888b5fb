#include "poise/verify/verify.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/figures.h"
#include "tests/support/car_models.h"

namespace poise::verify {
namespace {

using tests::kCarWorld;
using tests::kFourRules;
using tests::model_of;

// The car of the paper, as far as it is printed: state A with its rules.
constexpr const char* kOneRule = R"(
  state A initial
  rule r0: A -> A when disF >= 20 do walkF
)";
class Engines : public testing::TestWithParam<Engine> {
 protected:
  static Report bounded(const std::string& text, std::size_t bound, Mode mode) {
    return run(model_of(text),
               {.mode = mode, .engine = GetParam(), .bound = bound, .paths = 1000, .limits = {}});
  }
  static Verdict first_step(const std::string& more, Mode mode) {
    return bounded(std::string(kCarWorld) + more + kOneRule, 1, mode).verdict;
  }
};

// The path A r0 A, with the answers that the paper prints for each mode.
TEST_P(Engines, GiveThePapersAnswersForItsFirstPath) {
  EXPECT_EQ(first_step("", Mode::Naive), Verdict::Unsafe);
  EXPECT_EQ(first_step("", Mode::Ideal), Verdict::Safe);
  EXPECT_EQ(first_step("", Mode::Actual), Verdict::Unsafe);
  EXPECT_EQ(first_step("", Mode::AsPrinted), Verdict::Unsafe);
}

TEST_P(Engines, KnowHowFarAwayTheWallMayBe) {
  const auto from = [](const char* distance, Mode mode) {
    return first_step(fmt::format("start disF == {}\n", distance), mode);
  };
  for (const auto& [distance, actual, printed] :
       {std::tuple("13.9", Verdict::Safe, Verdict::Safe),
        std::tuple("14", Verdict::Unsafe, Verdict::Unsafe),
        std::tuple("15", Verdict::Unsafe, Verdict::Unsafe),
        std::tuple("15.1", Verdict::Safe, Verdict::Unsafe),
        std::tuple("27", Verdict::Safe, Verdict::Unsafe),
        std::tuple("27.1", Verdict::Safe, Verdict::Safe)}) {
    EXPECT_EQ(from(distance, Mode::Actual), actual) << distance;
    EXPECT_EQ(from(distance, Mode::AsPrinted), printed) << distance;
  }
}

// From 5 a third of the steps fails, a third leads to 4 and a third stays. A second step fails with
// (1/3)(1/3) if 4 cannot happen, and with (1/3)(2/3) more if it can.
TEST_P(Engines, FollowARunOnlyWhileTheConstraintsHold) {
  const std::string world = R"(
    sense x : int 0..9
    var unit : int = 1 error -1..1 uniform
    action walk: x' == x - unit
    failure low: x <= 3 after walk
    start x == 5
    state A initial
    rule go: A -> A when true do walk
  )";
  for (const auto& [more, second] :
       {std::pair("", 1.0 / 3), std::pair("constraint x >= 5", 1.0 / 9)}) {
    const Report report = bounded(world + more, 2, Mode::Actual);
    ASSERT_EQ(report.counterexamples.size(), 2U) << more;
    for (const Counterexample& example : report.counterexamples) {
      ASSERT_TRUE(example.probability.has_value()) << more;
      EXPECT_NEAR(example.probability->value, example.path.size() == 1 ? 1.0 / 3 : second,
                  std::max(2 * example.probability->error, 1e-9));
    }
  }
}

TEST_P(Engines, ListEveryPathThatFailsWithValues) {
  const Report report = bounded(std::string(kCarWorld) + kFourRules, 3, Mode::Actual);
  EXPECT_EQ(report.verdict, Verdict::Unsafe);
  EXPECT_TRUE(report.extent.complete);
  // After n times r0 each of the four rules may fail: r3 is not guarded behind.
  EXPECT_EQ(report.counterexamples.size(), 12U);
  EXPECT_EQ(report.hazards.size(), 4U);
  ASSERT_EQ(report.paths.size(), 3U);
  for (const Integer& count : report.paths) EXPECT_EQ(count, Integer(4));
  for (const Counterexample& example : report.counterexamples) {
    EXPECT_EQ(example.path.size(), example.trace.size());
  }
}

// The wall is hit by the second walk rather than by the first; the path fails either way.
TEST_P(Engines, CountAllWaysInWhichAPathFails) {
  const Report report = bounded(std::string(kCarWorld) + R"(
    state A initial
    rule go: A -> A when disF >= 20 do walkF, walkF
  )",
                                1, Mode::Actual);
  ASSERT_EQ(report.hazards.size(), 2U);
  ASSERT_EQ(report.counterexamples.size(), 1U);
  const Counterexample& example = report.counterexamples.front();
  EXPECT_EQ(example.act, 1U);
  EXPECT_EQ(example.trace.back().acts.size(), 2U);
  ASSERT_TRUE(example.probability && report.hazards[0].probability &&
              report.hazards[1].probability);
  const Likelihood& second = *report.hazards[1].probability;
  EXPECT_GE(example.probability->value + example.probability->error, second.value - second.error);
  EXPECT_GT(example.probability->at_most, second.value - second.error);
  EXPECT_LE(example.probability->value,
            report.hazards[0].probability->at_most + report.hazards[1].probability->at_most);
  EXPECT_GT(report.hazards[1].probability->value, report.hazards[0].probability->value);
}

INSTANTIATE_TEST_SUITE_P(Both, Engines, testing::Values(Engine::Zones, Engine::Smt),
                         [](const auto& param) {
                           return param.param == Engine::Zones ? "Zones" : "Smt";
                         });

TEST(Verify, IsSafeForAnyNumberOfStepsWhereTheMarginIsLargeEnough) {
  const std::string rule = R"(
    state A initial
    rule go: A -> A when disF >= {} do walkF
  )";
  const auto verdict = [&](int distance) {
    return run(model_of(std::string(kCarWorld) + fmt::format(fmt::runtime(rule), distance)), {});
  };
  const Report safe = verdict(22);
  EXPECT_EQ(safe.verdict, Verdict::Safe);
  EXPECT_TRUE(safe.invariants_checked);
  ASSERT_EQ(safe.invariants.size(), 1U);
  const Report unsafe = verdict(21);
  EXPECT_EQ(unsafe.verdict, Verdict::Unsafe);
  ASSERT_EQ(unsafe.hazards.size(), 1U);
  EXPECT_EQ(unsafe.hazards.front().first, 1U);
}

// A counter that only grows makes new octagons for ever, so zones diverge; the solver has to be
// asked early.
constexpr std::string_view kCounter = R"(
    sense level : real 0..100 error -1..1
    var steps : int = 0
    action fill: level' == level + 2 and steps' == steps + 1
    action drain: level' == level - 2 and steps' == steps + 1
    failure over: level > 110 after fill
    failure back: steps < 0 after fill
    state A initial
    rule fill: A -> A when level < 90 do fill
    rule drain: A -> A when level >= 90 do drain
  )";

TEST(Verify, AsksASolverSoonWhereValuesDriftAway) {
  const Report report = run(model_of(std::string(kCounter)), {});
  EXPECT_EQ(report.verdict, Verdict::Safe);
  EXPECT_EQ(report.engine, Engine::Smt);
  EXPECT_TRUE(report.invariants_checked);
}

TEST(Verify, ZonesGiveUpWhereThereIsNoEnd) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "20,000 octagons, each compared with all others, take a minute";
#endif
  const Report report = run(model_of(std::string(kCounter)), {.engine = Engine::Zones});
  EXPECT_EQ(report.verdict, Verdict::Unknown);
  EXPECT_EQ(report.reason, "there is no end to the values that come up");
}

// It grows for long, but not without end: zones find the same invariant as ever.
TEST(Verify, LeavesToZonesWhatEndsOnItsOwn) {
  const std::string counter = R"(
    sense level : real 0..100
    var steps : int = 0
    action fill: level' == level and steps' == steps + 1
    failure over: steps > 1001 after fill
    state A initial
    rule fill: A -> A when steps <= 1000 do fill
  )";
  const Report report = run(model_of(counter), {});
  EXPECT_EQ(report.verdict, Verdict::Safe);
  EXPECT_EQ(report.engine, Engine::Zones);
}

// 1 and what is less than 1 by rounding look different when they are printed, rounded down.
TEST(Verify, ListsCounterexamplesByTheProbabilityThatIsPrinted) {
  const Report report = run(model_of(R"(
    sense x : real 0..10
    sense y : real -5..5
    sense z : real -5..5 error -1..1 uniform
    sense w : int -5..5
    var unit : real = 3 error 0..1
    start x <= w
    action act0: z' == z - unit
    action act1: x' == z and z' == x
    action act2: w' >= w
    failure crash: z <= -1 after act0
    failure fail0: y <= 1 after act2
    state A initial
    rule r0: A -> A when w < y do act0, act0
    rule r1: A -> A when w <= 0 do act2, act1
  )"),
                            {.bound = 4, .paths = 1000, .limits = {}});
  ASSERT_GT(report.counterexamples.size(), 5U);
  double before = 1;
  for (const Counterexample& example : report.counterexamples) {
    ASSERT_TRUE(example.probability);
    const double printed = std::stod(figure_down(example.probability->value, 6));
    EXPECT_LE(printed, before);
    before = printed;
  }
}

TEST(Verify, CountsPathsThatNobodyCouldFollow) {
  const std::string tangle = R"(
    state A initial
    rule f: A -> A when disF >= 20 do walkF
    rule b: A -> A when disB >= 20 do walkB
    rule l: A -> A when disL >= 20 do turnL, walkF
    rule r: A -> A when disR >= 20 do turnR, walkF
  )";
  const Report report = run(model_of(std::string(kCarWorld) + tangle), {.bound = 20, .paths = 3});
  ASSERT_EQ(report.paths.size(), 20U);
  EXPECT_EQ(report.paths[0], Integer(4));
  EXPECT_EQ(report.paths[1], Integer(16));
  EXPECT_EQ(report.counterexamples.size(), 3U);
  EXPECT_FALSE(report.extent.complete);
}

}  // namespace
}  // namespace poise::verify
