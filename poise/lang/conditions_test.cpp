// Conditions outside of a model that use its names.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"

namespace poise::lang {
namespace {

const char* const kModel =
    "sense x : real 0..10\n"
    "sense on : bool\n"
    "sense y : int 0..5 if on\n"
    "stream S { n : int 0..9 }\n"
    "let near(a) = a < 3\n"
    "state A initial  # the end";

ParsedConditions parsed(std::vector<std::string> conditions) {
  return parse_with_conditions({.name = "m.poise", .text = kModel}, conditions);
}

TEST(Conditions, KnowTheNamesOfTheModel) {
  const ParsedConditions read = parsed({"x > 1.5 and near(y)", "not on", "true"});
  ASSERT_TRUE(read.model.has_value());
  ASSERT_EQ(read.conditions.each.size(), 3U);
  EXPECT_EQ(read.conditions.atoms.size(), 3U);
  EXPECT_EQ(read.conditions.formulas[read.conditions.each[0]].op, model::Op::And);
  EXPECT_EQ(read.conditions.formulas[read.conditions.each[2]].op, model::Op::True);
}

TEST(Conditions, AreNoPartOfTheModel) {
  const ParsedConditions read = parsed({"x > 1.5"});
  ASSERT_TRUE(read.model.has_value());
  EXPECT_TRUE(read.model->constraints.empty());
  EXPECT_TRUE(read.model->atoms.empty());
}

TEST(Conditions, CannotDeclareAnything) {
  for (const char* hostile : {"true state B", "true\nconstraint x > 1", "x > 1)", "(x > 1", "",
                              "# nothing", "true ; state B", "x > 1 state"}) {
    const ParsedConditions read = parsed({"true", hostile, "true"});
    EXPECT_FALSE(read.model.has_value()) << hostile;
    EXPECT_TRUE(read.diagnostics.empty()) << hostile;
    EXPECT_TRUE(read.of_conditions[0].empty()) << hostile;
    ASSERT_FALSE(read.of_conditions[1].empty()) << hostile;
    EXPECT_LE(read.of_conditions[1][0].span.end, std::string(hostile).size()) << hostile;
    EXPECT_TRUE(read.of_conditions[2].empty()) << hostile;
  }
}

TEST(Conditions, SayWhereAMistakeIs) {
  const ParsedConditions read = parsed({"true", "on and z > 3"});
  ASSERT_EQ(read.of_conditions[1].size(), 1U);
  EXPECT_EQ(read.of_conditions[1][0].span, (Span{7, 8}));
  EXPECT_EQ(read.of_conditions[1][0].code, diag::Code::UnknownName);
}

TEST(Conditions, HaveNoPrimesAndNoStreams) {
  EXPECT_FALSE(parsed({"x' > 1"}).of_conditions[0].empty());
  EXPECT_FALSE(parsed({"exists s in S: s.n > 1"}).of_conditions[0].empty());
}

TEST(Conditions, AreNotReadIfTheModelIsWrong) {
  const ParsedConditions read =
      parse_with_conditions({.name = "m.poise", .text = "state"}, std::vector<std::string>{"true"});
  EXPECT_FALSE(read.model.has_value());
  EXPECT_FALSE(read.diagnostics.empty());
}

}  // namespace
}  // namespace poise::lang
