#include "poise/importer/fll.h"

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/importer/controller.h"

namespace poise::importer {
namespace {

constexpr std::string_view kAvoidance = R"(# Obstacle avoidance
Engine: ObstacleAvoidance
  description: an example
InputVariable: obstacle
  enabled: true
  range: 0.000 1.000
  lock-range: false
  term: left Ramp 1.000 0.000
  term: right Ramp 0.000 1.000
InputVariable: Speed-Now
  range: -5 5e1
  term: slow Triangle -5 0 +.5
  term: in Trapezoid 0 10 20 50 1.0
  term: odd Discrete 0 0 1 0.5 2 0
OutputVariable: mSteer
  enabled: true
  range: 0.000 1.000
  lock-range: false
  aggregation: Maximum
  defuzzifier: Centroid 100
  default: nan
  lock-previous: false
  term: left Ramp 1.000 0.000
  term: right Ramp 0.000 1.000
RuleBlock: mamdani
  enabled: true
  conjunction: Minimum
  disjunction: Maximum
  implication: Minimum
  activation: General
  rule: if obstacle is left and (Speed-Now is not slow or Speed-Now is in) then mSteer is right
  rule: if obstacle is right then mSteer is left with 0.5
)";

TEST(Fll, BecomesAPolicy) {
  const Imported imported = from_fll(kAvoidance);
  for (const diag::Diagnostic& diagnostic : imported.diagnostics) {
    ADD_FAILURE() << diagnostic.message;
  }
  EXPECT_EQ(imported.text, R"(# mSteer has no default: where no rule holds it is at its low end
model ObstacleAvoidance

sense obstacle : real 0.000..1.000
  term left = ramp 1.000 0.000, right = ramp 0.000 1.000
sense Speed_Now : real -5..50
  term slow = triangle -5 0 0.5, in_2 = trapezoid 0 10 20 50, odd = table (0 0) (1 0.5) (2 0)

variant mSteer : real 0.000..1.000 = 0.000
option set_mSteer: mSteer := utility
utility of set_mSteer : real 0.000..1.000 = 0.000 mamdani
  term left = ramp 1.000 0.000, right = ramp 0.000 1.000

prefer set_mSteer right when obstacle is left and (not Speed_Now is slow or Speed_Now is in_2)
prefer set_mSteer left weight 0.5 when obstacle is right
)");
}

TEST(Fll, SingletonsAreAveraged) {
  const Imported imported = from_fll(R"(
InputVariable: x
  range: 0 1
  term: low Rectangle 0 0.5
OutputVariable: y
  range: 0 10
  default: 3
  defuzzifier: WeightedAverage TakagiSugeno
  term: a Constant 2.5
OutputVariable: z
  range: 0 10
  defuzzifier: WeightedAverage
  term: a Constant 1
RuleBlock:
  conjunction: AlgebraicProduct
  implication: AlgebraicProduct
  rule: if x is low then y is a and z is a
)");
  EXPECT_EQ(imported.text, R"(sense x : real 0..1
  term low = trapezoid 0 0 0.5 0.5

variant y : real 0..10 = 3
option set_y: y := utility
utility of set_y : real 0..10 = 3 sugeno
  term a = singleton 2.5

variant z : real 0..10 = 0
option set_z: z := utility
utility of set_z : real 0..10 = 0 sugeno
  term a = singleton 1

prefer set_y a when x is low
prefer set_z a when x is low
)");
}

// The code and the marked text of the first mistake.
std::string mistake(std::string_view text) {
  const Imported imported = from_fll(text);
  EXPECT_TRUE(imported.text.empty());
  if (imported.diagnostics.empty()) return "none";
  const diag::Diagnostic& first = imported.diagnostics.front();
  return std::string(diag::info(first.code).code) + ": " +
         std::string(text.substr(first.span.begin, first.span.end - first.span.begin));
}

TEST(Fll, SaysWhatItCannotRead) {
  const std::string head =
      "InputVariable: x\nrange: 0 1\nterm: low Ramp 0 1\nOutputVariable: y\nrange: 0 1\n"
      "term: a Ramp 0 1\nRuleBlock:\n";
  EXPECT_EQ(mistake("nonsense"), "import-syntax: nonsense");
  EXPECT_EQ(mistake("InputVariable: x\nrange: 0 one"), "import-syntax: one");
  EXPECT_EQ(mistake("InputVariable: x\nrange: 0 inf"), "import-unsupported: inf");
  EXPECT_EQ(mistake("InputVariable: x\nterm: a Gaussian 1 2"), "import-unsupported: Gaussian");
  EXPECT_EQ(mistake("InputVariable: x\nterm: a Ramp 0 1 0.5"), "import-unsupported: 0.5");
  EXPECT_EQ(mistake("InputVariable: x\nInputVariable: x"), "import-syntax: x");
  EXPECT_EQ(mistake("range: 0 1"), "import-syntax: range");
  EXPECT_EQ(mistake(head + "rule: x is low"), "import-syntax: x is low");
  EXPECT_EQ(mistake(head + "rule: if x is very low then y is a"), "import-unsupported: very");
  EXPECT_EQ(mistake(head + "rule: if x is high then y is a"), "import-syntax: high");
  EXPECT_EQ(mistake(head + "rule: if z is low then y is a"), "import-syntax: z");
  EXPECT_EQ(mistake(head + "rule: if (x is low then y is a"), "import-syntax: low");
  EXPECT_EQ(mistake(head + "rule: if x is low and then y is a"), "import-syntax: and");
  EXPECT_EQ(mistake(head + "rule: if then y is a"), "import-syntax: ");
  EXPECT_EQ(mistake(head + "rule: if x is low then x is low"), "import-syntax: x");
  EXPECT_EQ(mistake(head + "rule: if x is low then"), "import-syntax: low");
  EXPECT_EQ(mistake(head + "rule: if with 2 then"), "import-syntax: with");
  EXPECT_EQ(
      mistake(head + "conjunction: AlgebraicProduct\nrule: if x is low and x is low then y is a"),
      "import-unsupported: AlgebraicProduct");
  EXPECT_EQ(mistake("\xff"), "invalid-utf8: \xff");
}

TEST(Fll, BadTextNeverCrashes) {
  Random random(11);
  const std::string good(kAvoidance);
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (std::uint64_t i = 1 + random.below(6); i > 0; --i) {
      const std::size_t at = random.below(text.size());
      switch (random.below(3)) {
        case 0: text.erase(at, random.below(30)); break;
        case 1: text[at] = static_cast<char>(random.below(128)); break;
        default: text.insert(at, text.substr(random.below(text.size()), random.below(30)));
      }
    }
    const Imported imported = from_fll(text);
    EXPECT_EQ(imported.text.empty(), !imported.diagnostics.empty());
  }
}

TEST(Fll, WritesDecimalsAsTheLanguageDoes) {
  EXPECT_EQ(decimal_from("1.000"), "1.000");
  EXPECT_EQ(decimal_from("-.5"), "-0.5");
  EXPECT_EQ(decimal_from("5."), "5");
  EXPECT_EQ(decimal_from("+3"), "3");
  EXPECT_EQ(decimal_from("1.25e2"), "125");
  EXPECT_EQ(decimal_from("1.25e1"), "12.5");
  EXPECT_EQ(decimal_from("25E-3"), "0.025");
  EXPECT_EQ(decimal_from("1e3"), "1000");
  for (const char* const wrong : {"", ".", "-", "1e", "1e+", "1.2.3", "0x10", "1e999", "a"}) {
    EXPECT_EQ(decimal_from(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace poise::importer
