#include "poise/shake/subjects/fuzzy.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/shake/subjects/policy_test.h"

#ifdef POISE_FUZZYLITE
#include <fl/Headers.h>
#endif

namespace poise::shake {
namespace {

using model::Shape;
using model::UtilityScale;
using enum Shape::Kind;

double at(Shape::Kind kind, std::vector<Rational> points, double number) {
  return degree_of(membership_of({kind, std::move(points)}), number);
}

TEST(Fuzzy, KnowsTheShapes) {
  const std::vector<Rational> trapezoid = {1, 3, 4, 8};
  EXPECT_EQ(at(Trapezoid, trapezoid, 1), 0);
  EXPECT_EQ(at(Trapezoid, trapezoid, 2), 0.5);
  EXPECT_EQ(at(Trapezoid, trapezoid, 3), 1);
  EXPECT_EQ(at(Trapezoid, trapezoid, 4), 1);
  EXPECT_EQ(at(Trapezoid, trapezoid, 7), 0.25);
  EXPECT_EQ(at(Trapezoid, trapezoid, 9), 0);
  EXPECT_EQ(at(Triangle, {0, 1, 3}, 0.5), 0.5);
  EXPECT_EQ(at(Triangle, {0, 1, 3}, 1), 1);
  EXPECT_EQ(at(Triangle, {0, 1, 3}, 2), 0.5);
  EXPECT_EQ(at(Ramp, {2, 4}, 2), 0);
  EXPECT_EQ(at(Ramp, {2, 4}, 3), 0.5);
  EXPECT_EQ(at(Ramp, {2, 4}, 1e300), 1);
  EXPECT_EQ(at(Ramp, {4, 2}, -1e300), 1);
  EXPECT_EQ(at(Ramp, {4, 2}, 3), 0.5);
  EXPECT_EQ(at(Ramp, {4, 2}, 4), 0);
  EXPECT_EQ(at(Singleton, {2}, 2), 1);
  EXPECT_EQ(at(Singleton, {2}, 2.001), 0);
  EXPECT_EQ(at(Table, {0, 1, 10, 0.5_r, 20, 0}, -3), 1);
  EXPECT_EQ(at(Table, {0, 1, 10, 0.5_r, 20, 0}, 5), 0.75);
  EXPECT_EQ(at(Table, {0, 1, 10, 0.5_r, 20, 0}, 15), 0.25);
  EXPECT_EQ(at(Table, {0, 1, 10, 0.5_r, 20, 0}, 30), 0);
}

TEST(Fuzzy, KnowsUprightSides) {
  EXPECT_EQ(at(Trapezoid, {0, 0, 0.2_r, 0.4_r}, 0), 1);
  EXPECT_EQ(at(Trapezoid, {0, 0, 0.2_r, 0.4_r}, -0.001), 0);
  EXPECT_EQ(at(Trapezoid, {0.6_r, 0.8_r, 1, 1}, 1), 1);
  EXPECT_EQ(at(Trapezoid, {0.6_r, 0.8_r, 1, 1}, 1.001), 0);
}

TEST(Fuzzy, WithoutANumberNothingIsSo) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(at(Trapezoid, {0, 0, 1, 1}, none), 0);
  EXPECT_EQ(at(Ramp, {0, 1}, none), 0);
  EXPECT_EQ(at(Ramp, {1, 0}, none), 0);
  EXPECT_EQ(at(Table, {0, 1, 1, 1}, none), 0);
}

TEST(Fuzzy, TermsHaveMiddles) {
  const auto middle = [](Shape::Kind kind, std::vector<Rational> points) {
    return membership_of({kind, std::move(points)}).middle;
  };
  EXPECT_EQ(middle(Trapezoid, {0, 2, 4, 9}), 3);
  EXPECT_EQ(middle(Triangle, {0, 2, 9}), 2);
  EXPECT_EQ(middle(Ramp, {1, 5}), 5);
  EXPECT_EQ(middle(Ramp, {5, 1}), 1);
  EXPECT_EQ(middle(Singleton, {7}), 7);
  EXPECT_EQ(middle(Table, {0, 0, 2, 1, 3, 1, 9, 0}), 2.5);
}

TEST(Fuzzy, SugenoIsAWeightedMean) {
  const Scale scale(PolicyBuilder::usual_scale());
  const std::vector<Vote> votes = scale.arranged({{0, 2, 1}, {1, 0, 1}, {2, 1, 2}});
  const std::vector<double> degrees = {0.5, 0.25, 0.125};
  EXPECT_DOUBLE_EQ(scale.utility(votes, degrees.data()), 0.625);
  const std::vector<double> nothing = {0, 0, 0};
  EXPECT_EQ(scale.utility(votes, nothing.data()), 0);
  UtilityScale other = PolicyBuilder::usual_scale();
  other.otherwise = 0.3_r;
  EXPECT_EQ(Scale(other).utility(votes, nothing.data()), 0.3);
  EXPECT_EQ(Scale(other).utility({}, nullptr), 0.3);
}

UtilityScale mamdani_scale() {
  UtilityScale scale;
  scale.method = UtilityScale::Method::Mamdani;
  scale.low = 0;
  scale.high = 10;
  scale.otherwise = 4;
  scale.terms = {{"low", {Trapezoid, {0, 0, 2, 4}}, {}},
                 {"medium", {Triangle, {3, 5, 7}}, {}},
                 {"high", {Ramp, {6, 9}}, {}}};
  return scale;
}

TEST(Fuzzy, CentroidIsNearTheIntegral) {
  const UtilityScale definition = mamdani_scale();
  const Scale scale(definition);
  const std::vector<Vote> votes = scale.arranged({{0, 0, 1}, {1, 2, 0.5}, {2, 1, 1}, {3, 0, 1}});
  std::vector<Membership> shapes;
  for (const model::Term& term : definition.terms) shapes.push_back(membership_of(term.shape));
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> degrees;
    for (int i = 0; i < 4; ++i) degrees.push_back(static_cast<double>(random.below(101)) / 100);
    constexpr int kParts = 200'000;
    double area = 0;
    double moment = 0;
    for (int i = 0; i < kParts; ++i) {
      const double x = (i + 0.5) * 10 / kParts;
      double height = 0;
      for (const Vote& vote : votes) {
        height = std::max(
            height, std::min(degrees[vote.place] * vote.weight, degree_of(shapes[vote.term], x)));
      }
      area += height;
      moment += height * x;
    }
    // 100 parts of 0.1 each: corners lie within parts, so that it is not exact.
    const double exact = area > 0 ? moment / area : 4;
    EXPECT_NEAR(scale.utility(votes, degrees.data()), exact, 0.01);
  }
  const std::vector<double> nothing(4, 0.0);
  EXPECT_EQ(scale.utility(votes, nothing.data()), 4);
}

