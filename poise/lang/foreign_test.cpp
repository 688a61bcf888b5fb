#include "poise/lang/foreign.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace poise::lang {
namespace {

TEST(Foreign, ATimeOfDayIsDigitsAndColonsWithoutSpaces) {
  EXPECT_EQ(time_length("22:00 or x"), 5U);
  EXPECT_EQ(time_length("7:30:15}"), 7U);
  EXPECT_EQ(time_length("10:30pm"), 7U);
  EXPECT_EQ(time_length("22: 00"), 0U);
  EXPECT_EQ(time_length("22:x"), 0U);
  EXPECT_EQ(time_length(":30"), 0U);
  EXPECT_EQ(time_length("22"), 0U);
}

TEST(Foreign, ATimeOfDayBecomesACount) {
  EXPECT_EQ(time_hint("22:00", "x >= "), "count minutes from midnight: 22:00 is `1320`");
  EXPECT_EQ(time_hint("0:00:59", "x >= "), "count seconds from midnight: 0:00:59 is `59`");
  EXPECT_EQ(time_hint("1:30", "calls[last "), "a duration is written `90s`, `5m` or `2h`");
  for (const std::string_view none : {"24:00", "7:60", "7:5", "123:00", "1:00:00:00", "10:30pm"}) {
    EXPECT_TRUE(time_hint(none, "").starts_with("a number is")) << none;
  }
}

TEST(Foreign, APercentSignIsBehindANumberAndBeforeNoOperand) {
  const auto number = [](std::string_view text) {
    const auto found = percentage(text, static_cast<std::uint32_t>(text.find('%')));
    return std::string(found.value_or("none"));
  };
  EXPECT_EQ(number("x > 20%"), "20");
  EXPECT_EQ(number("x > 12.5 % and y"), "12.5");
  EXPECT_EQ(number("int 0..100%"), "100");
  EXPECT_EQ(number("x > 20 % y"), "none");
  EXPECT_EQ(number("x > 20%3"), "none");
  EXPECT_EQ(number("x2 % 3"), "none");
  EXPECT_EQ(number("x2%"), "none");
  EXPECT_EQ(number("%"), "none");
}

TEST(Foreign, OddNamesHaveADashOrBeginWithADigit) {
  const auto name = [](std::string_view text) {
    return std::string(text.substr(0, odd_name_end(text, 0).value_or(0)));
  };
  EXPECT_EQ(name("front-door : bool"), "front-door");
  EXPECT_EQ(name("2open : bool"), "2open");
  EXPECT_EQ(name("car.license-plate == x"), "car.license-plate");
  EXPECT_EQ(name("A->B"), "");
  EXPECT_EQ(name("a - b"), "");
  EXPECT_EQ(name("a- b"), "");
  EXPECT_EQ(name("20..30"), "");
  EXPECT_EQ(name("20-30"), "");
  EXPECT_EQ(name("front_door"), "");
  EXPECT_EQ(name("-a"), "");
}

TEST(Foreign, DashesJoinNames) {
  const std::string_view text = "when a.b-c_2-d > x-5 and 5-x";
  const auto whole = [&](std::string_view name) {
    const auto begin = static_cast<std::uint32_t>(text.find(name));
    const auto found = dashed_name(text, {begin, begin + static_cast<std::uint32_t>(name.size())});
    return found ? std::string(text.substr(found->begin, found->end - found->begin)) : "";
  };
  EXPECT_EQ(whole("a.b"), "a.b-c_2-d");
  EXPECT_EQ(whole("c_2"), "a.b-c_2-d");
  EXPECT_EQ(whole("d >"), "a.b-c_2-d");
  EXPECT_EQ(whole("x-5"), "");
  EXPECT_EQ(whole("when"), "");
}

TEST(Foreign, TheEndOfAVeryLongWordIsNotLookedFor) {
  std::string text = "a";
  for (int i = 0; i < 100; ++i) text += "-a";
  EXPECT_FALSE(odd_name_end(text, 0));
}

TEST(Foreign, ProperNamesAreNames) {
  EXPECT_EQ(proper_name("front-door"), "front_door");
  EXPECT_EQ(proper_name("2-open"), "_2_open");
}

TEST(Foreign, ConflictMarksAreSevenSignsAtTheStartOfALine) {
  EXPECT_EQ(conflict_mark("<<<<<<< HEAD\n", 0), '<');
  EXPECT_EQ(conflict_mark("x\n=======\r\n", 2), '=');
  EXPECT_EQ(conflict_mark(">>>>>>> branch", 0), '>');
  EXPECT_EQ(conflict_mark("||||||| base", 0), '|');
  EXPECT_FALSE(conflict_mark("========", 0));
  EXPECT_FALSE(conflict_mark("======", 0));
  EXPECT_FALSE(conflict_mark(" =======", 1));
  EXPECT_FALSE(conflict_mark(">>>>>>>branch", 0));
  EXPECT_FALSE(conflict_mark("", 0));
}

TEST(Foreign, YamlEndsWhereAModelGoesOn) {
  const std::string_view yaml = "---\n- id: '1'\n  alias: Light\n  trigger:\n\n  - platform: x\n";
  const std::string text = std::string(yaml) + "rule r: A -> B\n";
  EXPECT_EQ(yaml_end(text, 0), yaml.size());
  EXPECT_EQ(yaml_end(yaml, 0), yaml.size());
  EXPECT_EQ(yaml_end("alias: x", 0), 8U);
}

TEST(Foreign, WhatIsOnlySimilarToYamlIsNot) {
  for (const std::string_view text :
       {"---\nsense x : bool\n", "sensor: x\nsense y : bool\n", "condition: x > 3\n", "alias = 3\n",
        "alias :x\n", "states:\n  - A\n  - B\n", ""}) {
    EXPECT_FALSE(yaml_end(text, 0)) << text;
  }
  std::string late = "---\n";
  for (int i = 0; i < 30; ++i) late += "# a comment\n";
  EXPECT_FALSE(yaml_end(late + "alias: x\n", 0));
}

}  // namespace
}  // namespace poise::lang
