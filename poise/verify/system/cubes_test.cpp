#include "poise/verify/system/cubes.h"

#include <string>

#include <gtest/gtest.h>

#include "poise/model/step.h"
#include "tests/support/car_models.h"

namespace poise::verify {
namespace {

bool holds(const Cube& cube, const model::Context& context) {
  for (const Literal& literal : cube) {
    Rational sum = literal.constant;
    for (const Literal::Term& term : literal.terms) {
      sum = sum + term.factor * *context[term.slot.index];
    }
    const bool right = literal.sign == Literal::Sign::Less     ? sum.sign() < 0
                       : literal.sign == Literal::Sign::AtMost ? sum.sign() <= 0
                                                               : sum.sign() == 0;
    if (!right) return false;
  }
  return true;
}

model::Model model_with(const std::string& condition) {
  return tests::model_of(
      "sense x : int 0..6 sense y : int 0..6 sense b : bool\nstate A initial\n"
      "rule r: A -> A when " +
      condition);
}

// In every context exactly one cube holds where the condition does, and none elsewhere.
TEST(Cubes, AreTheConditionAndExcludeEachOther) {
  for (const char* condition :
       {"x < 3", "x != 3", "x == 2 or y == 2", "x in {1, 4, 6}", "not (x in {1, 4, 6})",
        "(x < 3 or y > 4) and not (x == y)", "b iff x >= 2", "(b implies x > y) and (x > 1 or b)",
        "x < 3 and x > 4", "x <= 3 and (x >= 3 or y == 1)", "2 * x + 3 * y < 9 or not b", "true",
        "false", "not (x < 2 and y < 2) and not (x > 4 and y > 4)"}) {
    const model::Model model = model_with(condition);
    const System system = system_of(model, Mode::Ideal);
    const Wanted wanted{system.moves[0][0].guard, true};
    const auto all = cubes(system, std::span(&wanted, 1));
    ASSERT_TRUE(all.has_value()) << condition;
    for (int x = 0; x <= 6; ++x) {
      for (int y = 0; y <= 6; ++y) {
        for (int b = 0; b <= 1; ++b) {
          const model::Context context = {Rational(x), Rational(y), Rational(b)};
          const bool expected =
              model::evaluate(model, context).holds(model.rules[model::RuleId{0}].guard);
          int count = 0;
          for (const Cube& cube : *all) count += holds(cube, context) ? 1 : 0;
          EXPECT_EQ(count, expected ? 1 : 0) << condition << " " << x << " " << y << " " << b;
        }
      }
    }
  }
}

TEST(Cubes, AreNotThereForProductsOrTooManyCases) {
  const model::Model product = model_with("x * y > 3");
  const System system = system_of(product, Mode::Ideal);
  const Wanted wanted{system.moves[0][0].guard, true};
  EXPECT_FALSE(cubes(system, std::span(&wanted, 1)).has_value());
  const model::Model model = model_with("x in {1, 4, 6}");
  const System many = system_of(model, Mode::Ideal);
  const Wanted three{many.moves[0][0].guard, true};
  EXPECT_FALSE(cubes(many, std::span(&three, 1), 2).has_value());
  EXPECT_TRUE(cubes(many, std::span(&three, 1), 3).has_value());
}

}  // namespace
}  // namespace poise::verify
