#include "poise/lang/format.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/lang/lexer.h"

namespace poise::lang {
namespace {

struct FormatCase {
  std::string_view text;
  std::string_view expected;
};

void expect_formatted(std::span<const FormatCase> cases) {
  for (const FormatCase& row : cases) {
    const auto formatted = format(row.text);
    ASSERT_TRUE(formatted) << row.text;
    EXPECT_EQ(*formatted, row.expected);
    EXPECT_EQ(format(*formatted), formatted);
  }
}

TEST(Format, RefusesWhatDoesNotParse) { EXPECT_EQ(format("rule"), std::nullopt); }

TEST(Format, LeavesAnEmptyFileEmpty) {
  constexpr FormatCase kCases[] = {{"", ""}, {" \n\r\n\t", ""}, {"# only  \n\n", "# only\n"}};
  expect_formatted(kCases);
}

TEST(Format, SpacesTokens) {
  constexpr FormatCase kCases[] = {
      {"let a=b+c*-2-d>=- -e", "let a = b + c * -2 - d >= --e\n"},
      {"let near ( a ,b )=( a-b )<5", "let near(a, b) = (a - b) < 5\n"},
      {"let a = f ( )and(not (b))or not(c)", "let a = f() and (not (b)) or not (c)\n"},
      {"let a = x in{a,-1,state}", "let a = x in {a, -1, state}\n"},
      {"sense x:int -5 .. - 3", "sense x : int -5..-3\n"},
      {"sense x:set{a ,rule}if y", "sense x : set {a, rule} if y\n"},
      {"var x:real 0..1=-0.5", "var x : real 0..1 = -0.5\n"},
      {"constraint c :a implies b", "constraint c: a implies b\n"},
      {"constraint(a)", "constraint (a)\n"},
      {"start c :a implies b", "start c: a implies b\n"},
      {"start(a)start -1<b", "start (a)\nstart -1 < b\n"},
      {"let start=start(1) start start>2", "let start = start(1)\nstart start > 2\n"},
      {"state A initial,B , C final", "state A initial, B, C final\n"},
      {"model  M", "model M\n"},
      {"sense x:real 0..9 error - 6 .. 6 gauss 2", "sense x : real 0..9 error -6..6 gauss 2\n"},
      {"sense x : int 0..9 if error error -2..-1 table 1 4 1",
       "sense x : int 0..9 if error error -2..-1 table 1 4 1\n"},
      {"var error:{error,gauss}=error", "var error : {error, gauss} = error\n"},
      {"var u:real=- 10 error -5..5", "var u : real = -10 error -5..5\n"},
      {"action walk :d'==d-1 and not(e'-d'>- 3)",
       "action walk: d' == d - 1 and not (e' - d' > -3)\n"},
      {"failure bump :d<=0 after walk,(e)after turn",
       "failure bump: d <= 0 after walk, (e) after turn\n"},
      {"tick   5s", "tick 5s\n"},
      {"sense x:real -1..1 step 0.1 term a=table(- 1 0)(1 1),b=singleton - 1",
       "sense x : real -1..1 step 0.1\n  term a = table (-1 0) (1 1), b = singleton -1\n"},
      {"utility of o:real 0..1=0", "utility of o : real 0..1 = 0\n"},
      {"option o :a:=b/2-1,c:=d held 5s cooldown 5s",
       "option o: a := b / 2 - 1, c := d held 5s cooldown 5s\n"},
      {"option o: a := if b then -1 else(c)-max of(d)over 5s",
       "option o: a := if b then -1 else (c) - max of (d) over 5s\n"},
      {"option o: a := then-else-f ( of )", "option o: a := then - else - f(of)\n"},
      {"expect n :at most 3 changes in 5m", "expect n: at most 3 changes in 5m\n"},
  };
  expect_formatted(kCases);
}

TEST(Format, PutsEachDeclarationAndClauseOnItsLine) {
  constexpr FormatCase kCases[] = {
      {"state A initial state B rule r :A,B->A priority - 1 when a do x:=loud , beep",
       "state A initial\nstate B\n\n"
       "rule r: A, B -> A priority -1\n  when a\n  do x := loud, beep\n"},
      {"rule r: A -> B when a priority 1", "rule r: A -> B\n  when a\n  priority 1\n"},
      {"rule r: A -> B do x priority 2 when a", "rule r: A -> B\n  do x\n  priority 2\n  when a\n"},
      {"rule r: A\n -> B\n\n  when a\n\n  and b", "rule r: A -> B\n  when a and b\n"},
  };
  expect_formatted(kCases);
}

TEST(Format, AlignsBlocksOfVariablesAndOfLets) {
  constexpr std::string_view kText =
      "sense gps.on : bool\n"
      "sense gps.place : {home, office, elsewhere} if gps.on\n"
      "sense gps.speed : real 0..350 if gps.on  # km/h\n"
      "sense bt.devices : set {car_handsfree, home_pc, office_pc, office_phone}\n"
      "\n"
      "sense clock : int 0..1439\n"
      "var unit : real 0..9 = 1\n"
      "# its own\n"
      "var x : bool = true\n"
      "let moving = gps.speed > 5\n"
      "let at_home = gps.place == home\n";
  constexpr FormatCase kCases[] = {
      {kText,
       "sense gps.on     : bool\n"
       "sense gps.place  : {home, office, elsewhere} if gps.on\n"
       "sense gps.speed  : real 0..350               if gps.on  # km/h\n"
       "sense bt.devices : set {car_handsfree, home_pc, office_pc, office_phone}\n"
       "\n"
       "sense clock : int 0..1439\n"
       "var   unit  : real 0..9 = 1\n"
       "# its own\n"
       "var x : bool = true\n"
       "let moving  = gps.speed > 5\n"
       "let at_home = gps.place == home\n"}};
  expect_formatted(kCases);
}

TEST(Format, AlignsErrors) {
  constexpr FormatCase kCases[] = {
      {"sense disF : real 0..400 error -6..6 gauss 2\n"
       "sense ok : bool\n"
       "sense x : int 0..9 if ok error -1..1\n"
       "var unit : real = 10 error -5..5 gauss 2.5\n",
       "sense disF : real 0..400    error -6..6 gauss 2\n"
       "sense ok   : bool\n"
       "sense x    : int 0..9 if ok error -1..1\n"
       "var   unit : real = 10      error -5..5 gauss 2.5\n"}};
  expect_formatted(kCases);
}

TEST(Format, BreaksActionsAndFailuresLikeConditions) {
  const std::string a(30, 'a');
  const std::string b(30, 'b');
  const std::string c(30, 'c');
  EXPECT_EQ(
      format(fmt::format("action act: {0}' == {1} and {1}' == {2} and {2}' == 0", a, b, c)),
      fmt::format("action act: {0}' == {1}\n    and {1}' == {2}\n    and {2}' == 0\n", a, b, c));
  EXPECT_EQ(format(fmt::format("failure f: {0} <= 0 after walk, {1} <= 0 after turn, {2} after act",
                               a, b, c)),
            fmt::format("failure f: {0} <= 0 after walk,\n    {1} <= 0 after turn, {2} after act\n",
                        a, b, c));
}

TEST(Format, DoesNotAlignWithAnOverlongName) {
  const std::string name(60, 'n');
  const std::string text = fmt::format("sense a : bool\nsense {} : bool\nsense abc : bool\n", name);
  EXPECT_EQ(format(text),
            fmt::format("sense a   : bool\nsense {} : bool\nsense abc : bool\n", name));
}

TEST(Format, KeepsAtMostOneBlankLine) {
  constexpr FormatCase kCases[] = {
      {"\n\nlet a = 1\n\n\n\nlet b = 2\nlet c = 3\n\n", "let a = 1\n\nlet b = 2\nlet c = 3\n"},
      {"# one\n\n\n# two\nlet a = 1", "# one\n\n# two\nlet a = 1\n"},
  };
  expect_formatted(kCases);
}

TEST(Format, SeparatesRulesByABlankLine) {
  constexpr FormatCase kCases[] = {
      {"rule a: A -> B when x rule b: A -> B when y",
       "rule a: A -> B\n  when x\n\nrule b: A -> B\n  when y\n"},
      {"let x = 1\n# about a\n# more\nrule a: A -> B when x\nlet y = 1",
       "let x = 1\n\n# about a\n# more\nrule a: A -> B\n  when x\nlet y = 1\n"},
      {"# about a\nrule a: A -> B when x", "# about a\nrule a: A -> B\n  when x\n"},
      {"# title\n\n\nrule a: A -> B when x", "# title\n\nrule a: A -> B\n  when x\n"},
  };
  expect_formatted(kCases);
}

TEST(Format, KeepsCommentsWhereTheyAre) {
  constexpr FormatCase kCases[] = {
      {"let a = 1# one \t\r\n  # two\r\nlet b = 2 #", "let a = 1  # one\n# two\nlet b = 2  #\n"},
      {"rule r: # why\nA -> B\n# when\nwhen a # a\n  and # b\nb\n#do\ndo x\n# end",
       "rule r:  # why\n    A -> B\n  # when\n  when a  # a\n    and  # b\n    b\n  #do\n  do x\n"
       "# end\n"},
      {"rule r: A -> B # head\npriority 1 when a",
       "rule r: A -> B  # head\n  priority 1\n  when a\n"},
      {"let a = b\n  # c\n\n  # d\n  or e", "let a = b\n    # c\n    # d\n    or e\n"},
      {"sense a : {x, # first\ny}\nsense abc : bool",
       "sense a : {x,  # first\n    y}\nsense abc : bool\n"},
  };
  expect_formatted(kCases);
}

TEST(Format, BreaksLongLinesAtTheLoosestOperators) {
  const std::string a(30, 'a');
  const std::string b(30, 'b');
  const std::string c(30, 'c');
  const std::string d(30, 'd');
  EXPECT_EQ(format(fmt::format("let x = {} or {} and {} or {}", a, b, c, d)),
            fmt::format("let x = {}\n    or {} and {}\n    or {}\n", a, b, c, d));
  EXPECT_EQ(format(fmt::format("rule r: A -> B when {} and ({} or {} or d)", a, b, c)),
            fmt::format("rule r: A -> B\n  when {}\n    and ({} or {} or d)\n", a, b, c));
  EXPECT_EQ(format(fmt::format("rule r: A -> B when {} and ({} or {} or {} and x)", a, b, c, d)),
            fmt::format("rule r: A -> B\n  when {}\n    and ({}\n      or {}\n      or {} and x)\n",
                        a, b, c, d));
  EXPECT_EQ(format(fmt::format("let x = not ({} or {} or {} or {})", a, b, c, d)),
            fmt::format("let x = not ({}\n    or {}\n    or {}\n    or {})\n", a, b, c, d));
  EXPECT_EQ(format(fmt::format("constraint {} and {} implies {} or {}", a, b, c, d)),
            fmt::format("constraint {} and {}\n    implies {} or {}\n", a, b, c, d));
  EXPECT_EQ(format(fmt::format("let x = {} + {} - {} + {}", a, b, c, d)),
            fmt::format("let x = {} + {}\n    - {} + {}\n", a, b, c, d));
}

TEST(Format, FillsLongLists) {
  const std::string a(30, 'a');
  const std::string b(30, 'b');
  const std::string c(30, 'c');
  const std::string d(30, 'd');
  EXPECT_EQ(format(fmt::format("state {}, {}, {}, {}", a, b, c, d)),
            fmt::format("state {}, {},\n    {}, {}\n", a, b, c, d));
  EXPECT_EQ(format(fmt::format("sense x : set {{{}, {}, {}, {}}} if y", a, b, c, d)),
            fmt::format("sense x : set {{{}, {},\n    {}, {}}} if y\n", a, b, c, d));
}

TEST(Format, LeavesAnOverlongNameAlone) {
  const std::string text = fmt::format("let x = {}\n", std::string(200, 'a'));
  EXPECT_EQ(format(text), text);
}

// What must survive formatting: the tokens, the comments, and for each comment the token before it
// and whether it stands on that token's line.
struct Content {
  std::vector<std::string> tokens;
  std::vector<std::string> comments;
  bool operator==(const Content&) const = default;
};

Content content_of(std::string_view text) {
  const Tokens tokens = tokens_of(text);
  Content content;
  auto comment = tokens.comments.begin();
  std::size_t end = 0;
  for (const Token& token : tokens.tokens) {
    for (; comment != tokens.comments.end() && comment->begin < token.span.begin; ++comment) {
      const std::string_view gap = text.substr(end, comment->begin - end);
      std::string written(text.substr(comment->begin, comment->end - comment->begin));
      written.erase(written.find_last_not_of(" \t") + 1);
      content.comments.push_back(fmt::format(
          "{}{} {}", content.tokens.size(),
          gap.find('\n') == std::string_view::npos && end > 0 ? " behind" : " before", written));
      end = comment->end;
    }
    content.tokens.emplace_back(text.substr(token.span.begin, token.span.end - token.span.begin));
    end = token.span.end;
  }
  return content;
}

constexpr std::string_view kSample =
    "model M\n"
    "sense gps.on : bool\n"
    "sense gps.place : {home, office, state, when} if gps.on\n"
    "sense gps.speed : real -5.5..350 if gps.on\n"
    "sense devices : set {car, home_pc}\n"
    "var ringer : {loud, mute} = loud\n"
    "var level : int -3..3 = -1\n"
    "sense error : real 0..400 if gps.on error -6..6 gauss 2.5\n"
    "var unit : real = 10 error -0.5..5 table 1 4 1\n"
    "let moving = gps.speed > 5 and not gps.speed > 70\n"
    "let near(a, b) = a - b < 5 and -(a - b) < 5s * 2 + 1\n"
    "constraint devices has car implies gps.on or gps.place in {home, state}\n"
    "constraint named: near(gps.speed, level) iff (moving or devices has rule)\n"
    "action walk: error' == error - unit and not devices' has car\n"
    "failure bump: error <= 0 after walk, level < 0 after walk\n"
    "start begin: error == 4 and not moving\n"
    "state General initial\n"
    "state Driving, Home, Off final\n"
    "rule Drive: General, Home -> Driving priority 1\n"
    "  when devices has car and (moving or gps.place == home)\n"
    "  do ringer := loud, beep, level := -2\n"
    "rule Leave: Driving -> General when not moving priority -3\n"
    "rule Stop: General -> Off do devices := {} when true\n";

// A text with the same kind of content but another layout: tokens stretched, dropped, doubled or
// swapped now and then, with random space and comments between them.
std::string mutated(std::mt19937& random, int mutations) {
  std::vector<std::string> tokens = content_of(kSample).tokens;
  tokens.pop_back();  // End
  const auto below = [&](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  for (int i = 0; i < mutations; ++i) {
    const std::size_t place = below(tokens.size());
    const auto where = tokens.begin() + static_cast<std::ptrdiff_t>(place);
    switch (below(5)) {
      case 0: tokens.erase(where); break;
      case 1: tokens.insert(where, tokens[below(tokens.size())]); break;
      case 2: *where = tokens[below(tokens.size())]; break;
      case 3: where->append(below(60), 'x'); break;
      default: tokens.insert(where, {"a", "or", "b"}); break;
    }
  }
  std::string text;
  const std::size_t density = 1 + below(60);
  for (const std::string& token : tokens) {
    text += token;
    if (&token != &tokens.back() && *(&token + 1) == "'") continue;  // follows its name at once
    switch (below(density + 12)) {
      case 0: text += " # behind \n"; break;
      case 1: text += "\n  # alone\n"; break;
      case 2: text += "\r\n\r\n# apart\r\n\r\n\r\n"; break;
      case 3: text += "\n\n"; break;
      case 4: text += "\t \n"; break;
      case 5: text += "# tight\n# again\n"; break;
      default: text += ' '; break;
    }
  }
  return text;
}

TEST(Format, ChangesNothingButWhiteSpaceAndNothingTwice) {
  std::mt19937 random(7);
  int parsed = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::string text = mutated(random, round % 3);
    const auto once = format(text);
    if (!once) continue;
    ++parsed;
    ASSERT_EQ(content_of(*once), content_of(text)) << text << "\n---\n" << *once;
    ASSERT_EQ(format(*once), once) << text;
    ASSERT_TRUE(once->ends_with('\n'));
    for (const std::string_view bad : {" \n", "\n\n\n", "\r", "\t"}) {
      ASSERT_EQ(once->find(bad), std::string::npos) << *once;
    }
    ASSERT_FALSE(once->starts_with('\n') || once->ends_with("\n\n"));
  }
  EXPECT_GT(parsed, 1000);
}

}  // namespace
}  // namespace poise::lang
