#include "poise/chance/interval.h"

#include <cmath>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/chance/law.h"

namespace poise::chance {
namespace {

TEST(Samples, KnowTheirMeanAndSpread) {
  Samples all;
  Samples first;
  Samples second;
  int i = 0;
  for (const double x : {0.5, 0.25, 1.0, 0.0, 0.125}) {
    all.add(x);
    (i++ < 2 ? first : second).add(x);
  }
  EXPECT_DOUBLE_EQ(all.mean, 0.375);
  EXPECT_DOUBLE_EQ(all.variance(),
                   (0.125 * 0.125 * 2 + 0.625 * 0.625 + 0.375 * 0.375 + 0.0625) / 4);
  first.add(second);
  first.add(Samples{});
  EXPECT_EQ(first.count, all.count);
  EXPECT_DOUBLE_EQ(first.mean, all.mean);
  EXPECT_DOUBLE_EQ(first.squares, all.squares);
}

TEST(IncompleteBeta, AgreesWithSumsOfBinomials) {
  // That k or more of n draws with probability x are hits.
  for (const int n : {1, 5, 12, 40}) {
    for (const double x : {0.01, 0.3, 0.5, 0.77, 0.999}) {
      double tail = 0;
      double term = std::pow(x, n);
      for (int k = n; k >= 1; --k) {
        tail += term;
        EXPECT_NEAR(incomplete_beta(k, n - k + 1, x) / tail, 1, 1e-11) << n << " " << k << " " << x;
        term *= k * (1 - x) / ((n - k + 1) * x);
      }
    }
  }
}

TEST(IncompleteBeta, IsAccurateForLargeNumbers) {
  EXPECT_NEAR(incomplete_beta(5e8, 5e8, 0.5), 0.5, 1e-9);
  // 1 - (1 - x)^n
  EXPECT_NEAR(incomplete_beta(1, 1e9, 1e-9), 1 - std::exp(-1.0), 1e-8);
}

TEST(ClopperPearson, HasTheIntervalsOfTheTables) {
  const auto expect = [](std::uint64_t hits, std::uint64_t count, double low, double high) {
    const Interval got = clopper_pearson(hits, count, 0.95);
    EXPECT_NEAR(got.low, low, 5e-5) << hits << " of " << count;
    EXPECT_NEAR(got.high, high, 5e-5) << hits << " of " << count;
  };
  expect(0, 10, 0, 0.3085);
  expect(1, 10, 0.0025, 0.4450);
  expect(5, 10, 0.1871, 0.8129);
  expect(10, 10, 0.6915, 1);
  expect(10, 100, 0.0490, 0.1762);
  expect(0, 0, 0, 1);
}

TEST(ClopperPearson, IsTheRuleOfThreeForNoHits) {
  const Interval got = clopper_pearson(0, 1'000'000, 0.95);
  EXPECT_EQ(got.low, 0);
  EXPECT_NEAR(got.high / (1 - std::pow(0.025, 1e-6)), 1, 1e-9);
}

TEST(ClopperPearson, HoldsTheTruthAsOftenAsItPromises) {
  for (const double truth : {0.01, 0.2, 0.5}) {
    Random random(3);
    int held = 0;
    for (int round = 0; round < 1000; ++round) {
      std::uint64_t hits = 0;
      for (int i = 0; i < 60; ++i) hits += Law::uniform(0, 1).sample(random) < truth ? 1U : 0U;
      const Interval got = clopper_pearson(hits, 60, 0.9);
      held += static_cast<int>(got.low <= truth && truth <= got.high);
    }
    EXPECT_GE(held, 900) << truth;
  }
}

TEST(MeanIntervals, HoldTheTruthAsOftenAsTheyPromise) {
  // Mean 0.05 with most samples 0, and mean 1/2 evenly spread.
  const Law rare = Law::table(0, 1, {0.9, 0.1});
  const Law even = Law::uniform(0, 1);
  for (const Law& law : {rare, even}) {
    Random random(8);
    int held_hoeffding = 0;
    int held_bernstein = 0;
    for (int round = 0; round < 500; ++round) {
      Samples samples;
      for (int i = 0; i < 200; ++i) samples.add(law.sample(random));
      const Interval wide = hoeffding(samples, 0.9);
      const Interval narrow = empirical_bernstein(samples, 0.9);
      held_hoeffding += static_cast<int>(wide.low <= law.mean() && law.mean() <= wide.high);
      held_bernstein += static_cast<int>(narrow.low <= law.mean() && law.mean() <= narrow.high);
    }
    EXPECT_GE(held_hoeffding, 450);
    EXPECT_GE(held_bernstein, 450);
  }
}

TEST(MeanIntervals, AreThoseOfTheTheorems) {
  const Samples samples = {.count = 1001, .mean = 0.4, .squares = 10};
  const Interval wide = hoeffding(samples, 0.95);
  EXPECT_NEAR(wide.high - 0.4, std::sqrt(std::log(40) / 2002), 1e-15);
  EXPECT_NEAR(0.4 - wide.low, wide.high - 0.4, 1e-15);
  const Interval narrow = empirical_bernstein(samples, 0.95);
  EXPECT_NEAR(narrow.high - 0.4,
              std::sqrt(2 * 0.01 * std::log(80) / 1001) + 7 * std::log(80) / 3000, 1e-15);
  EXPECT_LT(narrow.high, wide.high);
}

TEST(MeanIntervals, ScaleWithTheMostThatASampleCanBe) {
  const Samples samples = {.count = 101, .mean = 4e-7, .squares = 1e-13};
  const Samples scaled = {.count = 101, .mean = 0.4, .squares = 0.1};
  EXPECT_NEAR(empirical_bernstein(samples, 0.99, 1e-6).high,
              empirical_bernstein(scaled, 0.99).high * 1e-6, 1e-18);
  EXPECT_NEAR(hoeffding(samples, 0.99, 1e-6).low, hoeffding(scaled, 0.99).low * 1e-6, 1e-18);
}

TEST(MeanIntervals, SayNothingWithoutSamples) {
  EXPECT_EQ(empirical_bernstein({}, 0.95).high, 1);
  EXPECT_EQ(hoeffding({}, 0.95).low, 0);
}

}  // namespace
}  // namespace poise::chance
