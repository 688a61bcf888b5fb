#include "poise/verify/odds/odds.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/lang/lang.h"
#include "poise/verify/system/replay.h"

namespace poise::verify {
namespace {

model::Model model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value())
      << (parsed.diagnostics.empty() ? "" : parsed.diagnostics.front().message);
  return std::move(*parsed.model);
}

constexpr const char* kCar = R"(
  sense disF : real 0..400 error -6..6 gauss 2
  sense disB : real 0..400 error -6..6 gauss 2
  sense disL : real 0..400 error -6..6 gauss 2
  sense disR : real 0..400 error -6..6 gauss 2
  var unit : real = 10 error -5..5 gauss 2.5
  action walkF: disF' == disF - unit and disB' == disB + unit
  action walkB: disF' == disF + unit and disB' == disB - unit
  action turnL: disF' == disL and disL' == disB and disB' == disR and disR' == disF
  action turnR: disF' == disR and disR' == disB and disB' == disL and disL' == disF
  failure bump: disF <= 0 after walkF, disB <= 0 after walkB
  state A initial
  state B, D, E
  rule r0: A -> A when disF >= 20 do walkF
  rule r1: A -> B when disF < 20 and disL >= 20 do turnL, walkF, turnL
  rule r2: A -> D when disF < 20 and disL < 20 and disR >= 20 do turnR, walkF, turnR
  rule r3: A -> E when disF < 20 and disL < 20 and disR < 20 do walkB
)";

// A model and how likely its paths are.
class Asked {
 public:
  explicit Asked(const std::string& text)
      : model_(model_of(text)), system_(system_of(model_, Mode::Actual)), odds_(system_) {}

  // A path by the names of its rules; it fails after act number `act` of the last.
  PathOdds path(const std::vector<std::string>& rules, std::size_t act = 0,
                std::uint32_t failure = 0) {
    FailingPath failing{model::FailureId{failure}, {}, act};
    for (const std::string& name : rules) {
      for (const model::RuleId rule : model_.rules.ids()) {
        if (model_.rules[rule].name == name) failing.path.push_back(rule);
      }
    }
    const Result<PathOdds> found = odds_.of(failing, {.relative = 2e-3, .most_points = 50'000});
    EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().message);
    if (!found) return {};
    Counterexample example{failing.failure, failing.path, act, found->trace, {}, {}};
    EXPECT_EQ(objection(model_, Mode::Actual, example), std::nullopt);
    return *found;
  }

  Odds& odds() { return odds_; }
  const model::Model& model() const { return model_; }

 private:
  model::Model model_;
  System system_;
  Odds odds_;
};

const chance::Law kSensed = chance::Law::gauss(-6, 6, 2);
const chance::Law kUnit = chance::Law::gauss(-5, 5, 2.5);

// By a plain grid: that the car goes k steps from a distance and bumps with the last.
class Reference {
 public:
  explicit Reference(std::size_t steps) : values_(steps + 1, std::vector<double>(kCells)) {
    for (std::size_t i = 0; i < kCells; ++i) values_[0][i] = position(i) <= 0 ? 1 : 0;
    for (std::size_t step = 1; step <= steps; ++step) {
      for (std::size_t i = 0; i < kCells; ++i) {
        const double at = position(i);
        if (at <= 0) continue;  // it has failed already
        const double taken = kSensed.mass(20 - at, 6);
        if (taken == 0) continue;
        if (step == 1) {
          values_[step][i] = taken * kUnit.mass(at - 10, 5);
          continue;
        }
        double sum = 0;
        for (std::size_t j = 0; j < kCells; ++j) {
          const double move = at - position(j) - 10;
          if (move < -5 || move > 5) continue;
          sum += values_[step - 1][j] * kUnit.density(move) * kCell;
        }
        values_[step][i] = taken * sum;
      }
    }
  }
  static constexpr double kCell = 0.05;
  static constexpr std::size_t kCells = 1700;
  static double position(std::size_t i) { return (static_cast<double>(i) + 0.5) * kCell; }
  [[nodiscard]] double worst() const { return std::ranges::max(values_.back()); }

 private:
  std::vector<std::vector<double>> values_;
};

TEST(Odds, OfTheFirstPathAreWhatOneFindsByHand) {
  double worst = 0;
  for (double distance = 14; distance <= 15; distance += 1e-4) {
    worst = std::max(worst, kSensed.mass(20 - distance, 6) * kUnit.mass(distance - 10, 5));
  }
  const PathOdds odds = Asked(kCar).path({"r0"});
  EXPECT_NEAR(odds.joint.value, worst, 1e-3 * worst);
  EXPECT_EQ(odds.joint.method, "exact");
  EXPECT_EQ(odds.joint.error, 0);
}

TEST(Odds, OfALineAgreeWithAGrid) {
  for (std::size_t steps = 2; steps <= 5; ++steps) {
    const double worst = Reference(steps).worst();
    const PathOdds odds = Asked(kCar).path(std::vector<std::string>(steps, "r0"));
    EXPECT_NEAR(odds.joint.value, worst, 1e-2 * worst) << steps;
    EXPECT_EQ(odds.joint.method, "line");
  }
}

// Which of the two an action does depends on the start, which is the same for both.
TEST(Odds, NeverExceedOneWhereAnActionHasTwoOutcomes) {
  Asked asked(R"(
    sense x : int -5..5 error 0..1
    sense y : int 0..10
    action act: (y <= 2 * x implies x' == y) and (y > 2 * x implies x' >= x)
    failure fail: y <= 2 * x after act
    state A initial
    rule r: A -> A when x >= 0 do act
  )");
  EXPECT_DOUBLE_EQ(asked.path({"r"}).joint.value, 1);
}

// A distance that is added to the noisy y ends between 1 and 2 for two of three units only; the
// value 1.5 is always possible.
TEST(Odds, TheEnvironmentAimsAtAValueWhateverTheNoiseWas) {
  for (const std::string unit : {"int", "real"}) {
    Asked asked(fmt::format(R"(
      sense y : real 0..3
      var unit : {} = 1 error -1..1 uniform
      action draw: y' == y - unit
      action rise: y' >= y and y' <= 2
      failure fail: y >= 1 after rise
      state A initial
      rule r: A -> A when y < 1 do draw, rise
    )",
                            unit));
    EXPECT_NEAR(asked.path({"r"}, 1).joint.value, 1, 1e-6) << unit;
  }
}

}  // namespace
}  // namespace poise::verify