#ifdef POISE_FUZZYLITE

// 10,000 random inputs to an engine of three inputs with three terms each, and to our tables.
void agree_with_fuzzylite(const UtilityScale& definition, bool singletons) {
  fl::fuzzylite::setMachEps(0);  // its comparisons are not exact otherwise
  fl::Engine engine;
  std::vector<std::vector<Membership>> terms;
  for (int i = 0; i < 3; ++i) {
    auto* input = new fl::InputVariable(fl::Op::str(i).insert(0, "x"), 0, 1);
    input->addTerm(new fl::Trapezoid("low", 0, 0, 0.2, 0.4));
    input->addTerm(new fl::Triangle("medium", 0.3, 0.5, 0.7));
    input->addTerm(new fl::Ramp("high", 0.6, 0.9));
    engine.addInputVariable(input);
    terms.push_back({membership_of({Trapezoid, {0, 0, 0.2_r, 0.4_r}}),
                     membership_of({Triangle, {0.3_r, 0.5_r, 0.7_r}}),
                     membership_of({Ramp, {0.6_r, 0.9_r}})});
  }
  auto* output = new fl::OutputVariable("out", 0, 10);
  if (singletons) {
    output->addTerm(new fl::Constant("low", 0));
    output->addTerm(new fl::Constant("medium", 0.5));
    output->addTerm(new fl::Constant("high", 1));
    output->setDefuzzifier(new fl::WeightedAverage("TakagiSugeno"));
  } else {
    output->addTerm(new fl::Trapezoid("low", 0, 0, 2, 4));
    output->addTerm(new fl::Triangle("medium", 3, 5, 7));
    output->addTerm(new fl::Ramp("high", 6, 9));
    output->setDefuzzifier(new fl::Centroid(100));
    output->setAggregation(new fl::Maximum);
  }
  output->setDefaultValue(singletons ? 0 : 4);
  engine.addOutputVariable(output);
  auto* block = new fl::RuleBlock;
  block->setConjunction(new fl::Minimum);
  block->setDisjunction(new fl::Maximum);
  block->setImplication(new fl::Minimum);
  block->setActivation(new fl::General);
  const auto rule = [&](const char* text) { block->addRule(fl::Rule::parse(text, &engine)); };
  rule("if x0 is low and x1 is high then out is high");
  rule("if x0 is medium or x2 is medium then out is medium with 0.5");
  rule("if x1 is low and x2 is not high then out is low");
  rule("if x0 is high then out is high with 0.75");
  engine.addRuleBlock(block);

  const Scale scale(definition);
  const std::vector<Vote> votes = scale.arranged({{0, 2, 1}, {1, 1, 0.5}, {2, 0, 1}, {3, 2, 0.75}});
  Random random(17);
  double worst = 0;
  for (int round = 0; round < 10'000; ++round) {
    std::vector<std::vector<double>> is(3);
    for (std::size_t i = 0; i < 3; ++i) {
      const double x = static_cast<double>(random.next() >> 11) * 0x1p-53;
      engine.getInputVariable(i)->setValue(x);
      for (const Membership& term : terms[i]) is[i].push_back(degree_of(term, x));
    }
    engine.process();
    const std::vector<double> degrees = {std::min(is[0][0], is[1][2]), std::max(is[0][1], is[2][1]),
                                         std::min(is[1][0], 1 - is[2][2]), is[0][2]};
    const double ours = scale.utility(votes, degrees.data());
    worst = std::max(worst, std::abs(ours - output->getValue()));
  }
  EXPECT_LE(worst, 1e-12);
}

TEST(Fuzzy, SugenoAgreesWithFuzzylite) { agree_with_fuzzylite(PolicyBuilder::usual_scale(), true); }
TEST(Fuzzy, MamdaniAgreesWithFuzzylite) { agree_with_fuzzylite(mamdani_scale(), false); }

#endif

}  // namespace
}  // namespace poise::shake
