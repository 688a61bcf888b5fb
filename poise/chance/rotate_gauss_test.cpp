#include "poise/chance/rotate_gauss.h"

#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/chance/nearest_point.h"
#include "poise/chance/quasi_random.h"
#include "poise/chance/triangular.h"

namespace poise::chance {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(Triangular, ReproducesTheCovariance) {
  const NormalVector vector = {{0, 0, 0}, {4, 1, -1, 1, 3, 0.5, -1, 0.5, 2}};
  const auto rows = triangular(vector, {{-1, 0, 1}, {1, 5, 9}});
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(dot(rows[i].coefficients, rows[j].coefficients), vector.covariance[i * 3 + j],
                  1e-12);
    }
  }
  // The last is the least likely, so it comes first and depends on one noise alone.
  EXPECT_GT(rows[2].coefficients[0], 0);
  EXPECT_EQ(rows[2].coefficients[1], 0);
  EXPECT_EQ(rows[2].coefficients[2], 0);
}

TEST(Rotated, KeepsLengthsAndAngles) {
  const std::array noise = {Law::gauss(-3, 3, 1), Law::uniform(0, 1), Law::gauss(-6, 6, 2)};
  const std::array constraints = {LinearConstraint{.coefficients = {1, 0, 1}, .lower = 6},
                                  LinearConstraint{.coefficients = {1, 5, -1}, .upper = 2}};
  const auto result = rotated(constraints, noise, std::array<std::size_t, 2>{0, 2});
  ASSERT_TRUE(result.has_value());
  ASSERT_EQ(result->constraints.size(), 4U);
  ASSERT_EQ(result->noise.size(), 3U);
  const std::vector<double>& first = result->constraints[0].coefficients;
  const std::vector<double>& second = result->constraints[1].coefficients;
  EXPECT_NEAR(dot(first, first), 1 + 4, 1e-12);
  EXPECT_NEAR(dot(first, second), 1 - 4, 1e-12);
  EXPECT_EQ(first[1], 0);   // it depends on one noise alone
  EXPECT_EQ(second[2], 5);  // what is not turned stays
  EXPECT_NEAR(result->factor, 1 / (0.9973002 * 0.9973002), 1e-6);
  EXPECT_FALSE(rotated(constraints, noise, std::array<std::size_t, 1>{0}).has_value());
}

TEST(Likeliest, IsTheNearestPointOfAPolytope) {
  const std::array noise = {Law::gauss(-30, 30, 1), Law::gauss(-30, 30, 2)};
  // The sum is at least 5: shared in proportion to the variances.
  const std::array sum = {Slab{{1, 1}, 5, 1e9}};
  const std::vector<double> shared = nearest_point(sum, noise);
  EXPECT_NEAR(shared[0], 1, 1e-4);
  EXPECT_NEAR(shared[1], 4, 1e-4);
  // And the second is at most 2.
  const std::array both = {Slab{{1, 1}, 5, 1e9}, Slab{{0, 1}, -1e9, 2}};
  const std::vector<double> pushed = nearest_point(both, noise);
  EXPECT_NEAR(pushed[0], 3, 1e-4);
  EXPECT_NEAR(pushed[1], 2, 1e-4);
  // Ranges bound it too.
  const std::array narrow = {Law::gauss(-30, 30, 1), Law::gauss(-2, 2, 2)};
  EXPECT_NEAR(nearest_point(sum, narrow)[0], 3, 1e-4);
}

TEST(QuasiRandomPoints, FillsTheCubeEvenlyUnderEveryShift) {
  const QuasiRandomPoints lattice(5, 3, Random(2));
  for (std::size_t shift = 0; shift < 3; ++shift) {
    // The mean of a product of linear functions is 1.
    double sum = 0;
    constexpr std::size_t kPoints = 4000;
    for (std::size_t index = 0; index < kPoints; ++index) {
      std::array<double, 5> point{};
      lattice.fill(point, index, shift);
      double product = 1;
      for (const double x : point) {
        ASSERT_TRUE(x >= 0 && x <= 1);
        product *= 0.5 + x;
      }
      sum += product;
    }
    EXPECT_NEAR(sum / kPoints, 1, 2e-3);  // chance alone would be off by 1e-2
  }
}

}  // namespace
}  // namespace poise::chance
