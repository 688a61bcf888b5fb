// One function per construct of the grammar, each entered at its first token and left behind its
// last. A declaration with a mistake is left out of the tree, and reading goes on at the next one;
// reader.h says how a mistake travels.

#include "poise/lang/parser.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/lang/expression_parser.h"
#include "poise/lang/foreign.h"
#include "poise/lang/number_parser.h"
#include "poise/lang/policy_parser.h"
#include "poise/lang/reader.h"

namespace poise::lang {
namespace {

using diag::Code;

constexpr std::array<std::string_view, 18> kDeclarationWords = {
    "model", "sense", "var",  "let",     "constraint", "stream", "extern", "action", "failure",
    "state", "rule",  "tick", "variant", "utility",    "option", "prefer", "expect", "start"};
constexpr std::array<std::string_view, 3> kClauseWords = {"when", "do", "priority"};
// What may follow the type of a variable; the first is for a `sense` only.
constexpr std::array<std::string_view, 10> kVariableWords = {
    "if", "error", "gauss", "uniform", "triangle", "table", "step", "scale", "weight", "term"};
constexpr std::array<std::string_view, 1> kVariantWords = {"step"};
constexpr std::array<std::string_view, 3> kUtilityWords = {"sugeno", "mamdani", "term"};
constexpr std::array<std::string_view, 6> kOptionWords = {"when", "cooldown", "held",
                                                          "and",  "or",       "implies"};
constexpr std::array<std::string_view, 1> kErrorWords = {"error"};
constexpr std::array<std::string_view, 4> kLawWords = {"gauss", "uniform", "triangle", "table"};
constexpr std::array<std::string_view, 1> kAfterWords = {"after"};
constexpr std::array<std::string_view, 2> kStateWords = {"initial", "final"};
constexpr std::array<std::string_view, 7> kOperatorWords = {"and", "or",  "implies", "iff",
                                                            "in",  "has", "is"};
constexpr std::string_view kRuleShape = "a rule is written `rule NAME: STATE -> STATE when …`";
constexpr std::string_view kStreamShape = "a stream is written `stream NAME { FIELD: TYPE }`";
constexpr std::string_view kErrorShape = "an error is written `error -5..5 gauss 2`";
constexpr std::string_view kActionShape = "an action is written `action NAME: CONDITION`";
constexpr std::string_view kFailureShape =
    "a failure is written `failure NAME: CONDITION after ACTION, …`";
constexpr std::string_view kExternShape = "a function is written `extern NAME(PARAMETER: TYPE, …)`";
constexpr std::array<std::string_view, 4> kTypeWords = {"bool", "int", "real", "set"};
constexpr std::string_view kVariableShape = "a variable is written `sense NAME : TYPE`";

// A word that heads a list of declarations in other languages: `states:`.
struct Heading {
  std::string_view word;
  std::string_view hint;
};

constexpr std::array kHeadings = {
    Heading{"states", "states are declared with `state A initial, B, C`"},
    Heading{"initial", "the initial state is declared with `state A initial`"},
    Heading{"rules", "each rule is written `rule NAME: STATE -> STATE when …`"},
    Heading{"transitions", kRuleShape},
    Heading{"senses", kVariableShape},
    Heading{"sensors", kVariableShape},
    Heading{"inputs", kVariableShape},
    Heading{"variables", kVariableShape},
    Heading{"vars", "a variable of the application is written `var NAME : TYPE = VALUE`"},
    Heading{"constraints", "a constraint is written `constraint CONDITION`"},
};

// What other languages call our types.
std::string type_hint(std::string_view written) {
  struct Spelling {
    std::string_view written;
    std::string_view type;
  };
  constexpr std::array kSpellings = {
      Spelling{"boolean", "bool"}, Spelling{"integer", "int"}, Spelling{"number", "real"},
      Spelling{"float", "real"},   Spelling{"double", "real"}, Spelling{"decimal", "real"},
  };
  if (written == "enum" || written == "string") return "an enumeration is written `{a, b, c}`";
  const auto* const spelling = std::ranges::find(kSpellings, written, &Spelling::written);
  if (spelling != kSpellings.end()) return fmt::format("did you mean `{}`?", spelling->type);
  return guess_among(kTypeWords, written);
}

class Parser {
 public:
  explicit Parser(std::string_view text)
      : reader_(text), expressions_(reader_, tree_), policies_(reader_, expressions_) {
    tree_.source = text;
  }

  ParsedTree parse() {
    while (!reader_.at(TokenKind::End) && !reader_.too_many_mistakes()) declaration();
    return {.tree = std::move(tree_), .diagnostics = reader_.take_diagnostics()};
  }

 private:
  void declaration() {
    reader_.start_declaration();
    declared_.clear();
    heading_ = at_heading();
    if (skipped_yaml()) {
      // Reported as a whole.
    } else if (heading_ != nullptr) {
      heading();
    } else if (const auto keyword = reader_.declaration()) {
      declaration_of(*keyword);
    } else {
      no_declaration();
    }
    if (reader_.mistaken()) {
      tree_.whole = false;
      skip_to_declaration();
      std::ranges::copy(declared_, std::back_inserter(tree_.broken_names));
    }
    any_before_ = true;
  }

