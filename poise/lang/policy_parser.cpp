#include "poise/lang/policy_parser.h"

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "poise/lang/number_parser.h"

namespace poise::lang {
namespace {

using diag::Code;

constexpr std::array<std::string_view, 4> kSenseClauses = {"step", "scale", "weight", "term"};
constexpr std::array<std::string_view, 2> kScales = {"log", "linear"};
constexpr std::array<std::string_view, 5> kShapes = {"trapezoid", "triangle", "ramp", "singleton",
                                                     "table"};
constexpr std::array<std::string_view, 2> kMethods = {"sugeno", "mamdani"};
constexpr std::array<std::string_view, 1> kOf = {"of"};
constexpr std::array<std::string_view, 1> kTerm = {"term"};
constexpr std::array<std::string_view, 1> kCooldown = {"cooldown"};
constexpr std::array<std::string_view, 1> kWeight = {"weight"};
constexpr std::array<std::string_view, 2> kPreferWords = {"weight", "when"};
constexpr std::array<std::string_view, 2> kTendencies = {"rises", "falls"};
constexpr std::array<std::string_view, 1> kWithin = {"within"};

constexpr std::string_view kUtilityShape =
    "a utility is written `utility : real 0..1 term low = …`";
constexpr std::string_view kOptionShape =
    "an option is written `option NAME: VARIANT := VALUE when CONDITION`";
constexpr std::string_view kPreferShape =
    "a preference is written `prefer OPTION TERM when CONDITION`";
constexpr std::string_view kTermShape = "a term is written `term low = triangle 0 1 2`";
constexpr std::string_view kChangesShape = "it is written `at most 3 changes in 5m`";

// How many numbers a shape has; 0 if it has pairs of them.
std::size_t point_count(std::string_view shape) {
  if (shape == "trapezoid") return 4;
  if (shape == "triangle") return 3;
  if (shape == "ramp") return 2;
  return shape == "singleton" ? 1 : 0;
}

std::string shape_hint(std::string_view shape) {
  if (shape == "trapezoid") return "it is written `trapezoid a b c d`";
  if (shape == "triangle") return "it is written `triangle a b c`";
  if (shape == "ramp") return "it is written `ramp a b`";
  if (shape == "singleton") return "it is written `singleton v`";
  return "it is written `table (x y) (x y)`";
}

}  // namespace

// The word or clause at hand is written twice.
bool PolicyParser::second(std::string_view of, std::optional<Span> first) {
  if (!first) return false;
  reader_.fail(Code::DuplicateClause, reader_.current().span,
               fmt::format("{} has a second {}", of, reader_.quoted()), {},
               {{*first, "the first one is here"}});
  return true;
}

bool PolicyParser::expect_word(std::string_view word, std::string_view shape) {
  const std::array<std::string_view, 1> words = {word};
  if (reader_.at_word(words)) {
    reader_.advance();
    return true;
  }
  reader_.missing(Code::ExpectedSymbol, fmt::format("`{}`", word), std::string(shape));
  return false;
}

// ---- Variables ----

bool PolicyParser::variable_clauses(VariableDeclaration& variable) {
  const Words words = variable.variant ? Words(kSenseClauses).first(1) : Words(kSenseClauses);
  while (reader_.at_word(words)) {
    if (!variable_clause(variable)) return false;
  }
  return true;
}

bool PolicyParser::variable_clause(VariableDeclaration& variable) {
  const std::string of = fmt::format("variable `{}`", variable.name.text);
  const std::string_view word = reader_.word();
  if (word == "term") return terms(variable.terms, of);
  if (word == "scale")
    return !second(of, variable.scale ? std::optional(variable.scale->span) : std::nullopt) &&
           scale(variable);
  const bool is_step = word == "step";
  std::optional<Bound>& number = is_step ? variable.step : variable.weight;
  if (second(of, number ? std::optional(number->span) : std::nullopt)) return false;
  reader_.advance();
  number = is_step ? read_bound(reader_, "the step", "it is written `step 0.1`")
                   : read_bound(reader_, "the weight", "it is written `weight 2`");
  return number.has_value();
}

bool PolicyParser::scale(VariableDeclaration& variable) {
  const Span start = reader_.advance().span;
  if (!reader_.at_word(kScales)) {
    reader_.missing(Code::ExpectedSymbol, "`log` or `linear`");
    return false;
  }
  variable.scale = ScaleClause{.log = reader_.word() == "log", .span = {}};
  variable.scale->span = join(start, reader_.advance().span);
  return true;
}

// term NAME = SHAPE, NAME = SHAPE ...
bool PolicyParser::terms(std::vector<TermClause>& terms, std::string_view of) {
  if (second(of, terms.empty() ? std::nullopt : std::optional(terms.front().span))) return false;
  reader_.advance();
  do {
    auto read = term();
    if (!read) return false;
    terms.push_back(std::move(*read));
  } while (reader_.accept(TokenKind::Comma));
  return true;
}

std::optional<TermClause> PolicyParser::term() {
  TermClause read;
  const auto name = reader_.expect_name("the name of a term");
  if (!name) return std::nullopt;
  read.name = *name;
  if (!reader_.expect(TokenKind::Equals, "`=`", std::string(kTermShape))) return std::nullopt;
  if (!reader_.at_word(kShapes)) {
    std::string hint = reader_.at(TokenKind::Name) ? guess_among(kShapes, reader_.word()) : "";
    if (hint.empty()) hint = "shapes are trapezoid, triangle, ramp, singleton and table";
    return reader_.missing(Code::BadShape, "a shape", std::move(hint));
  }
  read.shape = reader_.name_from(reader_.advance());
  if (!points(read)) return std::nullopt;
  read.span = join(name->span, reader_.previous().span);
  return read;
}

bool PolicyParser::points(TermClause& term) {
  const std::string hint = shape_hint(term.shape.text);
  const auto number = [&] {
    auto read = read_bound(reader_, "a number", hint);
    if (read) term.numbers.push_back(std::move(*read));
    return read.has_value();
  };
  const std::size_t count = point_count(term.shape.text);
  for (std::size_t i = 0; i < count; ++i) {
    if (!number()) return false;
  }
  if (count > 0 && (reader_.at(TokenKind::Number) || reader_.at(TokenKind::Minus))) {
    reader_.fail(
        Code::BadShape, reader_.current().span,
        fmt::format("{} is one number too many for a {}", reader_.quoted(), term.shape.text), hint);
    return false;
  }
  if (count > 0) return true;
  do {
    if (!reader_.at(TokenKind::LeftParen)) {
      reader_.missing(Code::ExpectedSymbol, "`(`", hint);
      return false;
    }
    const Token opening = reader_.advance();
    if (!number() || !number()) return false;
    if (!reader_.accept(TokenKind::RightParen)) {
      reader_.group_not_closed(opening, ")");
      return false;
    }
  } while (reader_.at(TokenKind::LeftParen));
  return true;
}

// ---- Declarations ----

std::optional<TickDeclaration> PolicyParser::tick() {
  auto duration = read_duration(reader_, "it is written `tick 1s`");
  if (!duration) return std::nullopt;
  return TickDeclaration{.duration = std::move(*duration), .span = {}};
}

std::optional<UtilityDeclaration> PolicyParser::utility() {
  UtilityDeclaration read{};
  if (reader_.at_word(kOf)) {
    reader_.advance();
    read.option = reader_.expect_name("the name of an option");
    if (!read.option) return std::nullopt;
  }
  if (!reader_.expect(TokenKind::Colon, "`:`", std::string(kUtilityShape))) return std::nullopt;
  if (!expect_word("real", kUtilityShape)) return std::nullopt;
  auto range = read_range(reader_, "real");
  if (!range) return std::nullopt;
  read.range = std::move(*range);
  read.range_span = join(read.range.low_span, read.range.high_span);
  if (reader_.accept(TokenKind::Equals)) {
    auto otherwise = read_bound(reader_, "the utility without preferences", "it is written `= 0`");
    if (!otherwise) return std::nullopt;
    read.otherwise = std::move(*otherwise);
  }
  while (reader_.at_word(kMethods) || reader_.at_word(kTerm)) {
    if (reader_.at_word(kTerm)) {
      if (!terms(read.terms, "the utility")) return std::nullopt;
      continue;
    }
    if (second("the utility", read.method ? std::optional(read.method->span) : std::nullopt)) {
      return std::nullopt;
    }
    read.method = reader_.name_from(reader_.advance());
  }
  return read;
}

// option NAME: TARGET := EXPR, ... [when EXPR] [cooldown DURATION]
std::optional<OptionDeclaration> PolicyParser::option() {
  OptionDeclaration read{};
  const auto name = reader_.expect_name("the name of an option");
  if (!name) return std::nullopt;
  read.name = *name;
  if (!reader_.expect(TokenKind::Colon, "`:`", std::string(kOptionShape))) return std::nullopt;
  do {
    if (!assignment(read)) return std::nullopt;
  } while (reader_.accept(TokenKind::Comma));
  const std::string of = fmt::format("option `{}`", read.name.text);
  std::optional<Span> when;
  while (reader_.at(TokenKind::When) || reader_.at_word(kCooldown)) {
    if (reader_.at(TokenKind::When)) {
      if (second(of, when)) return std::nullopt;
      when = reader_.advance().span;
      read.when = expressions_.expression("a condition");
      if (!read.when) return std::nullopt;
      continue;
    }
    if (second(of, read.cooldown ? std::optional(read.cooldown->span) : std::nullopt)) {
      return std::nullopt;
    }
    reader_.advance();
    read.cooldown = read_duration(reader_, "it is written `cooldown 60s`");
    if (!read.cooldown) return std::nullopt;
  }
  return read;
}

bool PolicyParser::assignment(OptionDeclaration& option) {
  if (!reader_.at(TokenKind::Name)) {
    reader_.missing(Code::ExpectedAction, "an assignment", std::string(kOptionShape));
    return false;
  }
  const Name name = reader_.name_from(reader_.advance());
  const bool other_sign = reader_.at(TokenKind::Equals) || reader_.at(TokenKind::EqualEqual);
  if (!reader_.expect(TokenKind::Assign, "`:=`",
                      other_sign ? "did you mean `:=`?" : std::string(kOptionShape))) {
    return false;
  }
  const auto value = expressions_.expression("the new value");
  if (!value) return false;
  option.assignments.push_back(
      {.name = name, .value = *value, .span = join(name.span, reader_.previous().span)});
  return true;
}

// prefer OPTION TERM [weight N] when EXPR
std::optional<PreferDeclaration> PolicyParser::prefer() {
  PreferDeclaration read{};
  const auto option = reader_.expect_name("the name of an option");
  if (!option) return std::nullopt;
  read.option = *option;
  const auto term = reader_.expect_name("a term of its utility");
  if (!term) return std::nullopt;
  read.term = *term;
  if (reader_.at_word(kWeight)) {
    reader_.advance();
    read.weight = read_bound(reader_, "the weight", "it is written `weight 0.5`");
    if (!read.weight) return std::nullopt;
  }
  std::string hint =
      reader_.at(TokenKind::Name) ? guess_among(kPreferWords, reader_.word()) : std::string();
  if (hint.empty()) hint = kPreferShape;
  if (!reader_.expect(TokenKind::When, "`when`", std::move(hint))) return std::nullopt;
  const auto condition = expressions_.expression("a condition");
  if (!condition) return std::nullopt;
  read.when = *condition;
  return read;
}

// ---- Expectations ----

std::optional<ExpectDeclaration> PolicyParser::expect() {
  ExpectDeclaration read{};
  if (reader_.at(TokenKind::Name) && reader_.next().kind == TokenKind::Colon) {
    read.name = reader_.name_from(reader_.advance());
    reader_.advance();
  }
  const Span start = reader_.current().span;
  if (!expectation(read)) return std::nullopt;
  read.text = join(start, reader_.previous().span);
  return read;
}

bool PolicyParser::expectation(ExpectDeclaration& read) {
  using Kind = ExpectDeclaration::Kind;
  const bool words = reader_.at(TokenKind::Name) && reader_.next().kind == TokenKind::Name;
  const std::string_view first = words ? reader_.word() : "";
  const std::string_view next = words ? reader_.text(reader_.next().span) : "";
  if ((first == "stable" || first == "base") && next == "within") {
    read.kind = first == "stable" ? Kind::Stable : Kind::Base;
    reader_.advance();
    reader_.advance();
    read.duration = read_duration(reader_, first == "stable" ? "it is written `stable within 30s`"
                                                             : "it is written `base within 2m`");
    return read.duration.has_value();
  }
  if (first == "at" && next == "most") return changes(read);
  if (next == kTendencies[0] || next == kTendencies[1]) return tendency(read);
  read.kind = Kind::Holds;
  read.condition = expressions_.expression("an expectation");
  return read.condition.has_value();
}

// at most N changes [of VARIANT] in DURATION
bool PolicyParser::changes(ExpectDeclaration& read) {
  read.kind = ExpectDeclaration::Kind::Changes;
  reader_.advance();
  reader_.advance();
  read.count = read_bound(reader_, "a number of changes", std::string(kChangesShape));
  if (!read.count) return false;
  if (reader_.at(TokenKind::Name) && reader_.word() == "change") {
    reader_.advance();
  } else if (!expect_word("changes", kChangesShape)) {
    return false;
  }
  if (reader_.at_word(kOf)) {
    reader_.advance();
    read.variant = reader_.expect_name("the name of a variant");
    if (!read.variant) return false;
  }
  if (!reader_.expect(TokenKind::In, "`in`", std::string(kChangesShape))) return false;
  read.duration = read_duration(reader_, kChangesShape);
  return read.duration.has_value();
}

// VARIANT rises with SENSE [within DURATION]
bool PolicyParser::tendency(ExpectDeclaration& read) {
  read.variant = reader_.name_from(reader_.advance());
  const bool rises = reader_.word() == kTendencies[0];
  read.kind = rises ? ExpectDeclaration::Kind::Rises : ExpectDeclaration::Kind::Falls;
  reader_.advance();
  if (!expect_word("with", rises ? "it is written `VARIANT rises with SENSE`"
                                 : "it is written `VARIANT falls with SENSE`")) {
    return false;
  }
  read.property = reader_.expect_name("the name of a sense");
  if (!read.property || !reader_.at_word(kWithin)) return read.property.has_value();
  reader_.advance();
  read.duration = read_duration(reader_, "it is written `within 10m`");
  return read.duration.has_value();
}

}  // namespace poise::lang
