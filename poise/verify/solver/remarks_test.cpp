#include "poise/verify/solver/remarks.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/lang/lang.h"

namespace poise::verify {
namespace {

// Each as "line:column text".
std::vector<std::string> remarks_on(const std::string& text) {
  const lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value())
      << (parsed.diagnostics.empty() ? "" : parsed.diagnostics.front().message);
  std::vector<std::string> said;
  for (const Remark& remark : remarks(*parsed.model)) {
    said.push_back(fmt::format("{}:{} {}", remark.at.line, remark.at.column, remark.text));
  }
  return said;
}

constexpr const char* kRule =
    "\nstate A initial\nrule go: A -> A when front >= 20 do walk, note, count := 3\n";

using Said = std::vector<std::string>;

TEST(Remarks, AreNoneWhereEverythingSaysSomething) {
  EXPECT_EQ(remarks_on(std::string(R"(
sense front : real 0..400 error -6..6
var unit : real = 10 error -5..5
var count : int = 1
constraint front >= 5
action walk: front' == front - unit
action note: count' == count + 1
failure bump: front <= 0 after walk, count > 9 after note)") +
                       kRule),
            Said{});
}

TEST(Remarks, NameFailuresAfterWhatNoRuleDoes) {
  EXPECT_EQ(remarks_on(std::string(R"(
sense front : real 0..400
var count : int = 1
action walk: front' == front - 10
action note: count' == count + 1
action back: front' == front + 10
failure bump: front <= 0 after walk,
  front > 400 after back)") +
                       kRule),
            Said{"8:3 `bump` is asked for after `back`, which no rule does"});
}

TEST(Remarks, NameConditionsThatNothingSatisfies) {
  EXPECT_EQ(
      remarks_on(std::string(R"(
sense front : real 0..400
var unit : real = 10 error -5..5
var count : int = 1
action walk: front' == front - unit and unit > 15
action note: count' == count + 1
failure bump: front < 0 and front > 1 after walk)") +
                 kRule),
      (Said{"5:1 no values before and after `walk` satisfy its condition, so it never happens",
            "7:15 no values after `walk` satisfy this condition of `bump`"}));
}

TEST(Remarks, KnowThatNumbersMayLeaveTheirRangesAndMembersMayNot) {
  EXPECT_EQ(
      remarks_on(std::string(R"(
sense front : int 0..400
sense place : {home, office}
var count : int = 1
action walk: front' == front - 500
action note: place' != home and place' != office
failure bump: front < -300 after walk)") +
                 kRule),
      Said{"6:1 no values before and after `note` satisfy its condition, so it never happens"});
}

TEST(Remarks, KnowThatAVariableMayHaveNoValue) {
  EXPECT_EQ(remarks_on(std::string(R"(
sense front : real 0..400 if on
sense on : bool
var count : int = 1
action walk: not front' > 5 and not front' <= 5
action note: count' == count
failure bump: not front > 5 and not front <= 5 and on after walk)") +
                       kRule),
            Said{"7:15 no values after `walk` satisfy this condition of `bump`"});
}

TEST(Remarks, KnowThatOwnVariablesChangeOnlyWhereSomethingSaysSo) {
  const std::string model = R"(
sense front : real 0..400
var unit : real = 10
var count : int = 1
action walk: front' == front - unit
action note: {}
failure far: unit > 10 after walk)";
  EXPECT_EQ(remarks_on(fmt::format(fmt::runtime(model), "count' == count") + kRule),
            Said{"7:14 no values after `walk` satisfy this condition of `far`"});
  EXPECT_EQ(remarks_on(fmt::format(fmt::runtime(model), "unit' == unit + 1") + kRule), Said{});
}

TEST(Remarks, SayThatConstraintsLeaveNothing) {
  EXPECT_EQ(remarks_on(std::string(R"(
sense front : real 0..400
var count : int = 1
constraint near: front < 3
constraint far: front > 6
action walk: front' == front - 10
action note: count' == count + 1
failure bump: front <= 0 after walk)") +
                       kRule),
            Said{"4:1 no values satisfy the constraints, so nothing ever happens"});
}

}  // namespace
}  // namespace poise::verify
