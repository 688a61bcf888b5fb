#include "poise/lang/lexer.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace poise::lang {
namespace {

// The tokens of a text between spaces; a mistake stands between angle brackets.
std::string printed_tokens(std::string_view text) {
  std::string out;
  for (const Token& token : tokens_of(text).tokens) {
    if (token.kind == TokenKind::End) break;
    const std::string_view written =
        text.substr(token.span.begin, token.span.end - token.span.begin);
    if (!out.empty()) out += ' ';
    out += token.kind == TokenKind::Mistake ? fmt::format("<{}>", written) : std::string(written);
  }
  return out;
}

// One line per diagnostic: its code, the marked text and the hint.
std::string mistakes(std::string_view text) {
  std::string out;
  for (const diag::Diagnostic& diagnostic : in_source_order(tokens_of(text).diagnostics)) {
    const Span span = diagnostic.span;
    out += fmt::format("{} `{}` {}\n", diag::info(diagnostic.code).code,
                       text.substr(span.begin, span.end - span.begin), diagnostic.hint);
  }
  return out;
}

TokenKind kind_of(std::string_view text) { return tokens_of(text).tokens.front().kind; }

TEST(Lexer, TakesADottedNameAsOneToken) {
  EXPECT_EQ(printed_tokens("gps.speed a_1.2b.C x"), "gps.speed a_1.2b.C x");
  EXPECT_EQ(kind_of("gps.speed"), TokenKind::Name);
  EXPECT_EQ(kind_of("rule.when"), TokenKind::Name);
}

TEST(Lexer, KnowsKeywords) {
  EXPECT_EQ(kind_of("rule"), TokenKind::Rule);
  EXPECT_EQ(kind_of("constraint"), TokenKind::Constraint);
  EXPECT_EQ(kind_of("Rule"), TokenKind::Name);
  EXPECT_EQ(kind_of("action"), TokenKind::Action);
  EXPECT_EQ(kind_of("failure"), TokenKind::Failure);
  EXPECT_EQ(kind_of("initial"), TokenKind::Name);
  EXPECT_EQ(kind_of("error"), TokenKind::Name);
  EXPECT_EQ(kind_of("after"), TokenKind::Name);
}

TEST(Lexer, TakesAPrimeForATokenOfItsOwn) {
  EXPECT_EQ(printed_tokens("gps.x'==y'-1"), "gps.x ' == y ' - 1");
  EXPECT_EQ(mistakes("gps.x'==y'-1"), "");
}

TEST(Lexer, SeparatesARangeFromItsNumbers) {
  EXPECT_EQ(printed_tokens("0..350"), "0 .. 350");
  EXPECT_EQ(printed_tokens("-0.5..1.5"), "- 0.5 .. 1.5");
  EXPECT_EQ(printed_tokens("1h..2h"), "1h .. 2h");
}

TEST(Lexer, TakesTheLongestSign) {
  EXPECT_EQ(printed_tokens("a:=b==c=d:e->f-g<=h<i>=j>k!=l"),
            "a := b == c = d : e -> f - g <= h < i >= j > k != l");
  EXPECT_EQ(mistakes("a:=b==c=d:e->f-g<=h<i>=j>k!=l"), "");
}

TEST(Lexer, KeepsCommentsApart) {
  const std::string_view text = "a # one\r\n#two  \nb #";
  const Tokens tokens = tokens_of(text);
  EXPECT_EQ(printed_tokens(text), "a b");
  ASSERT_EQ(tokens.comments.size(), 3U);
  EXPECT_EQ(tokens.comments[0], (Span{2, 7}));
  EXPECT_EQ(tokens.comments[1], (Span{9, 15}));
  EXPECT_EQ(tokens.comments[2], (Span{18, 19}));
}

TEST(Lexer, KnowsWhatStartsALine) {
  const Tokens tokens = tokens_of("a b\n# c\n  d e");
  ASSERT_EQ(tokens.tokens.size(), 5U);
  EXPECT_TRUE(tokens.tokens[0].first_on_line);
  EXPECT_FALSE(tokens.tokens[1].first_on_line);
  EXPECT_TRUE(tokens.tokens[2].first_on_line);
  EXPECT_FALSE(tokens.tokens[3].first_on_line);
}

TEST(Lexer, TakesLineEndsAndALeadingByteOrderMarkForSpace) {
  EXPECT_EQ(printed_tokens("\xEF\xBB\xBF a\r\n\tb"), "a b");
  EXPECT_EQ(mistakes("\xEF\xBB\xBF a\r\n\tb"), "");
}

TEST(Lexer, ReadsNumbersExactly) {
  EXPECT_EQ(number_value("0.25"), Rational(1) / Rational(4));
  EXPECT_EQ(number_value("350ms"), Rational(350) / Rational(1000));
  EXPECT_EQ(number_value("60s"), Rational(60));
  EXPECT_EQ(number_value("1.5m"), Rational(90));
  EXPECT_EQ(number_value("2h"), Rational(7200));
}

TEST(Lexer, ReportsMalformedNumbers) {
  EXPECT_EQ(printed_tokens("1e5 5. .5 1.2.3 0x1F 1_000"), "<1e5> <5.> <.5> <1.2.3> <0x1F> <1_000>");
  EXPECT_EQ(mistakes("1e5"), "malformed-number `1e5` write the number out\n");
  EXPECT_EQ(mistakes("1.5e-5 "), "malformed-number `1.5e-5` write the number out\n");
  EXPECT_EQ(mistakes("5. "), "malformed-number `5.` did you mean `5`?\n");
  EXPECT_EQ(mistakes(".5"), "malformed-number `.5` did you mean `0.5`?\n");
  EXPECT_EQ(mistakes("1.2.3..4"), "malformed-number `1.2.3` \n");
}

TEST(Lexer, ReportsUnknownUnits) {
  EXPECT_EQ(mistakes("5km"),
            "unknown-unit `5km` units are `ms`, `s`, `m` and `h`; names begin with a letter\n");
  EXPECT_EQ(mistakes("5min"), "unknown-unit `5min` did you mean `5m`?\n");
  EXPECT_EQ(mistakes("5µs"),
            "unknown-unit `5µs` units are `ms`, `s`, `m` and `h`; names begin with a letter\n");
}

TEST(Lexer, LimitsTheDigitsOfANumber) {
  EXPECT_EQ(mistakes(std::string(1000, '7')), "");
  EXPECT_EQ(mistakes("0." + std::string(1000, '7')),
            "number-too-large `0." + std::string(1000, '7') + "` at most 1000 digits are kept\n");
}

TEST(Lexer, UnderstandsOperatorsOfOtherLanguages) {
  EXPECT_EQ(kind_of("&&"), TokenKind::And);
  EXPECT_EQ(kind_of("||"), TokenKind::Or);
  EXPECT_EQ(kind_of("!x"), TokenKind::Not);
  EXPECT_EQ(kind_of("<>"), TokenKind::NotEqual);
  EXPECT_EQ(kind_of("==="), TokenKind::EqualEqual);
  EXPECT_EQ(kind_of("=>"), TokenKind::Mistake);
  EXPECT_EQ(mistakes("a && b"), "foreign-operator `&&` did you mean `and`?\n");
  EXPECT_EQ(mistakes("a | b"), "foreign-operator `|` did you mean `or`?\n");
  EXPECT_EQ(mistakes("a => b"), "foreign-operator `=>` did you mean `implies`, `->` or `>=`?\n");
  EXPECT_EQ(mistakes("a % b"), "foreign-operator `%` there is no remainder\n");
  EXPECT_EQ(mistakes("a # b && c"), "");
}

TEST(Lexer, TakesForeignCommentsForSpace) {
  EXPECT_EQ(printed_tokens("a // b\nc /* d\ne */ f"), "a c f");
  EXPECT_EQ(mistakes("a // b && c"), "foreign-operator `//` a comment starts with `#`\n");
  EXPECT_EQ(printed_tokens("a /* b"), "a");
}

TEST(Lexer, UnderstandsSignsOutsideAscii) {
  EXPECT_EQ(kind_of("≥"), TokenKind::GreaterEqual);
  EXPECT_EQ(kind_of("→"), TokenKind::Arrow);
  EXPECT_EQ(mistakes("a ≠ b"), "unexpected-character `≠` did you mean `!=`?\n");
  EXPECT_EQ(mistakes("¬a"), "unexpected-character `¬` did you mean `not`?\n");
  EXPECT_EQ(mistakes("a\u00A0b"), "unexpected-character `\u00A0` replace it by a plain space\n");
  EXPECT_EQ(printed_tokens("a\u00A0b"), "a b");
}

TEST(Lexer, ReportsAWordWithStrangeLettersOnce) {
  EXPECT_EQ(printed_tokens("größe.höhe > über"), "<größe.höhe> > <über>");
  EXPECT_EQ(mistakes("größe"),
            "unexpected-character `ö` "
            "a name is made of the letters a to z, digits, `_` and `.`\n");
}

TEST(Lexer, ReadsTexts) {
  EXPECT_EQ(mistakes("x == \"at home\""), "");
  EXPECT_EQ(printed_tokens("x == \"\" \"a # b\""), "x == \"\" \"a # b\"");
}

TEST(Lexer, ReportsAQuotationOnce) {
  EXPECT_EQ(mistakes("x == “home”"),
            "unexpected-character `“home”` did you mean `home`, without quotes?\n");
  EXPECT_EQ(mistakes("x == “at home”"),
            "unexpected-character `“at home”` a text is written `\"…\"`, on one line\n");
  EXPECT_EQ(printed_tokens("x == \"home\ny"), "x == <\"> home y");
}

TEST(Lexer, ReportsARunOfStrangeCharactersOnce) {
  EXPECT_EQ(printed_tokens("a @@$ b"), "a <@@$> b");
  EXPECT_EQ(mistakes("a @@$ b"), "unexpected-character `@@$` \n");
  EXPECT_EQ(mistakes("a;;\nb;"),
            "unexpected-character `;;` declarations need no semicolons\n"
            "unexpected-character `;` declarations need no semicolons\n");
}

TEST(Lexer, ReportsControlCharactersEverywhere) {
  using namespace std::string_view_literals;
  EXPECT_EQ(mistakes("a\0\0b"sv), "unexpected-character `\0\0` is this a text file?\n"sv);
  EXPECT_EQ(mistakes("a # \x1b[1m"), "unexpected-character `\x1b` \n");
  EXPECT_EQ(mistakes("a\rb"), "unexpected-character `\r` a line ends with a line feed\n");
  EXPECT_EQ(mistakes("a # c\rb"), "unexpected-character `\r` \n");
}

TEST(Lexer, ReportsInvalidUtf8OnceAtTheFirstBadByte) {
  EXPECT_EQ(mistakes("a # gr\xF6\xDF\n\xFC\n"), "invalid-utf8 `\xF6` save the file as UTF-8\n");
  EXPECT_EQ(printed_tokens("gr\xF6\xDF"
                           "e b"),
            "<gr\xF6\xDF"
            "e> b");
  EXPECT_EQ(mistakes("\xFF\xFEr\0u\0"),
            "invalid-utf8 `\xFF\xFE` this is UTF-16; save it as UTF-8\n");
}

TEST(Lexer, StopsAfterTooManyMistakes) {
  std::string text;
  for (std::size_t i = 0; i < kMaxMistakes + 5; ++i) text += "@ ";
  const Tokens tokens = tokens_of(text);
  EXPECT_EQ(tokens.diagnostics.size(), kMaxMistakes);
  EXPECT_EQ(tokens.tokens.size(), kMaxMistakes + 1);
}

}  // namespace
}  // namespace poise::lang