  void declaration_of(TokenKind keyword) {
    keyword_ = keyword;
    start_ = reader_.advance().span;
    const bool nameless = keyword == TokenKind::State || keyword == TokenKind::Constraint;
    if (nameless && reader_.at(TokenKind::Colon) && reader_.next().kind == TokenKind::Name) {
      reader_.fail(Code::ForeignForm, reader_.current().span,
                   fmt::format("`:` behind {}", reader_.quoted(start_)), "leave it out");
      reader_.advance();  // what is declared is still declared
    }
    switch (keyword) {
      case TokenKind::Model: return model();
      case TokenKind::Sense: return keep(sense(), kVariableWords);
      case TokenKind::Var: return keep(var(), Words(kVariableWords).subspan(1));
      case TokenKind::Let: return keep(let(), kOperatorWords);
      case TokenKind::Constraint: return keep(constraint(), kOperatorWords);
      case TokenKind::Stream: return keep(stream(), {});
      case TokenKind::Extern: return keep(external(), {});
      case TokenKind::Action: return keep(world_action(), kOperatorWords);
      case TokenKind::Failure: return keep(failure(), {});
      case TokenKind::State: return states();
      case TokenKind::Rule: return keep(rule(), kOperatorWords);
      case TokenKind::Tick: return keep(policies_.tick(), {});
      case TokenKind::Start: return keep(start(), kOperatorWords);
      default: break;
    }
    tree_.policy = true;
    // What it declares, even if the rest of it is wrong.
    if (reader_.at(TokenKind::Name) && keyword == TokenKind::Option) {
      declared_.push_back(reader_.word());
    }
    switch (keyword) {
      case TokenKind::Variant: return keep(variant(), kVariantWords);
      case TokenKind::Utility: return keep(policies_.utility(), kUtilityWords);
      case TokenKind::Option: return keep(policies_.option(), kOptionWords);
      case TokenKind::Prefer: return keep(policies_.prefer(), kOperatorWords);
      case TokenKind::Expect: return keep(policies_.expect(), kOperatorWords);
      default: POISE_CHECK(false);
    }
  }

  [[nodiscard]] const Heading* at_heading() const {
    const TokenKind next = reader_.next().kind;
    const bool opens = next == TokenKind::Colon || next == TokenKind::Equals ||
                       next == TokenKind::LeftBrace || next == TokenKind::LeftBracket;
    if (!reader_.at(TokenKind::Name) || !opens) return nullptr;
    const auto* const found = std::ranges::find(kHeadings, reader_.word(), &Heading::word);
    return found == kHeadings.end() ? nullptr : found;
  }

  // What stands below it is passed over, but the names in it count as declared.
  void heading() {
    const Span span = join(reader_.current().span, reader_.next().span);
    reader_.fail(Code::ForeignForm, span,
                 fmt::format("{} does not start a declaration", reader_.quoted(span)),
                 std::string(heading_->hint));
    reader_.advance();
    reader_.advance();
  }

  // Reports YAML once, however long it is.
  bool skipped_yaml() {
    const Token first = reader_.current();
    const auto end = first.first_on_line ? yaml_end(tree_.source, first.span.begin) : std::nullopt;
    if (!end) return false;
    std::string_view line = tree_.source.substr(first.span.begin);
    line = line.substr(0, line.find_first_of(":\r\n"));
    const auto length = static_cast<std::uint32_t>(line.size());
    reader_.fail(Code::ForeignForm, {first.span.begin, first.span.begin + length},
                 "YAML of Home Assistant where a declaration should be",
                 "an automation becomes a rule: `rule NAME: STATE -> STATE when …`");
    tree_.whole = false;
    reader_.skip_to(*end);
    return true;
  }

  template <class T>
  void keep(std::optional<T> read, Words continuations) {
    if (!read || !ends_here(continuations)) return;
    read->span = {start_.begin, reader_.previous().span.end};
    tree_.declarations.push_back(std::move(*read));
  }

  // What follows on the same line is taken for a part of this declaration; on a line of its own it
  // is a mistake of its own.
  bool ends_here(Words continuations) {
    const bool next_follows = reader_.current().first_on_line || reader_.at(TokenKind::End) ||
                              reader_.declaration().has_value();
    if (!next_follows) unexpected(continuations);
    return !reader_.mistaken();
  }

