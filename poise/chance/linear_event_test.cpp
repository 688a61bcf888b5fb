#include "poise/chance/linear_event.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/chance/interval.h"

namespace poise::chance {
namespace {

// k times "what is sensed is at least 20, so walk 10" from a known distance, and a collision in the
// last step, not before: noise 0 .. k-1 is that of walking, k .. 2k-1 that of sensing.
struct Walk {
  std::vector<LinearConstraint> constraints;
  std::vector<Law> noise;
};

Walk walk(std::size_t steps, double distance) {
  Walk result;
  for (std::size_t i = 0; i < steps; ++i) result.noise.push_back(Law::gauss(-5, 5, 5.0 / 3));
  for (std::size_t i = 0; i < steps; ++i) result.noise.push_back(Law::gauss(-6, 6, 2));
  for (std::size_t step = 0; step < steps; ++step) {
    // distance - 10 step - walked + sensed >= 20, and no collision so far
    LinearConstraint sensed = {.coefficients = std::vector<double>(2 * steps)};
    for (std::size_t i = 0; i < step; ++i) sensed.coefficients[i] = -1;
    LinearConstraint safe = sensed;
    sensed.coefficients[steps + step] = 1;
    sensed.lower = 20 - distance + 10.0 * static_cast<double>(step);
    safe.lower = -distance + 10.0 * static_cast<double>(step);
    result.constraints.push_back(sensed);
    result.constraints.push_back(safe);
  }
  LinearConstraint collides = {.coefficients = std::vector<double>(2 * steps)};
  for (std::size_t i = 0; i < steps; ++i) collides.coefficients[i] = -1;
  collides.upper = -distance + 10.0 * static_cast<double>(steps);
  result.constraints.push_back(collides);
  return result;
}

TEST(LinearEvent, OfIndependentConstraintsIsExact) {
  const Walk once = walk(1, 14.5);
  const Estimate got = probability(once.constraints, once.noise);
  const double closed = Law::gauss(-6, 6, 2).mass(5.5, 6) * Law::gauss(-5, 5, 5.0 / 3).mass(4.5, 5);
  EXPECT_NEAR(got.value / closed, 1, 1e-9);
  EXPECT_NEAR(got.value, 3.4693e-6, 5e-11);
  EXPECT_EQ(got.error, 0);
  EXPECT_EQ(got.points, 0U);
}

// By mvtnorm of R, with the error that it states.
TEST(LinearEvent, AgreesWithMvtnormOnWalksIntoAWall) {
  struct Case {
    std::size_t steps;
    double distance;
    double expected;
    double error;
  };
  for (const Case& one :
       {Case{2, 25, 5.2496e-7, 4e-10}, Case{3, 37, 2.2280e-7, 2e-10}, Case{5, 58, 1.5787e-7, 1e-10},
        Case{10, 110, 9.877e-8, 9e-11}, Case{20, 212, 7.263e-8, 8e-11}}) {
    const Walk walked = walk(one.steps, one.distance);
    const Estimate got = probability(walked.constraints, walked.noise);
    EXPECT_NEAR(got.value, one.expected, one.error + got.error) << one.steps;
    EXPECT_LE(got.error, 1e-3 * got.value) << one.steps;
    EXPECT_GT(got.error, 0) << one.steps;
  }
}

Law random_law(Random& random) {
  switch (random.below(5)) {
    case 0: return Law::uniform(-1, 2);
    case 1: return Law::triangle(-1, 1);
    case 2: return Law::table(-1, 1, {1, 0, 3});
    case 3: return Law::point(0.5);
    default: return Law::gauss(-3, 2, 1);
  }
}

TEST(LinearEvent, AgreesWithCountingOnRandomConstraints) {
  Random random(11);
  for (int round = 0; round < 40; ++round) {
    std::vector<Law> noise;
    for (std::size_t i = 0; i < 1 + random.below(4); ++i) noise.push_back(random_law(random));
    std::vector<LinearConstraint> constraints(1 + random.below(5));
    for (LinearConstraint& constraint : constraints) {
      for (std::size_t i = 0; i < noise.size(); ++i) {
        constraint.coefficients.push_back(static_cast<double>(random.below(4)) - 1);
      }
      if (random.coin()) constraint.lower = -static_cast<double>(random.below(3)) - 0.25;
      if (random.coin()) constraint.upper = static_cast<double>(random.below(3)) + 0.25;
    }
    const Estimate got = probability(constraints, noise, {.relative = 3e-3});
    std::uint64_t hits = 0;
    constexpr std::uint64_t kDraws = 20'000;
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      std::vector<double> drawn;
      for (const Law& law : noise) drawn.push_back(law.sample(random));
      bool all = true;
      for (const LinearConstraint& constraint : constraints) {
        double sum = 0;
        for (std::size_t i = 0; i < drawn.size(); ++i) sum += constraint.coefficients[i] * drawn[i];
        all = all && sum >= constraint.lower && sum <= constraint.upper;
      }
      hits += all ? 1U : 0U;
    }
    const Interval counted = clopper_pearson(hits, kDraws, 0.9999);
    EXPECT_GE(got.value + got.error, counted.low) << round;
    EXPECT_LE(got.value - got.error, counted.high) << round;
  }
}

// The sum of two evenly spread errors has a triangle for its law.
TEST(LinearEvent, OfASumHasItsClosedForm) {
  const std::array noise = {Law::uniform(0, 1), Law::uniform(0, 1)};
  const std::array constraints = {LinearConstraint{.coefficients = {1, 1}, .upper = 0.001}};
  const Estimate got = probability(constraints, noise, {.relative = 1e-5});
  EXPECT_NEAR(got.value, 5e-7, 5e-7 * 2e-5);
}

TEST(LinearEvent, ThatCannotBeHasProbabilityZero) {
  const std::array noise = {Law::uniform(0, 1), Law::uniform(0, 1)};
  const std::array too_much = {LinearConstraint{.coefficients = {1, 1}, .lower = 2.5}};
  EXPECT_EQ(probability(too_much, noise).value, 0);
  EXPECT_EQ(probability(too_much, noise).error, 0);
  const std::array empty = {LinearConstraint{.coefficients = {1, 1}, .lower = 1.5, .upper = 1}};
  EXPECT_EQ(probability(empty, noise).value, 0);
}

TEST(LinearEvent, ThatMustBeHasProbabilityOne) {
  const std::array noise = {Law::uniform(0, 1), Law::gauss(-1, 1, 1)};
  EXPECT_EQ(probability({}, noise).value, 1);
  const std::array wide = {LinearConstraint{.coefficients = {1, 1}, .lower = -1, .upper = 2}};
  EXPECT_NEAR(probability(wide, noise).value, 1, 1e-12);
}

TEST(LinearEvent, HoldsOnTheEndOfAConstraintOnPoints) {
  const std::array noise = {Law::point(0.1), Law::point(0.2)};
  const std::array sum = {LinearConstraint{.coefficients = {1, 1}, .lower = 0.3, .upper = 0.3}};
  EXPECT_EQ(probability(sum, noise).value, 1);
  const std::array more = {LinearConstraint{.coefficients = {1, 1}, .lower = 0.3001}};
  EXPECT_EQ(probability(more, noise).value, 0);
}

TEST(LinearEvent, IsTheSameForTheSameSeed) {
  const Walk walked = walk(3, 37);
  const Estimate one = probability(walked.constraints, walked.noise, {.seed = 4});
  const Estimate two = probability(walked.constraints, walked.noise, {.seed = 4});
  const Estimate other = probability(walked.constraints, walked.noise, {.seed = 5});
  EXPECT_EQ(one.value, two.value);
  EXPECT_NE(one.value, other.value);
  EXPECT_NEAR(one.value, other.value, one.error + other.error);
}

}  // namespace
}  // namespace poise::chance
