#include "poise/report/dot/dot.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "poise/check/check.h"
#include "poise/lang/lang.h"

namespace poise::report {
namespace {

model::Model parsed(std::string text, std::string name = "test.poise") {
  lang::Parsed result = lang::parse({.name = std::move(name), .text = std::move(text)});
  EXPECT_TRUE(result.model);
  return result.model.value_or(model::Model{});
}

std::string drawn(const std::string& text) { return graph_dot(parsed(text)); }

std::string with_faults(const std::string& text) {
  const model::Model model = parsed(text);
  return graph_dot(model, check::run(model));
}

// The statement that begins like this, up to its semicolon.
std::string statement(const std::string& dot, std::string_view begin) {
  const std::size_t at = dot.find("\n  " + std::string(begin));
  if (at == std::string::npos) return "";
  return dot.substr(at + 3, dot.find(";\n", at) - at - 3);
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

constexpr const char* kHead =
    "sense a : bool\n"
    "sense b : bool\n"
    "state A initial\n"
    "state B, C\n"
    "state End final\n";

TEST(Dot, MarksTheInitialAndFinalStates) {
  const std::string dot = drawn(std::string(kHead) + "rule go: A -> B when a\n");
  EXPECT_TRUE(contains(dot, "\":initial\" -> \"A\""));
  EXPECT_TRUE(contains(statement(dot, "\"End\""), "peripheries=2"));
  EXPECT_FALSE(contains(statement(dot, "\"B\""), "peripheries"));
}

TEST(Dot, ShowsNamePriorityAndShortGuard) {
  const std::string dot =
      drawn(std::string(kHead) + "rule go: A -> B priority 3 when a and not b\n");
  EXPECT_TRUE(contains(statement(dot, "\"A\" -> \"B\""), "go [3]<BR/>"));
  EXPECT_TRUE(contains(statement(dot, "\"A\" -> \"B\""), ">a and not b<"));
}

TEST(Dot, LeavesALongGuardToTheTooltip) {
  const std::string guard = "a and not b or b and not a or a and not a or not b";
  const std::string arrow = statement(
      drawn(std::string(kHead) + "rule go: A -> B when " + guard + "\n"), "\"A\" -> \"B\"");
  EXPECT_EQ(occurrences(arrow, guard), 1U);
  EXPECT_TRUE(contains(arrow, "&#10;when " + guard));
}

TEST(Dot, DrawsOneArrowForRulesThatLookTheSame) {
  const std::string dot = drawn(std::string(kHead) +
                                "rule one: A -> B when a\n"
                                "rule two: A -> B when b\n"
                                "rule back: B -> A when b\n");
  EXPECT_EQ(occurrences(dot, "\"A\" -> \"B\""), 1U);
  EXPECT_TRUE(contains(statement(dot, "\"A\" -> \"B\""), "one<BR/>"));
  EXPECT_TRUE(contains(statement(dot, "\"A\" -> \"B\""), "two<BR/>"));
}

TEST(Dot, DrawsARuleOncePerSourceState) {
  const std::string dot = drawn(std::string(kHead) + "rule go: A, B -> C when a\n");
  EXPECT_EQ(occurrences(dot, "\"A\" -> \"C\""), 1U);
  EXPECT_EQ(occurrences(dot, "\"B\" -> \"C\""), 1U);
}

TEST(Dot, CutsALongListOfRules) {
  std::string text = kHead;
  for (int i = 0; i < 10; ++i) text += "rule r" + std::to_string(i) + ": A -> B when a\n";
  const std::string arrow = statement(drawn(text), "\"A\" -> \"B\"");
  EXPECT_TRUE(contains(arrow, "r4"));
  EXPECT_FALSE(contains(arrow, "r5"));
  EXPECT_TRUE(contains(arrow, "and 5 more"));
}

// ---- Faults ----

TEST(Dot, MarksChoicesLeftToChance) {
  const std::string dot = with_faults(std::string(kHead) +
                                      "rule one: A -> B when a\n"
                                      "rule two: A -> C when a and b\n");
  const std::string arrow = statement(dot, "\"A\" -> \"B\"");
  EXPECT_TRUE(contains(arrow, "class=choice"));
  EXPECT_TRUE(contains(arrow, "arrowtail=odiamond"));
  EXPECT_TRUE(contains(arrow, "◇ one"));
  EXPECT_TRUE(contains(arrow, "chance decides between one and two (1 situation)"));
}

TEST(Dot, MarksTheLoopOfACycleAndNotTheWayIntoIt) {
  const std::string dot = with_faults(std::string(kHead) +
                                      "rule enter: A -> B when a\n"
                                      "rule go: B -> C when a\n"
                                      "rule back: C -> B when a\n");
  EXPECT_TRUE(contains(statement(dot, "\"B\" -> \"C\""), "class=cycle"));
  EXPECT_TRUE(contains(statement(dot, "\"C\" -> \"B\""), "↻ » back"));
  EXPECT_TRUE(contains(statement(dot, "\"A\" -> \"B\""), "class=race"));
  EXPECT_TRUE(contains(statement(dot, "\"B\" ["), "class=cycle"));
  EXPECT_FALSE(contains(statement(dot, "\"A\" ["), "class=cycle"));
}

TEST(Dot, MarksDeadRulesAndUnreachableStates) {
  const std::string dot = with_faults(std::string(kHead) +
                                      "rule go: A -> B when a\n"
                                      "rule never: A -> C when a and not a\n"
                                      "rule back: C -> A when a\n");
  EXPECT_TRUE(contains(statement(dot, "\"A\" -> \"C\""), "style=dashed"));
  EXPECT_TRUE(contains(statement(dot, "\"A\" -> \"C\""), "✕ never"));
  EXPECT_TRUE(contains(statement(dot, "\"C\" ["), "unreachable"));
  EXPECT_TRUE(contains(statement(dot, "\"C\" -> \"A\""), "class=unreachable"));
  EXPECT_FALSE(contains(statement(dot, "\"C\" -> \"A\""), "»"));
}

TEST(Dot, MarksDeadStates) {
  const std::string dot = with_faults(std::string(kHead) +
                                      "rule go: A -> B when a\n"
                                      "rule never: B -> A when a and not a\n");
  EXPECT_TRUE(contains(statement(dot, "\"B\" ["), "✕ dead"));
}

TEST(Dot, ExplainsOnlyTheMarksThatOccur) {
  const std::string dot = with_faults(std::string(kHead) +
                                      "rule one: A -> B when a\n"
                                      "rule two: A -> C when a\n");
  EXPECT_TRUE(contains(dot, "◇ chance decides</FONT>"));
  EXPECT_FALSE(contains(dot, "↻"));
  EXPECT_FALSE(contains(dot, "»"));
}

// ---- Names and sizes ----

TEST(Dot, EscapesWhatGraphvizAndXmlUnderstand) {
  const model::Model model = parsed("state A initial\n", "a\"b<c>&d\\N\xff\x01 \u00e9.poise");
  const std::string dot = graph_dot(model);
  EXPECT_TRUE(dot.starts_with("digraph \"a&quot;b&lt;c&gt;&amp;d&#92;N\uFFFD\uFFFD \u00e9\" {\n"))
      << dot;
  EXPECT_TRUE(contains(dot, "<TD>a&quot;b&lt;c&gt;&amp;d&#92;&#8203;N\uFFFD\uFFFD \u00e9</TD>"))
      << dot;
}

TEST(Dot, DrawsALargeModelWithoutGuards) {
  std::string text = kHead;
  for (std::size_t i = 0; i <= kMaxSmallGraph; ++i) {
    text += "rule r" + std::to_string(i) + ": A -> B when a\n";
  }
  const std::string dot = drawn(text);
  EXPECT_TRUE(contains(dot, "layout=sfdp"));
  EXPECT_FALSE(contains(dot, "<FONT POINT-SIZE=\"10\">a</FONT>"));
}

}  // namespace
}  // namespace poise::report