  void unexpected(Words continuations) {
    std::string hint;
    if (reader_.at(TokenKind::Name)) hint = guess_among(continuations, reader_.word());
    if (reader_.at(TokenKind::RightParen) || reader_.at(TokenKind::RightBrace)) {
      reader_.fail(Code::UnclosedBracket, reader_.current().span,
                   fmt::format("{} closes nothing", reader_.quoted()));
      return;
    }
    if (reader_.at(TokenKind::Prime)) {
      reader_.fail(Code::MisplacedPrime, reader_.current().span, "unexpected `'`",
                   "a later value stands in the condition of an `action`");
      return;
    }
    const bool operand = reader_.at(TokenKind::Name) || reader_.at(TokenKind::Number) ||
                         reader_.at(TokenKind::LeftParen) || reader_.at(TokenKind::Not) ||
                         reader_.at(TokenKind::True) || reader_.at(TokenKind::False);
    if (hint.empty() && operand && continuations.data() == kOperatorWords.data()) {
      hint = "is an operator missing before it?";
    }
    reader_.fail(Code::ExpectedDeclaration, reader_.current().span,
                 fmt::format("unexpected {}", reader_.quoted()), std::move(hint));
  }

  // Text where a declaration should start. If it looks like one with a misspelt keyword it is read
  // as such, so that its names are known.
  void no_declaration() {
    keyword_ = TokenKind::Mistake;
    const std::string_view written = reader_.word();
    const bool words = reader_.at(TokenKind::Name) && reader_.next().kind == TokenKind::Name;
    const auto by_word = reader_.at(TokenKind::Name) ? word_declaration(written) : std::nullopt;
    if (by_word) return declaration_of(*by_word);
    if (reader_.at(TokenKind::If) || written == "IF" || written == "If") {
      reader_.fail(Code::ForeignForm, reader_.current().span,
                   fmt::format("`{}` does not start a rule", written), std::string(kRuleShape));
    } else if (is_clause_keyword(reader_.current().kind)) {
      reader_.fail(Code::ExpectedDeclaration, reader_.current().span,
                   fmt::format("`{}` stands outside a rule", written), std::string(kRuleShape));
    } else if (at_misspelt_declaration()) {
      reader_.fail(Code::ExpectedDeclaration, reader_.current().span,
                   fmt::format("{} does not start a declaration", reader_.quoted()),
                   guess_among(kDeclarationWords, written));
      const std::string_view meant = *closest(written, kDeclarationWords);
      declaration_of(word_declaration(meant).value_or(word_kind(meant)));
      return;
    } else if (reader_.at(TokenKind::RightParen) || reader_.at(TokenKind::RightBrace)) {
      unexpected({});
    } else {
      reader_.fail(
          Code::ExpectedDeclaration, reader_.current().span,
          fmt::format("{} does not start a declaration", reader_.quoted()),
          any_before_ ? std::string() : "a model starts with `model`, `sense` or another keyword");
    }
    reader_.advance();
    if (words && reader_.at(TokenKind::Name)) declared_.push_back(reader_.word());
  }

  // Best is a keyword that starts a line. Within a line it must look like the start of a
  // declaration, for it may be the very word that is wrong: `let a = state`.
  [[nodiscard]] bool at_new_declaration() const {
    if (is_declaration_keyword(reader_.current().kind)) {
      if (reader_.open_braces() > 0 || reader_.previous().kind == TokenKind::Has) {
        return reader_.at_keyword_of_next_declaration();
      }
      return reader_.current().first_on_line || reader_.next().kind == TokenKind::Name;
    }
    const bool starts_line = reader_.current().first_on_line && reader_.open_braces() == 0;
    return starts_line && (reader_.declaration().has_value() || at_misspelt_declaration() ||
                           at_heading() != nullptr);
  }

  [[nodiscard]] bool at_misspelt_declaration() const {
    return reader_.at(TokenKind::Name) && reader_.next().kind == TokenKind::Name &&
           closest(reader_.word(), kDeclarationWords).has_value();
  }

  void skip_to_declaration() {
    while (!reader_.at(TokenKind::End) && !at_new_declaration()) {
      // The names of a broken list of states are still states.
      const bool names = keyword_ == TokenKind::State || heading_ != nullptr;
      if (names && reader_.at(TokenKind::Name) && !reader_.at_word(kStateWords)) {
        declared_.push_back(reader_.word());
      }
      reader_.advance();
    }
  }

  void model() {
    if (any_before_) {
      std::vector<diag::Related> related;
      if (tree_.model) related.push_back({tree_.model->span, "the model has its name here"});
      reader_.fail(Code::MisplacedModel, start_, "`model` is not the first declaration",
                   tree_.model ? "" : "move it to the top of the file", std::move(related));
      return;
    }
    const auto name = reader_.expect_name("the name of the model");
    if (name && ends_here({})) tree_.model = name;
  }

  enum class Range { Required, Optional };

