#include "poise/verify/simulate/constrained_draw.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"

namespace poise::verify {
namespace {

// Draws the start values of a model, by its constraints.
class Start {
 public:
  explicit Start(const std::string& text) : model_(model_of(text)) {
    for (const model::Constraint& constraint : model_.constraints) {
      required_.push_back(constraint.condition);
    }
    for (const model::SlotId slot : model_.slots.ids()) {
      const model::Variable& variable = model_.variables[model_.slots[slot].variable];
      unknown_.push_back({slot.index, numeric_domain(variable.type), true});
    }
  }

  // False for none; else they are checked.
  bool draw(Random& random, std::span<const double> pattern = {}) {
    const NumericConditions conditions(model_, model_.atoms, model_.formulas);
    values.assign(model_.slots.size(), std::nan(""));
    if (!verify::draw({conditions, required_, unknown_, pattern}, values, random)) return false;
    for (const model::FormulaId id : required_) EXPECT_TRUE(conditions.holds(id, values));
    for (const UnknownValue& one : unknown_) {
      EXPECT_GE(values[one.slot], one.domain.low - 1e-9);
      EXPECT_LE(values[one.slot], one.domain.high + 1e-9);
      if (one.domain.whole) {
        EXPECT_EQ(values[one.slot], std::round(values[one.slot]));
      }
    }
    return true;
  }

  std::vector<double> values;

 private:
  static model::Model model_of(const std::string& text) {
    lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
    EXPECT_TRUE(parsed.model.has_value());
    return std::move(*parsed.model);
  }

  model::Model model_;
  std::vector<model::FormulaId> required_;
  std::vector<UnknownValue> unknown_;
};

constexpr const char* kRest = "state A initial\nrule r: A -> A when true\n";

TEST(Drawn, SolvesEquations) {
  Start start(std::string(R"(
    sense x : real -100..100
    sense y : real -100..100
    sense z : real -100..100
    constraint x + y + z == 6
    constraint x - y == 1 and 2 * y + z == 7 - x + y - 1
  )") + kRest);
  Random random(1);
  // x = y + 1, z = 5 - 2y, and 2y + z = 5: one is left to choose.
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(start.draw(random));
    EXPECT_NEAR(start.values[0] - start.values[1], 1, 1e-9);
    EXPECT_NEAR(start.values[2], 5 - 2 * start.values[1], 1e-9);
  }
}

TEST(Drawn, HasUniformValuesWhereOnlyRangesMatter) {
  Start start(std::string(R"(
    sense x : real 0..400
    sense n : int 0..9
    constraint x > 100 and x <= 200
    constraint n != 3 and n < 5
  )") + kRest);
  Random random(1);
  std::array<int, 10> tens{};
  std::array<int, 10> whole{};
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(start.draw(random));
    ++tens.at(static_cast<std::size_t>((start.values[0] - 100) / 10));
    ++whole.at(static_cast<std::size_t>(start.values[1]));
  }
  for (const int count : tens) EXPECT_NEAR(count, 1000, 150);
  for (const std::size_t n : {0U, 1U, 2U, 4U}) EXPECT_NEAR(whole.at(n), 2500, 250);
  EXPECT_EQ(whole[3], 0);
}

TEST(Drawn, TakesEveryPartOfADisjunction) {
  Start start(std::string(R"(
    sense on : bool
    sense level : int 0..100 if on
    sense place : {home, office, elsewhere}
    sense who : set {ann, bob}
    constraint level == 7 or place == office or (who has ann and not on)
    constraint place != home iff who has bob
    constraint on implies place in {home, elsewhere}
  )") + kRest);
  Random random(1);
  std::array<int, 3> seen{};
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(start.draw(random));
    if (start.values[0] == 1) {
      EXPECT_EQ(start.values[1], 7);
      ++seen[0];
    } else {
      ++seen.at(start.values[3] == 1 ? 1 : 2);
    }
  }
  for (const int count : seen) EXPECT_GT(count, 50);
}

TEST(Drawn, FollowsAPattern) {
  Start start(std::string(R"(
    sense x : real 0..10
    sense y : real 0..10
    constraint x <= 2 or x >= 8
    constraint y >= x
  )") + kRest);
  Random random(1);
  const std::array pattern = {9.0, 9.5};
  ASSERT_TRUE(start.draw(random, pattern));
  EXPECT_EQ(start.values[0], 9);
  EXPECT_EQ(start.values[1], 9.5);
  // As near as it may be.
  const std::array wrong = {8.5, 3.0};
  ASSERT_TRUE(start.draw(random, wrong));
  EXPECT_EQ(start.values[0], 8.5);
  EXPECT_EQ(start.values[1], 8.5);
}

TEST(Drawn, FindsNothingWhereThereIsNothing) {
  Start start(std::string(R"(
    sense x : real 0..10
    sense y : real 0..10
    constraint x + y == 5 and x + y > 6
  )") + kRest);
  Random random(1);
  EXPECT_FALSE(start.draw(random));
}

}  // namespace
}  // namespace poise::verify
