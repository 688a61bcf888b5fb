#include "poise/chance/quadrature.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace poise::chance {
namespace {

TEST(GaussLegendre, IsExactForPolynomialsBelowTwiceItsNodes) {
  for (const std::size_t nodes : {1U, 2U, 3U, 5U, 8U, 16U, 33U}) {
    const GaussLegendre rule(nodes);
    for (std::size_t degree = 0; degree < 2 * nodes; ++degree) {
      const auto power = static_cast<double>(degree);
      const double got = rule.integral([&](double x) { return std::pow(x, power); }, 0, 1);
      EXPECT_NEAR(got, 1 / (power + 1), 1e-14) << nodes << " nodes, degree " << degree;
    }
  }
}

TEST(GaussLegendre, IntegratesSmoothFunctionsNearlyExactly) {
  const GaussLegendre rule(10);
  EXPECT_NEAR(rule.integral([](double x) { return std::exp(x); }, -1, 2),
              std::exp(2) - std::exp(-1), 1e-13);
}

TEST(GaussLegendre, IntegratesAcrossKinksThatItIsTold) {
  const GaussLegendre rule(4);
  const auto bent = [](double x) { return std::abs(x); };
  EXPECT_NEAR(rule.integral(bent, std::array{-1.0, 0.0, 2.0}), 2.5, 1e-14);
  EXPECT_GT(std::abs(rule.integral(bent, -1, 2) - 2.5), 1e-3);
}

}  // namespace
}  // namespace poise::chance