  std::optional<VariableDeclaration> sense() {
    auto variable = variable_with_type(Range::Required);
    if (!variable) return std::nullopt;
    if (reader_.at(TokenKind::Equals) || reader_.at(TokenKind::Assign)) {
      return reader_.fail(
          Code::UnexpectedInitialValue, reader_.current().span,
          fmt::format("sensed variable `{}` with a first value", variable->name.text),
          "what is sensed comes from outside; did you mean `var`?");
    }
    if (reader_.accept(TokenKind::If)) {
      variable->guard = guard();
      if (!variable->guard) return std::nullopt;
    }
    auto read = with_error(std::move(*variable));
    if (!read || !policies_.variable_clauses(*read)) return std::nullopt;
    const bool late = reader_.at(TokenKind::If) || reader_.at_word(kErrorWords);
    if (late && !reader_.mistaken()) {
      return reader_.fail(Code::ExpectedDeclaration, reader_.current().span,
                          fmt::format("{} behind what comes last", reader_.quoted()),
                          "the guard comes first, then the error");
    }
    return read;
  }

  std::optional<Name> guard() {
    const auto condition = [&](std::string_view where) {
      return reader_.fail(Code::BadGuard, reader_.current().span,
                          fmt::format("found {} {}", reader_.quoted(), where),
                          "a guard is the name of one boolean `sense`");
    };
    if (reader_.at(TokenKind::Not) || reader_.at(TokenKind::LeftParen)) {
      return condition("where the guard of the variable should be");
    }
    const auto name = reader_.expect_name("the guard of the variable");
    constexpr std::array kOperators = {
        TokenKind::And,  TokenKind::Or,        TokenKind::EqualEqual, TokenKind::NotEqual,
        TokenKind::Less, TokenKind::LessEqual, TokenKind::Greater,    TokenKind::GreaterEqual};
    const bool goes_on = std::ranges::find(kOperators, reader_.current().kind) != kOperators.end();
    if (name && goes_on) return condition("behind the guard of the variable");
    return name;
  }

  // variant NAME : TYPE = VALUE [step N]
  std::optional<VariableDeclaration> variant() {
    auto variable = with_first_value(Range::Required);
    if (!variable) return std::nullopt;
    variable->variant = true;
    const auto* members = std::get_if<MembersType>(&variable->type.shape);
    if (members != nullptr && members->set) {
      return reader_.fail(Code::ExpectedType, variable->type.span, "a variant is not a set",
                          "declare a `bool` for each member");
    }
    if (!policies_.variable_clauses(*variable)) return std::nullopt;
    return variable;
  }

  std::optional<VariableDeclaration> var() {
    auto variable = with_first_value(Range::Optional);
    return variable ? with_error(std::move(*variable)) : std::nullopt;
  }

  // What a `var` and a `variant` have in common.
  std::optional<VariableDeclaration> with_first_value(Range range) {
    auto variable = variable_with_type(range);
    if (!variable) return std::nullopt;
    variable->own = true;
    if (reader_.at_early_end() ||
        (reader_.current().first_on_line && !reader_.at(TokenKind::Equals))) {
      return reader_.fail(Code::MissingInitialValue, variable->name.span,
                          fmt::format("own variable `{}` has no first value", variable->name.text),
                          "give it one with `= VALUE`, or declare it with `sense`");
    }
    const bool other_sign = reader_.at(TokenKind::Assign) || reader_.at(TokenKind::EqualEqual);
    std::string hint = other_sign ? "did you mean `=`?" : "";
    if (reader_.at(TokenKind::If)) hint = "only a `sense` has a guard";
    if (reader_.at_word(kErrorWords)) hint = "the first value comes before the error";
    if (!reader_.expect(TokenKind::Equals, "`=`", std::move(hint))) return std::nullopt;
    const auto value = expressions_.plain_value("the first value");
    if (!value) return std::nullopt;
    variable->initial = *value;
    return variable;
  }

  // The variable with what may follow its guard or its first value.
  std::optional<VariableDeclaration> with_error(VariableDeclaration variable) {
    if (reader_.at_word(kErrorWords)) {
      auto error = error_clause();
      if (!error) return std::nullopt;
      variable.error = std::move(*error);
    }
    if (variable.error && reader_.at_word(kErrorWords)) {
      return reader_.fail(Code::DuplicateClause, reader_.current().span,
                          fmt::format("variable `{}` has a second `error`", variable.name.text), {},
                          {{variable.error->span, "the first one is here"}});
    }
    if (variable.error && reader_.at(TokenKind::If) && !variable.own) {
      return reader_.fail(Code::ExpectedDeclaration, reader_.current().span,
                          "`if` behind the error of the variable", "the guard comes first");
    }
    return variable;
  }

  // error LOW..HIGH [gauss DEVIATION | uniform | triangle | table WEIGHT …]
  std::optional<ErrorClause> error_clause() {
    ErrorClause read;
    const Span start = reader_.advance().span;
    auto low = read_bound(reader_, "the least error", std::string(kErrorShape));
    if (!low) return std::nullopt;
    read.low = std::move(*low);
    if (!reader_.expect(TokenKind::DotDot, "`..`", std::string(kErrorShape))) return std::nullopt;
    auto high = read_bound(reader_, "the greatest error", std::string(kErrorShape));
    if (!high) return std::nullopt;
    read.high = std::move(*high);
    if (reader_.at_word(kLawWords) && !law(read)) return std::nullopt;
    read.span = join(start, reader_.previous().span);
    return read;
  }

