#include "poise/chance/law.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "poise/base/infinity.h"
#include "poise/chance/interval.h"
#include "poise/chance/normal.h"
#include "poise/chance/quadrature.h"

namespace poise::chance {
namespace {

struct Named {
  const char* name;
  Law law;
};

std::vector<Named> all_laws() {
  return {{"uniform", Law::uniform(-5, 5)},
          {"uniform beside 0", Law::uniform(1, 4)},
          {"gauss", Law::gauss(-6, 6, 2)},
          {"gauss, one side longer", Law::gauss(-1, 8, 2)},
          {"gauss in the tail", Law::gauss(3, 6, 1)},
          {"gauss in the left tail", Law::gauss(-16, -13, 1)},
          {"gauss out of sight", Law::gauss(100, 106, 2)},
          {"gauss that is nearly flat", Law::gauss(-1, 1, 1000)},
          {"gauss that is nearly a point", Law::gauss(-1, 1, 0.001)},
          {"normal", Law::standard_normal()},
          {"triangle", Law::triangle(-2, 3)},
          {"triangle up", Law::triangle(-2, 0)},
          {"triangle down", Law::triangle(1, 3)},
          {"triangle with a flat top", Law::triangle(-1.5, 2.5, 1)},
          {"triangle with a flat top at its end", Law::triangle(0.5, 3.5, 1)},
          {"triangle that is all flat", Law::triangle(-0.5, 0.5, 1)},
          {"table", Law::table(-3, 3, {1, 0, 5, 2, 0, 1e-9})},
          {"table of one", Law::table(-3, 3, {7})}};
}

// Section 4.4 of the paper: 17 is sensed as 20 or more.
TEST(Law, HasTheMassOfThePaper) {
  const Law error = Law::gauss(-6, 6, 2);
  EXPECT_NEAR(error.paper_mass(3, 6), 0.065457, 5e-7);
  EXPECT_NEAR(error.mass(3, 6), 0.065457 / 0.9973002, 1e-6);
  EXPECT_NEAR(error.paper_mass(-kInfinity, kInfinity), 0.9973002, 1e-7);
  EXPECT_EQ(Law::uniform(-6, 6).paper_mass(3, 6), 0.25);
}

TEST(Law, HasMassOneOnItsRangeAndNoneOutside) {
  for (const auto& [name, law] : all_laws()) {
    EXPECT_EQ(law.mass(law.low(), law.high()), 1) << name;
    EXPECT_EQ(law.mass(-kInfinity, kInfinity), 1) << name;
    EXPECT_EQ(law.mass(3, 2), 0) << name;
    if (std::isinf(law.low())) continue;
    EXPECT_EQ(law.mass(law.low() - 2, law.low() - 1), 0) << name;
    EXPECT_EQ(law.mass(law.high() + 1, kInfinity), 0) << name;
    EXPECT_EQ(law.density(law.low() - 0.1), 0) << name;
    EXPECT_EQ(law.density(law.high() + 0.1), 0) << name;
  }
}

TEST(Law, MassIsTheIntegralOfTheDensity) {
  const GaussLegendre rule(24);
  for (const auto& [name, law] : all_laws()) {
    const auto density = [&law = law](double x) { return law.density(x); };
    const std::vector<double> ends = law.panels();
    EXPECT_TRUE(std::ranges::is_sorted(ends)) << name;
    EXPECT_NEAR(rule.integral(density, ends), 1, 1e-12) << name;
    for (std::size_t i = 1; i < ends.size(); ++i) {
      const double third = ends[i - 1] + (ends[i] - ends[i - 1]) / 3;
      const double mass = law.mass(ends[i - 1], third);
      EXPECT_NEAR(rule.integral(density, ends[i - 1], third), mass, 1e-10 * mass) << name;
    }
  }
}

TEST(Law, QuantileUndoesTheMass) {
  for (const auto& [name, law] : all_laws()) {
    EXPECT_EQ(law.quantile(0), law.low()) << name;
    EXPECT_EQ(law.quantile(1), law.high()) << name;
    for (const double p : {1e-12, 1e-6, 0.01, 0.1, 0.5, 0.75, 0.99, 1 - 1e-6}) {
      const double x = law.quantile(p);
      // No better than the doubles next to it.
      const double grain = law.density(x) * std::abs(x) * 1e-15;
      EXPECT_NEAR(law.mass(-kInfinity, x), p, 1e-13 + grain + 1e-11 * p) << name << " " << p;
      EXPECT_NEAR(law.mass(x, kInfinity), 1 - p, 1e-13 + grain + 1e-11 * (1 - p))
          << name << " " << p;
    }
  }
}

TEST(Law, QuantileWithinAPartSplitsItsMass) {
  for (const auto& [name, law] : all_laws()) {
    const double a = law.quantile(0.3);
    const double b = law.quantile(0.95);
    for (const double p : {0.0, 1e-3, 0.25, 0.5, 0.9, 1.0}) {
      const double x = law.quantile_within(a, b, p);
      EXPECT_NEAR(law.mass(a, x), p * law.mass(a, b), 1e-12) << name << " " << p;
    }
  }
}

TEST(Law, QuantileWithinATailStaysAccurate) {
  const Law law = Law::standard_normal();
  const double x = law.quantile_within(20, 21, 0.5);
  EXPECT_NEAR(law.mass(20, x) / law.mass(20, 21), 0.5, 1e-11);
  const double y = law.quantile_within(-kInfinity, -20, 0.25);
  EXPECT_NEAR(law.mass(-kInfinity, y) / law.mass(-kInfinity, -20), 0.25, 1e-11);
}

TEST(Law, SamplesAreSpreadAsTheMass) {
  for (const auto& [name, law] : all_laws()) {
    Random random(5);
    const double middle = law.quantile(0.7);
    Samples samples;
    int below = 0;
    for (int i = 0; i < 20'000; ++i) {
      const double x = law.sample(random);
      ASSERT_TRUE(x >= law.low() && x <= law.high()) << name;
      below += static_cast<int>(x <= middle);
      samples.add(x);
    }
    EXPECT_NEAR(below, 14'000, 260) << name;  // 4 standard deviations
    EXPECT_NEAR(samples.mean, law.mean(), 4 * std::sqrt(law.variance() / 20'000)) << name;
    EXPECT_NEAR(samples.variance() / law.variance(), 1, 0.1) << name;
  }
}

TEST(Law, HasTheMomentsOfItsFormula) {
  EXPECT_NEAR(Law::uniform(1, 4).mean(), 2.5, 1e-14);
  EXPECT_NEAR(Law::uniform(1, 4).variance(), 0.75, 1e-14);
  EXPECT_NEAR(Law::triangle(-2, 3).mean(), 1.0 / 3, 1e-14);
  EXPECT_NEAR(Law::triangle(-2, 3).variance(), (4 + 9 + 6) / 18.0, 1e-13);
  EXPECT_NEAR(Law::standard_normal().variance(), 1, 1e-12);
  const double cut = 6 * normal_density(3) / (1 - 2 * normal_upper_tail(3));
  EXPECT_NEAR(Law::gauss(-3, 3, 1).variance(), 1 - cut, 1e-12);
}

TEST(Law, APointHasAllItsMassOnOneValue) {
  for (const Law& law : {Law::point(3), Law::gauss(3, 3, 2), Law::triangle(3, 3),
                         Law::table(3, 3, {1, 2}), Law::uniform(3, 3)}) {
    EXPECT_EQ(law.mass(3, 3), 1);
    EXPECT_EQ(law.mass(3, 5), 1);
    EXPECT_EQ(law.mass(1, 3), 1);
    EXPECT_EQ(law.mass(3.5, 5), 0);
    EXPECT_EQ(law.paper_mass(3, 5), 1);
    EXPECT_EQ(law.quantile(0.2), 3);
    EXPECT_EQ(law.mean(), 3);
    EXPECT_EQ(law.variance(), 0);
    EXPECT_EQ(law.kinks(), std::vector<double>{3});
    Random random(1);
    EXPECT_EQ(law.sample(random), 3);
  }
}

TEST(Law, SmallMassesAreAccurateInProportion) {
  const Law gauss = Law::gauss(-60, 60, 2);
  EXPECT_NEAR(gauss.mass(20, 60) / 7.619853024160525e-24, 1, 1e-11);
  EXPECT_NEAR(gauss.mass(-60, -20) / 7.619853024160525e-24, 1, 1e-11);
  const Law triangle = Law::triangle(-1, 1);
  EXPECT_NEAR(triangle.mass(1 - 1e-9, 1) / 5e-19, 1, 1e-6);
}

TEST(Law, DeviationsOutOfProportionDoNoHarm) {
  const Law point = Law::gauss(1, 2, 1e-320);
  EXPECT_EQ(point.mass(1, 1.001), 1);
  EXPECT_NEAR(point.quantile(0.5), 1, 1e-12);
  const Law flat = Law::gauss(1, 2, 1e300);
  EXPECT_NEAR(flat.mass(1, 1.25), 0.25, 1e-12);
}

TEST(Law, ATiltedMassIsTheIntegralOfAnExponential) {
  const GaussLegendre rule(20);
  for (const Named& one : all_laws()) {
    const Law& law = one.law;
    std::vector<double> ends = law.panels();
    for (const double slope : {-30.0, -2.0, -0.3, -1e-5, 0.0, 1e-4, 0.04, 0.7, 5.0}) {
      for (std::size_t i = 1; i < ends.size(); ++i) {
        const double a = ends[i - 1];
        const double b = a + (ends[i] - a) * 0.75;
        if (std::abs(slope) * (b - a) > 200) continue;
        double wanted = 0;
        for (int part = 0; part < 64; ++part) {
          wanted += rule.integral(
              [&](double x) { return std::exp(slope * (x - (a + b) / 2)) * law.density(x); },
              a + (b - a) * part / 64, a + (b - a) * (part + 1) / 64);
        }
        if (wanted < 1e-250) continue;
        EXPECT_NEAR(law.tilted_mass(a, b, slope) / wanted, 1, 1e-9)
            << one.name << ' ' << slope << ' ' << a << ' ' << b;
      }
    }
    EXPECT_NEAR(law.tilted_mass(-1000, 1000, 0), 1, 1e-9) << one.name;
  }
}

TEST(Law, PartsOfATableAddUpToIt) {
  const Law law = Law::table(-3, 3, {1, 0, 5, 2, 0, 1e-9});
  const std::vector<Law::Part> parts = law.log_concave_parts();
  EXPECT_EQ(parts.size(), 4U);
  for (const double to : {-2.5, -1.2, 0.1, 2.9}) {
    double sum = 0;
    for (const Law::Part& part : parts) sum += part.mass * part.law.mass(-1.7, to);
    EXPECT_NEAR(sum, law.mass(-1.7, to), 1e-14);
  }
}

}  // namespace
}  // namespace poise::chance
