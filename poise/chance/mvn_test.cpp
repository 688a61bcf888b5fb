#include "poise/chance/mvn.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "poise/base/infinity.h"
#include "poise/base/random.h"
#include "poise/chance/interval.h"
#include "poise/chance/normal.h"

namespace poise::chance {
namespace {

NormalVector equally_correlated(std::size_t size, double correlation) {
  NormalVector vector = {std::vector<double>(size), std::vector<double>(size * size, correlation)};
  for (std::size_t i = 0; i < size; ++i) vector.covariance[i * size + i] = 1;
  return vector;
}

Box orthant(std::size_t size) {
  return {std::vector<double>(size, 0), std::vector<double>(size, kInfinity)};
}

TEST(Mvn, OfIndependentComponentsIsTheirProduct) {
  const NormalVector vector = {{1, 2}, {4, 0, 0, 9}};
  const Estimate got = probability(vector, {{1, -kInfinity}, {kInfinity, 5}});
  EXPECT_NEAR(got.value, 0.5 * normal_upper_tail(-1), 1e-12);
  EXPECT_EQ(got.error, 0);
}

// 1/4 + asin(r) / (2 pi) in two dimensions, 1/8 + 3 asin(r) / (4 pi) in three.
TEST(Mvn, HasTheOrthantsThatAreKnown) {
  for (const double r : {-0.45, 0.1, 0.5, 0.9, 0.999}) {
    const double two = 0.25 + std::asin(r) / (2 * std::numbers::pi);
    const double three = 0.125 + 3 * std::asin(r) / (4 * std::numbers::pi);
    const Precision precise = {.relative = 1e-4};
    EXPECT_NEAR(probability(equally_correlated(2, r), orthant(2), precise).value, two, 1e-4 * two);
    EXPECT_NEAR(probability(equally_correlated(3, r), orthant(3), precise).value, three,
                1e-4 * three)
        << r;
  }
  // 1 / (n + 1) for a correlation of a half.
  for (const std::size_t size : {5U, 12U}) {
    const double known = 1 / static_cast<double>(size + 1);
    const Estimate got = probability(equally_correlated(size, 0.5), orthant(size));
    EXPECT_NEAR(got.value, known, 1.5e-3 * known) << size;
  }
}

// The example of Genz (1992): 0.8279849897...
TEST(Mvn, HasTheValueOfGenzForHisExample) {
  const NormalVector vector = {{0, 0, 0},
                               {1, 3.0 / 5, 1.0 / 3, 3.0 / 5, 1, 11.0 / 15, 1.0 / 3, 11.0 / 15, 1}};
  const Estimate got =
      probability(vector, {{-kInfinity, -kInfinity, -kInfinity}, {1, 4, 2}}, {.relative = 1e-6});
  EXPECT_NEAR(got.value, 0.8279849897, 2e-6);
}

TEST(Mvn, TakesComponentsThatDependOnOthers) {
  // x, y and x + y.
  const NormalVector vector = {{0, 0, 0}, {1, 0, 1, 0, 1, 1, 1, 1, 2}};
  const Estimate got =
      probability(vector, {{0, 0, -kInfinity}, {kInfinity, kInfinity, 1}}, {.relative = 1e-5});
  // Both positive and their sum at most 1: a square turned by 45 degrees, a quarter of it.
  const double half = 1 - 2 * normal_upper_tail(1 / std::numbers::sqrt2);
  EXPECT_NEAR(got.value, half * half / 4, 1e-5);
  // The same component twice, and one that does not vary.
  const NormalVector twice = {{0, 0, 3}, {1, 1, 0, 1, 1, 0, 0, 0, 0}};
  EXPECT_NEAR(probability(twice, {{0, -1, 3}, {2, 1, 3}}).value, 0.5 - normal_upper_tail(1), 1e-9);
  EXPECT_EQ(probability(twice, {{0, -1, 4}, {2, 1, 5}}).value, 0);
}

TEST(Mvn, IsAccurateForRareEvents) {
  // All of five beyond 3 with correlation 1/2: by integrating over the common part,
  // E[ Q((3 - sqrt(1/2) z) / sqrt(1/2))^5 ].
  double expected = 0;
  const double root = std::sqrt(0.5);
  for (double z = -10; z < 14; z += 0.001) {
    expected += 0.001 * normal_density(z) * std::pow(normal_upper_tail((3 - root * z) / root), 5);
  }
  const Estimate got = probability(equally_correlated(5, 0.5),
                                   {std::vector<double>(5, 3), std::vector<double>(5, kInfinity)});
  EXPECT_NEAR(got.value / expected, 1, 2e-3);
}

TEST(Mvn, AgreesWithCountingOnRandomVectors) {
  Random random(21);
  const Law normal = Law::standard_normal();
  for (int round = 0; round < 30; ++round) {
    const std::size_t size = 1 + random.below(5);
    const std::size_t rank = 1 + random.below(5);
    std::vector<double> factor(size * rank);
    for (double& f : factor) f = random.below(4) == 0 ? 0 : normal.sample(random);
    NormalVector vector = {std::vector<double>(size), std::vector<double>(size * size)};
    Box box = {std::vector<double>(size, -kInfinity), std::vector<double>(size, kInfinity)};
    for (std::size_t i = 0; i < size; ++i) {
      vector.mean[i] = normal.sample(random);
      if (random.coin()) box.lower[i] = vector.mean[i] - 1.5 * std::abs(normal.sample(random));
      if (random.coin()) box.upper[i] = vector.mean[i] + 1.5 * std::abs(normal.sample(random));
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < rank; ++k) {
          vector.covariance[i * size + j] += factor[i * rank + k] * factor[j * rank + k];
        }
      }
    }
    const Estimate got = probability(vector, box, {.relative = 3e-3});
    std::uint64_t hits = 0;
    constexpr std::uint64_t kDraws = 10'000;
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      std::vector<double> noise(rank);
      for (double& z : noise) z = normal.sample(random);
      bool inside = true;
      for (std::size_t i = 0; i < size; ++i) {
        double x = vector.mean[i];
        for (std::size_t k = 0; k < rank; ++k) x += factor[i * rank + k] * noise[k];
        inside = inside && x >= box.lower[i] && x <= box.upper[i];
      }
      hits += inside ? 1U : 0U;
    }
    const Interval counted = clopper_pearson(hits, kDraws, 0.9999);
    EXPECT_GE(got.value + got.error, counted.low) << round;
    EXPECT_LE(got.value - got.error, counted.high) << round;
  }
}

}  // namespace
}  // namespace poise::chance