  bool law(ErrorClause& error) {
    using Law = ErrorClause::Law;
    const std::string_view word = reader_.word();
    error.law = word == "gauss"      ? Law::Gauss
                : word == "triangle" ? Law::Triangle
                : word == "table"    ? Law::Table
                                     : Law::Uniform;
    error.law_span = reader_.advance().span;
    if (error.law != Law::Gauss && error.law != Law::Table) return true;
    do {
      auto number = error.law == Law::Gauss
                        ? read_bound(reader_, "the standard deviation", "it is written `gauss 2`")
                        : read_bound(reader_, "a weight", "weights are written `table 1 4 1`");
      if (!number) return false;
      error.numbers.push_back(std::move(*number));
    } while (error.law == Law::Table &&
             (reader_.at(TokenKind::Number) || reader_.at(TokenKind::Minus)));
    return true;
  }

  std::optional<VariableDeclaration> variable_with_type(Range range) {
    std::optional<VariableDeclaration> variable(std::in_place);
    const auto name = declared_name("the name of a variable");
    if (!name) return std::nullopt;
    variable->name = *name;
    if (!reader_.expect(TokenKind::Colon, "`:`", "a variable is written `NAME : TYPE`"))
      return std::nullopt;
    auto shape = type(range);
    if (!shape) return std::nullopt;
    variable->type = std::move(*shape);
    return variable;
  }

  std::optional<Type> type(Range range_of_number = Range::Required) {
    const Token start = reader_.current();
    const std::string_view word =
        reader_.at(TokenKind::Name) ? reader_.text(start.span) : std::string_view();
    Type read;
    if (word == "bool") {
      reader_.advance();
      read.shape = BoolType{};
    } else if (word == "int" || word == "real") {
      reader_.advance();
      const bool range_follows = reader_.at(TokenKind::Number) || reader_.at(TokenKind::Minus) ||
                                 reader_.at(TokenKind::DotDot);
      if (range_follows || range_of_number == Range::Required) {
        auto range = read_range(reader_, word);
        if (!range) return std::nullopt;
        read.shape = std::move(*range);
      } else {
        read.shape = NumberType{.whole = word == "int",
                                .bounded = false,
                                .low = 0,
                                .high = 0,
                                .low_span = start.span,
                                .high_span = start.span};
      }
    } else if (word == "set" || reader_.at(TokenKind::LeftBrace)) {
      if (word == "set") reader_.advance();
      auto members = member_list();
      if (!members) return std::nullopt;
      read.shape = MembersType{.set = word == "set", .members = std::move(*members)};
    } else {
      return reader_.missing(Code::ExpectedType, "a type", type_hint(word));
    }
    read.span = {start.span.begin, reader_.previous().span.end};
    return read;
  }

  // {a, b, c}, of which keywords may be members.
  std::optional<std::vector<Name>> member_list() {
    if (!reader_.at(TokenKind::LeftBrace)) {
      reader_.missing(Code::ExpectedSymbol, "`{`", "members are written `{a, b, c}`");
      return std::nullopt;
    }
    const Token opening = reader_.advance();
    std::vector<Name> members;
    if (reader_.accept(TokenKind::RightBrace)) return members;
    do {
      const auto member = reader_.expect_member();
      if (!member) return std::nullopt;
      members.push_back(*member);
    } while (reader_.accept(TokenKind::Comma));
    if (reader_.accept(TokenKind::RightBrace)) return members;
    return reader_.list_not_closed(opening, "}");
  }

  std::optional<LetDeclaration> let() {
    LetDeclaration read{};
    const auto name = declared_name("the name of a `let`");
    if (!name) return std::nullopt;
    read.name = *name;
    if (reader_.at(TokenKind::LeftParen)) {
      auto parameters = parameter_list();
      if (!parameters) return std::nullopt;
      read.has_parameters = true;
      read.parameters = std::move(*parameters);
    }
    const bool other_sign = reader_.at(TokenKind::Assign) || reader_.at(TokenKind::EqualEqual) ||
                            reader_.at(TokenKind::Colon);
    if (!reader_.expect(TokenKind::Equals, "`=`", other_sign ? "did you mean `=`?" : "")) {
      return std::nullopt;
    }
    const auto body = expressions_.expression("an expression");
    if (!body) return std::nullopt;
    read.body = *body;
    return read;
  }

  std::optional<std::vector<Name>> parameter_list() {
    const Token opening = reader_.advance();
    std::vector<Name> parameters;
    if (reader_.accept(TokenKind::RightParen)) return parameters;
    do {
      const auto parameter = reader_.expect_name("the name of a parameter");
      if (!parameter) return std::nullopt;
      parameters.push_back(*parameter);
    } while (reader_.accept(TokenKind::Comma));
    if (reader_.accept(TokenKind::RightParen)) return parameters;
    return reader_.list_not_closed(opening, ")");
  }

