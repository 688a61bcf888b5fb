#include "poise/json/reader.h"

#include <string>

#include <gtest/gtest.h>

#include "poise/json/number.h"

namespace poise::json {
namespace {

// "ok", or the mistake.
std::string verdict(std::string_view text) {
  std::string scratch;
  Reader json(text, scratch);
  json.any();
  return json.finish() ? "ok" : json.error().value().message;
}

std::string string_in(std::string_view text) {
  std::string scratch;
  Reader json(text, scratch);
  return std::string(json.string().value_or("(none)"));
}

TEST(Reader, ReadsWhatTheStandardAllows) {
  for (const char* text :
       {"null", "true", " false ", "0", "-0", "-12.50e+3", "1E9", R"("")", R"("\"\\\/\b\f\n\r\t")",
        R"("\u00e9\uD83D\uDE00")", "[]", "[ ]", "[1,[2],{}]", "{ }", R"({"a":{"b":[null]},"c":1})",
        "\t\r\n1\n", R"("ü😀")", "\"\x7f\""}) {
    EXPECT_EQ(verdict(text), "ok") << text;
  }
}

TEST(Reader, RefusesWhatItDoesNot) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "column 1: expected a value"},
      {"  ", "column 3: expected a value"},
      {"nul", "column 1: expected `null`"},
      {"True", "column 1: expected a value"},
      {"'a'", "column 1: expected a value"},
      {"01", "column 1: expected a number"},
      {"-", "column 1: expected a number"},
      {"1.", "column 1: expected a number"},
      {".5", "column 1: expected a value"},
      {"+1", "column 1: expected a value"},
      {"1e", "column 1: expected a number"},
      {"1 2", "column 3: expected nothing more"},
      {"NaN", "column 1: expected a value"},
      {"[1,]", "column 4: expected a value"},
      {"[1 2]", "column 4: expected `,` or `]`"},
      {"[1", "column 3: expected `,` or `]`"},
      {"[,1]", "column 2: expected a value"},
      {R"({"a":1,})", "column 8: expected a string"},
      {R"({"a" 1})", "column 6: expected `:`"},
      {R"({a:1})", "column 2: expected a string"},
      {R"({"a":1)", "column 7: expected `,` or `}`"},
      {R"({"a":1,"b":2,"a":3})", "column 14: a key for the second time"},
      {R"({"a":1,"\u0061":3})", "column 8: a key for the second time"},
      {R"("abc)", "column 5: a string that does not end"},
      {R"("abc\)", "column 5: an unknown escape"},
      {R"("a\x")", "column 3: an unknown escape"},
      {"\"a\tb\"", "column 3: a control character in a string"},
      {"\"\\n\tb\"", "column 4: a control character in a string"},
      {R"("\u12")", "column 2: `\\u` takes four hexadecimal digits"},
      {R"("\u12G4")", "column 2: `\\u` takes four hexadecimal digits"},
      {R"("\uD83D")", "column 2: half a surrogate pair"},
      {R"("\uDE00\uD83D")", "column 2: half a surrogate pair"},
      {R"("\uD83Dx")", "column 2: half a surrogate pair"},
      {R"(["üü" 1])", "column 7: expected `,` or `]`"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(verdict(text), message) << text;
}

TEST(Reader, LimitsTheDepth) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(verdict(nested(64)), "ok");
  EXPECT_EQ(verdict(nested(65)), "column 65: nested too deeply");
  EXPECT_EQ(verdict(std::string(1'000'000, '[')), "column 65: nested too deeply");
}

TEST(Reader, WritesOutEscapes) {
  EXPECT_EQ(string_in(R"("plain")"), "plain");
  EXPECT_EQ(string_in(R"("a\u0062c")"), "abc");
  EXPECT_EQ(string_in(R"("\u00e9\u20ac\uD83D\uDE00")"), "é€😀");
  EXPECT_EQ(string_in(R"("\u0000")"), std::string(1, '\0'));
}

TEST(Reader, KeepsWhatWasWrittenOutBefore) {
  std::string scratch;
  Reader json(R"(["\u0061aaaaaaaaaaaaaaaaaaaaa", "\u0062bbbbbbbbbbbbbbbbbbbbbbbb"])", scratch);
  json.begin_array();
  ASSERT_TRUE(json.next_element());
  const std::string_view first = json.string().value();
  ASSERT_TRUE(json.next_element());
  const std::string_view second = json.string().value();
  EXPECT_FALSE(json.next_element());
  EXPECT_EQ(first, "aaaaaaaaaaaaaaaaaaaaaa");
  EXPECT_EQ(second, "bbbbbbbbbbbbbbbbbbbbbbbbb");
}

TEST(Numbers, AreExact) {
  const auto exact = [](std::string_view text) { return exact_number(text).value().to_string(); };
  EXPECT_EQ(exact("0"), "0");
  EXPECT_EQ(exact("-0"), "0");
  EXPECT_EQ(exact("7.2"), "7.2");
  EXPECT_EQ(exact("-7.20"), "-7.2");
  EXPECT_EQ(exact("0.1234567890123456789012345678901"), "0.1234567890123456789012345678901");
  EXPECT_EQ(exact("-123456789012345678901234567890"), "-123456789012345678901234567890");
  EXPECT_EQ(exact("1e3"), "1000");
  EXPECT_EQ(exact("1.5E-3"), "0.0015");
  EXPECT_EQ(exact("-25e+2"), "-2500");
  EXPECT_EQ(exact("1e400").size(), 401U);
  EXPECT_EQ(exact("1e0000000000000000000003"), "1000");
}

TEST(Numbers, HaveLimits) {
  for (const char* text : {"1e401", "1e-401", "1e99999999999999999999", "0e500"}) {
    EXPECT_EQ(exact_number(text).error().message, "an exponent that is not in -400..400") << text;
  }
  EXPECT_TRUE(exact_number(std::string(1000, '9')));
  EXPECT_EQ(exact_number(std::string(1001, '9')).error().message,
            "a number of more than 1000 digits");
}

TEST(Numbers, AreAsNearAsTheyCanBeForTimes) {
  EXPECT_EQ(nearest_number("1210.5"), 1210.5);
  EXPECT_EQ(nearest_number("0.1"), 0.1);
  EXPECT_EQ(nearest_number("-3"), -3.0);
  EXPECT_EQ(nearest_number("1700000000.123456789"), 1700000000.123456789);
  EXPECT_EQ(nearest_number("1e3"), 1000.0);
  EXPECT_EQ(nearest_number("1772409600000000000"), 1772409600000000000.0);
  EXPECT_EQ(nearest_number("1e999"), std::nullopt);
  EXPECT_EQ(nearest_number("-1e300"), std::nullopt);
}

}  // namespace
}  // namespace poise::json
