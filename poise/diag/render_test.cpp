#include "poise/diag/render.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace poise::diag {
namespace {

// The span of the first occurrence of a part of a text.
Span span_of(std::string_view text, std::string_view part) {
  const auto begin = static_cast<std::uint32_t>(text.find(part));
  return {begin, begin + static_cast<std::uint32_t>(part.size())};
}

std::string rendered(const std::string& text, std::string_view part, std::string hint = "guess") {
  return render({.name = "m.poise", .text = text}, {{.code = Code::UnknownName,
                                                     .span = span_of(text, part),
                                                     .message = "message",
                                                     .hint = std::move(hint)}});
}

TEST(Render, ShowsPlaceLineHintAndRelatedPlaces) {
  const std::string text =
      "\n\n\nsense temperature : int 5..40\n\n\n\n\n"
      "rule cool: idle -> cooling when temprature > 26\n";
  const Diagnostic diagnostic = {
      .code = Code::UnknownName,
      .span = span_of(text, "temprature"),
      .message = "unknown variable `temprature`",
      .hint = "did you mean `temperature`?",
      .related = {{.span = span_of(text, "temperature"), .label = "declared here"}}};
  EXPECT_EQ(render({.name = "unknown_name.poise", .text = text}, {diagnostic}),
            "unknown_name.poise:9:33: error: unknown variable `temprature` [unknown-name]\n"
            " 9 | rule cool: idle -> cooling when temprature > 26\n"
            "   |                                 ^^^^^^^^^^ did you mean `temperature`?\n"
            " 4 | sense temperature : int 5..40\n"
            "   |       ----------- declared here\n");
}

TEST(Render, AlignsLineNumbersOfDifferentWidth) {
  std::string text = "first\n";
  for (int i = 0; i < 10; ++i) text += "line\n";
  text += "last\n";
  const Diagnostic diagnostic = {.code = Code::DuplicateName,
                                 .span = span_of(text, "last"),
                                 .message = "message",
                                 .related = {{.span = span_of(text, "first"), .label = "here"}}};
  EXPECT_EQ(render({.name = "m", .text = text}, {diagnostic}),
            "m:12:1: error: message [duplicate-name]\n"
            " 12 | last\n"
            "    | ^^^^\n"
            "  1 | first\n"
            "    | ----- here\n");
}

TEST(Render, PutsNothingBehindTheCaretsWithoutAHint) {
  EXPECT_EQ(rendered("a bc d", "bc", ""),
            "m.poise:1:3: error: message [unknown-name]\n"
            " 1 | a bc d\n"
            "   |   ^^\n");
}

TEST(Render, MarksOnlyTheFirstLineOfALongSpan) {
  EXPECT_EQ(rendered("a (b\n c) d", "(b\n c)"),
            "m.poise:1:3: error: message [unknown-name]\n"
            " 1 | a (b\n"
            "   |   ^^ guess\n");
}

TEST(Render, MarksAPlaceBehindTheLastCharacter) {
  EXPECT_EQ(render({.name = "m", .text = "let a =\r\n"},
                   {{.code = Code::ExpectedExpression, .span = {7, 7}, .message = "message"}}),
            "m:1:8: error: message [expected-expression]\n"
            " 1 | let a =\n"
            "   |        ^\n");
  EXPECT_EQ(render({.name = "m", .text = ""},
                   {{.code = Code::NoInitialState, .span = {0, 0}, .message = "message"}}),
            "m:1:1: error: message [no-initial-state]\n"
            " 1 |\n"
            "   | ^\n");
  EXPECT_EQ(render({.name = "m", .text = "a\n"},
                   {{.code = Code::NoInitialState, .span = {2, 2}, .message = "message"}}),
            "m:2:1: error: message [no-initial-state]\n"
            " 2 |\n"
            "   | ^\n");
}

TEST(Render, ShowsEveryCharacterInOneColumn) {
  EXPECT_EQ(rendered("\tö\x1b\xF6 bad", "bad"),
            "m.poise:1:6: error: message [unknown-name]\n"
            " 1 |  ö?? bad\n"
            "   |      ^^^ guess\n");
}

TEST(Render, CutsALongLineAroundTheSpan) {
  const std::string text = std::string(300, 'a') + " bad " + std::string(300, 'b');
  const std::string output = rendered(text, "bad");
  const std::string line = output.substr(output.find('\n') + 1);
  EXPECT_TRUE(line.starts_with(" 1 | …aaa")) << output;
  EXPECT_NE(line.find("bbb…\n"), std::string::npos) << output;
  const std::size_t column = line.find("bad") - std::string_view("…").size() + 1;
  EXPECT_EQ(line.substr(line.find('\n') + 1),
            "   |" + std::string(column - 4, ' ') + "^^^ guess\n");
}

TEST(Render, CutsASpanThatIsLongerThanALine) {
  const std::string output = rendered(std::string(1000, 'x'), std::string(1000, 'x'), "");
  EXPECT_EQ(std::ranges::count(output, '^'), 160);
}

TEST(Render, StopsAfterAHundred) {
  const Diagnostic diagnostic = {.code = Code::UnknownName, .span = {0, 1}, .message = "message"};
  const std::string output = render({.name = "m", .text = "x"}, Diagnostics(103, diagnostic));
  EXPECT_EQ(std::ranges::count(output, '^'), 100);
  EXPECT_TRUE(output.ends_with("\n… and 3 more errors\n"));
  EXPECT_TRUE(render({.name = "m", .text = "x"}, Diagnostics(101, diagnostic))
                  .ends_with("\n… and 1 more error\n"));
}

TEST(Render, ColoursOnRequest) {
  const Diagnostics diagnostics = {
      {.code = Code::UnknownName, .span = {0, 1}, .message = "message", .hint = "guess"}};
  EXPECT_EQ(render({.name = "m", .text = "x"}, diagnostics, Color::Yes),
            "\x1b[1mm:1:1:\x1b[0m \x1b[1;31merror:\x1b[0m \x1b[1mmessage\x1b[0m [unknown-name]\n"
            "\x1b[34m 1 |\x1b[0m x\n"
            "\x1b[34m   |\x1b[0m \x1b[1;31m^ guess\x1b[0m\n");
}

TEST(InSourceOrder, KeepsTheFirstOfThoseThatStartAtOnePlace) {
  const Diagnostics sorted =
      in_source_order({{.code = Code::UnknownName, .span = {5, 6}, .message = "second"},
                       {.code = Code::UnknownName, .span = {1, 2}, .message = "first"},
                       {.code = Code::NotANumber, .span = {5, 9}, .message = "again"}});
  ASSERT_EQ(sorted.size(), 2U);
  EXPECT_EQ(sorted[0].message, "first");
  EXPECT_EQ(sorted[1].message, "second");
}

TEST(Codes, AreUniqueAndSpelledWithHyphens) {
  std::set<std::string_view> seen;
  for (const CodeInfo& code : all_codes()) {
    EXPECT_TRUE(seen.insert(code.code).second) << code.code;
    EXPECT_EQ(code.code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string_view::npos)
        << code.code;
    EXPECT_FALSE(code.summary.empty());
  }
  EXPECT_EQ(info(Code::FileTooLarge).code, "file-too-large");
  EXPECT_EQ(info(Code::FinalStateHasRules).code, "final-state-has-rules");
}

}  // namespace
}  // namespace poise::diag