  // stream NAME { FIELD: TYPE, ... }
  std::optional<StreamDeclaration> stream() {
    StreamDeclaration read{};
    const auto name = declared_name("the name of a stream");
    if (!name) return std::nullopt;
    read.name = *name;
    if (!reader_.at(TokenKind::LeftBrace)) {
      return reader_.missing(Code::ExpectedSymbol, "`{`", std::string(kStreamShape));
    }
    const Token opening = reader_.advance();
    if (reader_.accept(TokenKind::RightBrace)) return read;
    do {
      auto read_field = field();
      if (!read_field) return std::nullopt;
      read.fields.push_back(std::move(*read_field));
    } while (reader_.accept(TokenKind::Comma));
    if (reader_.accept(TokenKind::RightBrace)) return read;
    return reader_.list_not_closed(opening, "}");
  }

  // extern NAME(PARAMETER: TYPE, ...)
  std::optional<ExternDeclaration> external() {
    ExternDeclaration read{};
    const auto name = declared_name("the name of a function");
    if (!name) return std::nullopt;
    read.name = *name;
    if (!reader_.at(TokenKind::LeftParen)) {
      return reader_.missing(Code::ExpectedSymbol, "`(`", std::string(kExternShape));
    }
    const Token opening = reader_.advance();
    if (!reader_.at(TokenKind::RightParen)) {
      do {
        auto read_parameter = parameter();
        if (!read_parameter) return std::nullopt;
        read.parameters.push_back(std::move(*read_parameter));
      } while (reader_.accept(TokenKind::Comma));
    }
    if (!reader_.accept(TokenKind::RightParen)) return reader_.list_not_closed(opening, ")");
    const bool result = reader_.at(TokenKind::Colon) || reader_.at(TokenKind::Arrow);
    if (result || reader_.at(TokenKind::Equals)) {
      return reader_.fail(Code::ExpectedDeclaration, reader_.current().span,
                          fmt::format("unexpected {}", reader_.quoted()),
                          result ? "a function says whether something holds; it has no other type"
                                 : "what the model itself defines is a `let`");
    }
    return read;
  }

  std::optional<FieldDeclaration> parameter() {
    FieldDeclaration read{};
    const auto name = reader_.expect_name("the name of a parameter");
    if (!name) return std::nullopt;
    read.name = *name;
    if (!reader_.expect(TokenKind::Colon, "`:`", std::string(kExternShape))) return std::nullopt;
    const Span start = reader_.current().span;
    const std::string_view word = reader_.at(TokenKind::Name) ? reader_.word() : "";
    if (word == "string") {
      reader_.advance();
      return read;
    }
    if (word == "int" || word == "real") {
      reader_.advance();
      if (reader_.at(TokenKind::Number) || reader_.at(TokenKind::Minus)) {
        return reader_.fail(Code::ExpectedType, reader_.current().span, "a parameter has no range",
                            fmt::format("write just `{}`", word));
      }
      read.type = Type{.shape = NumberType{.whole = word == "int",
                                           .low = 0,
                                           .high = 0,
                                           .low_span = start,
                                           .high_span = start},
                       .span = start};
      return read;
    }
    return with_type(std::move(read), "a parameter is not a set", "give each member on its own");
  }

  std::optional<FieldDeclaration> field() {
    FieldDeclaration read{};
    const auto name = reader_.expect_member();
    if (!name) return std::nullopt;
    read.name = *name;
    if (!reader_.expect(TokenKind::Colon, "`:`", std::string(kStreamShape))) return std::nullopt;
    if (reader_.at(TokenKind::Name) && reader_.word() == "string") {
      reader_.advance();
      return read;
    }
    return with_type(std::move(read), "a field is not a set", "add an element for each member");
  }

  // Of which a set is none.
  std::optional<FieldDeclaration> with_type(FieldDeclaration read, std::string_view no_set,
                                            std::string_view hint) {
    const Span start = reader_.current().span;
    auto shape = type();
    if (!shape) return std::nullopt;
    const auto* members = std::get_if<MembersType>(&shape->shape);
    if (members != nullptr && members->set) {
      return reader_.fail(Code::ExpectedType, start, std::string(no_set), std::string(hint));
    }
    read.type = std::move(*shape);
    return read;
  }

  // action NAME: CONDITION
  std::optional<ActionDeclaration> world_action() {
    ActionDeclaration read{};
    const auto name = declared_name("the name of an action");
    if (!name) return std::nullopt;
    read.name = *name;
    if (!reader_.expect(TokenKind::Colon, "`:`", std::string(kActionShape))) return std::nullopt;
    const auto condition = expressions_.expression("a condition");
    if (!condition) return std::nullopt;
    read.condition = *condition;
    return read;
  }

  // failure NAME: CONDITION after ACTION, ...
  std::optional<FailureDeclaration> failure() {
    FailureDeclaration read{};
    const auto name = reader_.expect_name("the name of a failure");
    if (!name) return std::nullopt;
    read.name = *name;
    if (!reader_.expect(TokenKind::Colon, "`:`", std::string(kFailureShape))) return std::nullopt;
    do {
      auto one = failure_case();
      if (!one) return std::nullopt;
      read.cases.push_back(*one);
    } while (reader_.accept(TokenKind::Comma));
    return read;
  }

