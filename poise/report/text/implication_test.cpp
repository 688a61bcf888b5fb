#include "poise/report/text/implication.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/lang/lang.h"

namespace poise::report {
namespace {

// Whether the first condition implies the second, with some constraints.
std::optional<bool> implied(const std::string& first, const std::string& second,
                            const std::string& constraints = "") {
  std::string text;
  for (const char name : std::string("abcdefgh")) text += fmt::format("sense {} : bool\n", name);
  text += "sense n : int 0..9\nsense p : bool if a\n" + constraints;
  text += "state A initial\nstate B\n";
  text += "rule one: A -> B\n  when " + first + "\nrule two: A -> B\n  when " + second + "\n";
  const lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  if (!parsed.model) {
    ADD_FAILURE() << text;
    return std::nullopt;
  }
  const model::Model& model = *parsed.model;
  return implies(model, model.rules[{0}].guard, model.rules[{1}].guard);
}

TEST(Implication, IsDecidedByForm) {
  EXPECT_EQ(implied("a and b", "a"), true);
  EXPECT_EQ(implied("a", "a and b"), false);
  EXPECT_EQ(implied("a and (a implies b)", "b"), true);
  EXPECT_EQ(implied("b and (a implies b)", "a"), false);
  EXPECT_EQ(implied("a and (a iff b)", "b"), true);
  EXPECT_EQ(implied("false", "a"), true);
  EXPECT_EQ(implied("a", "true"), true);
  EXPECT_EQ(implied("true", "a or not a"), true);
}

TEST(Implication, SeesMoreAtomsThanAWordHasBitsFor) {
  EXPECT_EQ(implied("a and b and c and d and e and f and g and h", "h and g"), true);
  EXPECT_EQ(implied("(a or b or c or d or e or f or g) and h", "a or b or c or d or e or f or g"),
            true);
  EXPECT_EQ(implied("a or b or c or d or e or f or g or h", "a or b or c or d or e or f or g"),
            false);
}

TEST(Implication, RespectsTypesAndGuards) {
  EXPECT_EQ(implied("n > 5", "n > 3"), true);
  EXPECT_EQ(implied("n > 3", "n > 5"), false);
  EXPECT_EQ(implied("n != 0 and n < 2", "n == 1"), true);
  EXPECT_EQ(implied("p", "a"), true);
  EXPECT_EQ(implied("a", "p"), false);
}

TEST(Implication, RespectsConstraints) {
  EXPECT_EQ(implied("b", "c"), false);
  EXPECT_EQ(implied("b", "c", "constraint b implies c\n"), true);
}

TEST(Implication, IsLeftOpenWhereThereIsTooMuchToTry) {
  std::string many = "n == 0";
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    many += std::string(" or ") + name;
  }
  for (int i = 1; i < 9; ++i) many += " or n == " + std::to_string(i);
  EXPECT_EQ(implied(many, "p"), std::nullopt);
}

}  // namespace
}  // namespace poise::report
