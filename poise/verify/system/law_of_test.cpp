#include "poise/verify/system/law_of.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/base/rational.h"

namespace poise::verify {
namespace {

using chance::Law;

TEST(LawOf, OfTheErrorOfAModelIsTheSameInDoubles) {
  const model::WorldError gauss = {.low = Rational(-6),
                                   .high = Rational(6),
                                   .law = model::WorldError::Law::Gauss,
                                   .deviation = Rational::from_decimal("2.5")};
  EXPECT_EQ(law_of(gauss).mass(1, 2), Law::gauss(-6, 6, 2.5).mass(1, 2));
  const model::WorldError table = {.low = Rational(0),
                                   .high = Rational(3),
                                   .law = model::WorldError::Law::Table,
                                   .weights = {Rational(1), Rational(0), Rational(1)}};
  EXPECT_DOUBLE_EQ(law_of(table).mass(0, 0.5), 0.25);
  EXPECT_EQ(law_of(table).mass(1, 2), 0);
}

// How likely each error of an int is.
std::vector<double> masses(int low, int high, model::WorldError error) {
  error.low = Rational(low);
  error.high = Rational(high);
  model::Variable variable{.name = "x", .type = {.kind = model::TypeKind::Int}};
  variable.error = error;
  const Law law = law_of(variable);
  std::vector<double> found;
  for (int i = low; i <= high; ++i) found.push_back(law.mass(i - 0.5, i + 0.5));
  // And drawn as often.
  std::vector<double> seen(found.size());
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const double off = law.sample_whole(random);
    EXPECT_EQ(off, std::round(off));
    seen.at(static_cast<std::size_t>(off - low)) += 1.0 / 20'000;
  }
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(seen[i], found[i], 0.015);
  return found;
}

void expect_masses(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
}

TEST(LawOf, OfWholeErrorsIsThatOfWhatIsRounded) {
  using enum model::WorldError::Law;
  const double third = 1.0 / 3;
  expect_masses(masses(-1, 1, {.law = Uniform}), {third, third, third});
  expect_masses(masses(2, 2, {.law = Uniform}), {1});
  expect_masses(masses(2, 2, {.law = Triangle}), {1});
  const std::vector<Rational> weights = {Rational(1), Rational(4), Rational(3)};
  expect_masses(masses(-1, 1, {.law = Table, .weights = weights}), {0.125, 0.5, 0.375});
  const Law gauss = Law::gauss(-1.5, 1.5, 0.5);
  expect_masses(masses(-1, 1, {.law = Gauss, .deviation = Rational(1, 2)}),
                {gauss.mass(-1.5, -0.5), gauss.mass(-0.5, 0.5), gauss.mass(0.5, 1.5)});
}

TEST(LawOf, OfWholeErrorsWithATriangleIsHighestNextToZero) {
  using enum model::WorldError::Law;
  expect_masses(masses(-1, 1, {.law = Triangle}), {0.25, 0.5, 0.25});
  expect_masses(masses(0, 2, {.law = Triangle}), {4.0 / 8, 3.0 / 8, 1.0 / 8});
  expect_masses(masses(3, 5, {.law = Triangle}), {4.0 / 8, 3.0 / 8, 1.0 / 8});
  expect_masses(masses(-2, 0, {.law = Triangle}), {1.0 / 8, 3.0 / 8, 4.0 / 8});
  // A corner that is rounded would make 1 likelier than 0.
  const std::vector<double> skewed = masses(-1, 20, {.law = Triangle});
  EXPECT_EQ(std::ranges::max_element(skewed) - skewed.begin(), 1);
}

}  // namespace
}  // namespace poise::verify