  std::optional<FailureCase> failure_case() {
    FailureCase read{};
    const Span start = reader_.current().span;
    const auto condition = expressions_.condition_before(kAfterWords.front());
    if (!condition) return std::nullopt;
    read.condition = *condition;
    if (!reader_.at_word(kAfterWords)) {
      std::string hint =
          reader_.at(TokenKind::Name) ? guess_among(kAfterWords, reader_.word()) : "";
      return reader_.missing(Code::ExpectedSymbol, "`after`",
                             hint.empty() ? std::string(kFailureShape) : std::move(hint));
    }
    reader_.advance();
    const auto after = reader_.expect_name("the name of an action");
    if (!after) return std::nullopt;
    read.after = *after;
    read.span = join(start, after->span);
    return read;
  }

  std::optional<ConstraintDeclaration> constraint() {
    return named_condition<ConstraintDeclaration>();
  }

  std::optional<StartDeclaration> start() { return named_condition<StartDeclaration>(); }

  [[nodiscard]] bool at_name_of_condition() const {
    if (!reader_.at(TokenKind::Name)) return false;
    if (reader_.next().kind == TokenKind::Colon) return true;
    const std::string_view text = tree_.source;
    const auto end = odd_name_end(text, reader_.current().span.begin);
    return end && text.substr(*end).starts_with(':') && !text.substr(*end).starts_with(":=");
  }

  // [NAME:] CONDITION
  template <class Declared>
  std::optional<Declared> named_condition() {
    Declared read{};
    if (at_name_of_condition()) {
      read.name = reader_.accept_name();
      reader_.advance();
    }
    const auto condition = expressions_.expression("a condition");
    if (!condition) return std::nullopt;
    read.condition = *condition;
    return read;
  }

  void states() {
    std::vector<StateDeclaration> read;
    do {
      const auto name = declared_name("the name of a state");
      if (!name) return;
      StateDeclaration state{.name = *name, .initial = false, .final = false, .marker = {}};
      while (reader_.at_word(kStateWords)) {
        bool& mark = reader_.word() == "initial" ? state.initial : state.final;
        if (mark) {
          reader_.fail(Code::DuplicateClause, reader_.current().span,
                       fmt::format("{} is written twice", reader_.quoted()));
          return;
        }
        mark = true;
        state.marker = reader_.advance().span;
      }
      read.push_back(state);
    } while (reader_.accept(TokenKind::Comma));
    if (reader_.at(TokenKind::Name) && !reader_.current().first_on_line && !reader_.declaration()) {
      const std::string hint = guess_among(kStateWords, reader_.word());
      reader_.missing(Code::ExpectedSymbol, "`,`", hint);
      return;
    }
    if (!ends_here(kStateWords)) return;
    std::ranges::move(read, std::back_inserter(tree_.declarations));
  }

  std::optional<RuleDeclaration> rule() {
    RuleDeclaration read{};
    const auto name = declared_name("the name of a rule");
    if (!name) return std::nullopt;
    read.name = *name;
    if (!reader_.expect(TokenKind::Colon, "`:`", std::string(kRuleShape))) {
      return std::nullopt;
    }
    if (reader_.at(TokenKind::If) || reader_.at(TokenKind::When)) {
      return reader_.fail(Code::ForeignForm, reader_.current().span,
                          fmt::format("{} where a source state should be", reader_.quoted()),
                          std::string(kRuleShape));
    }
    do {
      const auto from = reader_.expect_name("a source state");
      if (!from) return std::nullopt;
      read.from.push_back(*from);
    } while (reader_.accept(TokenKind::Comma));
    if (!reader_.expect(TokenKind::Arrow, reader_.at(TokenKind::Name) ? "`,` or `->`" : "`->`",
                        at_torn_arrow() ? "did you mean `->`?" : std::string(kRuleShape))) {
      return std::nullopt;
    }
    const auto to = reader_.expect_name("the target state");
    if (!to) return std::nullopt;
    read.to = *to;
    if (!clauses(read)) return std::nullopt;
    return read;
  }

  [[nodiscard]] bool at_torn_arrow() const {
    return reader_.at(TokenKind::Minus) || reader_.at(TokenKind::Greater);
  }

  // `when`, `do` and `priority` in any order, each at most once.
  bool clauses(RuleDeclaration& rule) {
    std::optional<Span> when;
    std::optional<Span> action;
    std::optional<Span> priority;
    while (reader_.at(TokenKind::When) || reader_.at(TokenKind::Do) ||
           reader_.at(TokenKind::Priority)) {
      const TokenKind keyword = reader_.current().kind;
      std::optional<Span>& first = keyword == TokenKind::When ? when
                                   : keyword == TokenKind::Do ? action
                                                              : priority;
      if (first) {
        reader_.fail(Code::DuplicateClause, reader_.current().span,
                     fmt::format("rule `{}` has a second {}", rule.name.text, reader_.quoted()), {},
                     {{*first, fmt::format("the first {} is here", reader_.quoted(*first))}});
        return false;
      }
      first = reader_.advance().span;
      const bool read = keyword == TokenKind::When ? when_clause(rule)
                        : keyword == TokenKind::Do ? do_clause(rule)
                                                   : priority_clause(rule);
      if (!read) return false;
    }
    if (expressions_.at_lasting()) {
      expressions_.lasting();
      return false;
    }
    if (reader_.at(TokenKind::If)) {
      reader_.fail(Code::ForeignForm, reader_.current().span, "`if` starts no clause of a rule",
                   "it is written `when CONDITION do ACTION`");
      return false;
    }
    if (const auto meant = misspelt_clause()) {
      reader_.fail(Code::ExpectedDeclaration, reader_.current().span,
                   fmt::format("{} starts no clause of a rule", reader_.quoted()),
                   fmt::format("did you mean `{}`?", *meant));
      return false;
    }
    if (!when && ends_here(kClauseWords)) {
      reader_.fail(Code::MissingWhen, rule.name.span,
                   fmt::format("rule `{}` has no `when`", rule.name.text),
                   "write `when true` if it always holds");
    }
    return !reader_.mistaken();
  }

  [[nodiscard]] std::optional<std::string_view> misspelt_clause() const {
    if (!reader_.at(TokenKind::Name) || reader_.declaration()) return std::nullopt;
    if (reader_.word() == "prio") return "priority";
    if (reader_.word() == "then") return "do";
    return closest(reader_.word(), kClauseWords);
  }

  bool when_clause(RuleDeclaration& rule) {
    const auto condition = expressions_.expression("a condition");
    if (condition) rule.when = *condition;
    return condition.has_value();
  }

  bool do_clause(RuleDeclaration& rule) {
    do {
      auto read = action();
      if (!read) return false;
      rule.actions.push_back(*read);
    } while (reader_.accept(TokenKind::Comma));
    return true;
  }

  std::optional<Action> action() {
    const auto name = reader_.accept_name();
    if (!name) {
      return reader_.missing(Code::ExpectedAction, "an action",
                             "an action is written `NAME := VALUE`");
    }
    Action read{.name = *name, .value = std::nullopt, .span = name->span};
    if (reader_.at(TokenKind::Equals) || reader_.at(TokenKind::EqualEqual)) {
      return reader_.missing(Code::ExpectedSymbol, "`:=`", "did you mean `:=`?");
    }
    if (reader_.accept(TokenKind::Assign)) {
      const auto value = expressions_.plain_value("the new value");
      if (!value) return std::nullopt;
      read.value = *value;
      read.span = join(read.span, reader_.previous().span);
    }
    return read;
  }

  bool priority_clause(RuleDeclaration& rule) {
    const Token start = reader_.current();
    const bool negative = reader_.accept(TokenKind::Minus);
    if (!reader_.at(TokenKind::Number)) {
      reader_.missing(Code::BadPriority, "a whole number");
      return false;
    }
    const std::string_view digits = reader_.word();
    const Span span = join(start.span, reader_.current().span);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) {
      reader_.fail(Code::BadPriority, span,
                   fmt::format("priority {} is not a whole number", reader_.quoted(span)));
      return false;
    }
    const Rational value = negative ? -number_value(digits) : number_value(digits);
    if (!value.numerator().fits_int64()) {
      reader_.fail(Code::BadPriority, span,
                   fmt::format("priority {} is too large", reader_.quoted(span)));
      return false;
    }
    reader_.advance();
    rule.priority = value.numerator().to_int64();
    return true;
  }

  std::optional<Name> declared_name(std::string_view what) {
    const auto name = reader_.expect_name(what);
    if (name) declared_.push_back(name->text);
    return name;
  }

  Tree tree_;
  Reader reader_;
  ExpressionParser expressions_;
  PolicyParser policies_;
  bool any_before_ = false;

  // Of the declaration being read
  const Heading* heading_ = nullptr;  // that stands in its place
  TokenKind keyword_ = TokenKind::End;
  Span start_;
  std::vector<std::string_view> declared_;
};

}  // namespace

ParsedTree parse_tree(std::string_view text) { return Parser(text).parse(); }

ParsedCondition parse_condition(std::string_view text, std::uint32_t begin, Tree& tree) {
  Reader reader(text, begin);
  reader.start_declaration();
  std::optional<NodeId> node = ExpressionParser(reader, tree).expression("a condition");
  if (node && !reader.at(TokenKind::End)) {
    node = reader.missing(Code::ExpectedSymbol, "the end of the condition");
  }
  diag::Diagnostics diagnostics = reader.take_diagnostics();
  if (!diagnostics.empty()) node.reset();
  return {node, std::move(diagnostics)};
}

}  // namespace poise::lang
