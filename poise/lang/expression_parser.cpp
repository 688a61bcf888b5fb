#include "poise/lang/expression_parser.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise::lang {
namespace {

using diag::Code;

constexpr std::array<std::string_view, 2> kQuantifiers = {"exists", "all"};
constexpr std::array<std::string_view, 2> kWindows = {"last", "next"};

// What a word before another one was meant to be, if that is a quantifier: misspelt, or as others
// say it.
std::optional<std::string_view> meant_quantifier(std::string_view word) {
  constexpr std::array<std::string_view, 2> kSome = {"some", "any"};
  constexpr std::array<std::string_view, 3> kEvery = {"forall", "every", "each"};
  if (std::ranges::find(kSome, word) != kSome.end()) return "exists";
  if (std::ranges::find(kEvery, word) != kEvery.end()) return "all";
  return closest(word, kQuantifiers);
}

// The words of policies that may follow a name, and those before `of`.
constexpr std::array<std::string_view, 1> kHeld = {"held"};
constexpr std::array<std::string_view, 1> kFor = {"for"};
constexpr std::array<std::string_view, 1> kThen = {"then"};
constexpr std::array<std::string_view, 1> kElse = {"else"};
constexpr std::array<std::string_view, 1> kOver = {"over"};
constexpr std::array<std::string_view, 5> kFollowing = {"held", "then", "else", "over", "cooldown"};
constexpr std::array<std::string_view, 5> kPast = {"rate", "max", "min", "mean", "previous"};

constexpr std::string_view kConditionalShape = "it is written `if CONDITION then A else B`";
constexpr std::string_view kWindowShape = "a window is written `[last 60s]` or `[next 20s]`";
constexpr std::string_view kNoCalculation = "a plain value stands here, nothing to calculate";

}  // namespace

struct ExpressionParser::Operator {
  Level level = Level::None;  // how tightly it binds; None if it is no binary operator
  NodeKind kind = NodeKind::Iff;
};

ExpressionParser::Operator ExpressionParser::binary_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::Iff: return {Level::Iff, NodeKind::Iff};
    case TokenKind::Implies: return {Level::Implies, NodeKind::Implies};
    case TokenKind::Or: return {Level::Or, NodeKind::Or};
    case TokenKind::And: return {Level::And, NodeKind::And};
    case TokenKind::EqualEqual: return {Level::Comparison, NodeKind::Equal};
    case TokenKind::NotEqual: return {Level::Comparison, NodeKind::NotEqual};
    case TokenKind::Less: return {Level::Comparison, NodeKind::Less};
    case TokenKind::LessEqual: return {Level::Comparison, NodeKind::LessEqual};
    case TokenKind::Greater: return {Level::Comparison, NodeKind::Greater};
    case TokenKind::GreaterEqual: return {Level::Comparison, NodeKind::GreaterEqual};
    case TokenKind::In: return {Level::Comparison, NodeKind::In};
    case TokenKind::Has: return {Level::Comparison, NodeKind::Has};
    case TokenKind::Is: return {Level::Comparison, NodeKind::Is};
    case TokenKind::Plus:
    case TokenKind::Minus: return {Level::Sum, NodeKind::Sum};
    case TokenKind::Star:
    case TokenKind::Slash: return {Level::Product, NodeKind::Product};
    default: return {};
  }
}

// One more level of what nests, for the time of a scope.
class ExpressionParser::Nesting {
 public:
  explicit Nesting(int& depth) : depth_(++depth) {}
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  [[nodiscard]] bool too_deep() const { return depth_ > kMaxDepth; }

 private:
  int& depth_;
};

std::optional<NodeId> ExpressionParser::expression(std::string_view what) {
  const auto read = binary(Level::Iff, what);
  return read ? std::optional(read->id) : std::nullopt;
}

std::optional<NodeId> ExpressionParser::condition_before(std::string_view word) {
  word_behind_ = word;
  const auto read = expression("a condition");
  word_behind_ = {};
  return read;
}

std::optional<NodeId> ExpressionParser::plain_value(std::string_view what) {
  const auto value = reader_.at(TokenKind::LeftBrace) ? braces() : constant(what);
  if (!value) return std::nullopt;
  const bool calculation = binary_operator(reader_.current().kind).level != Level::None ||
                           reader_.at(TokenKind::LeftParen);
  if (!calculation) return value->id;
  const Span span = reader_.current().span;
  return reader_.fail(Code::ExpectedLiteral, span,
                      fmt::format("found {} behind {}", reader_.quoted(span), what),
                      std::string(kNoCalculation));
}

// An expression whose operators bind at least as tightly as `loosest`.
std::optional<ExpressionParser::Operand> ExpressionParser::binary(Level loosest,
                                                                  std::string_view what) {
  std::optional<Operand> left = operand(loosest, what);
  while (left) {
    if (at_lasting()) return lasting();
    if (reader_.at_word(kHeld) && loosest <= Level::Comparison) {
      left = held(*left);
      continue;
    }
    const Operator sign = binary_operator(reader_.current().kind);
    if (sign.level == Level::None || sign.level < loosest) break;
    if (sign.level == Level::Iff || sign.level == Level::Implies) {
      left = to_the_right(*left, sign);
    } else if (sign.level == Level::Comparison) {
      left = comparison(*left, sign);
    } else {
      left = chain(*left, sign);
    }
  }
  if (left && (reader_.at(TokenKind::Equals) || reader_.at(TokenKind::Assign))) {
    const Span span = reader_.current().span;
    return reader_.fail(Code::AssignmentInCondition, span,
                        fmt::format("{} in a condition", reader_.quoted(span)),
                        "did you mean `==`?");
  }
  if (left && reader_.at(TokenKind::Prime)) return misplaced_prime();
  return left;
}

bool ExpressionParser::at_lasting() const { return reader_.at_word(kFor); }

std::nullopt_t ExpressionParser::lasting() {
  const bool number = reader_.next().kind == TokenKind::Number;
  const Span word = reader_.current().span;
  const Span span = number ? join(word, reader_.next().span) : word;
  std::string hint = "rules see the present only: let a boolean `sense` say that it has lasted";
  if (tree_.policy) {
    hint =
        fmt::format("did you mean `held {}`?", number ? reader_.text(reader_.next().span) : "10s");
  }
  return reader_.fail(Code::ForeignForm, span,
                      fmt::format("{} is no part of a condition", reader_.quoted(span)),
                      std::move(hint));
}

// A prime that is not directly behind a name.
std::nullopt_t ExpressionParser::misplaced_prime() {
  const Token& before = reader_.previous();
  const Span prime = reader_.current().span;
  const bool apart = before.kind == TokenKind::Name && before.span.end != prime.begin;
  return reader_.fail(
      Code::MisplacedPrime, prime,
      apart ? "`'` stands apart from its name" : "`'` behind something that is no variable",
      "a later value is written `NAME'`");
}

std::optional<ExpressionParser::Operand> ExpressionParser::to_the_right(const Operand& left,
                                                                        const Operator& sign) {
  const Nesting nesting(nesting_);
  if (nesting.too_deep()) return too_deep(reader_.current().span);
  const Span operator_span = reader_.advance().span;
  const auto right = binary(sign.level, "a condition");
  if (!right) return std::nullopt;
  return pair(sign.kind, operator_span, left, *right);
}

// a and b and c: one node, and a loop however long it is.
std::optional<ExpressionParser::Operand> ExpressionParser::chain(const Operand& left,
                                                                 const Operator& sign) {
  const std::string_view what = sign.level < Level::Not ? "a condition" : "a value";
  const auto tighter = static_cast<Level>(static_cast<int>(sign.level) + 1);
  const Span first_operator = reader_.current().span;
  const std::size_t base = pending_.size();
  pending_.push_back(left);
  bool read = true;
  while (read && binary_operator(reader_.current().kind).level == sign.level) {
    const TokenKind between = reader_.advance().kind;
    const auto right = binary(tighter, what);
    read = right.has_value();
    if (!read) break;
    tree_.nodes[right->id].subtracted = between == TokenKind::Minus;
    tree_.nodes[right->id].divided = between == TokenKind::Slash;
    pending_.push_back(*right);
  }
  std::optional<Operand> result;
  if (read) {
    const Span outer = join(left.outer, pending_.back().outer);
    result = node(sign.kind, outer, first_operator, std::span(pending_).subspan(base));
  }
  pending_.resize(base);
  return result;
}

std::optional<ExpressionParser::Operand> ExpressionParser::comparison(const Operand& left,
                                                                      const Operator& sign) {
  const Span operator_span = reader_.advance().span;
  std::optional<Operand> right;
  if (sign.kind == NodeKind::In) {
    right = listed_values();
  } else if (sign.kind == NodeKind::Has || sign.kind == NodeKind::Is) {
    const auto member = reader_.expect_member();
    if (member) right = node(NodeKind::Name, member->span, {}, {});
  } else {
    right = binary(Level::Sum, "a value");
  }
  if (!right) return std::nullopt;
  if (binary_operator(reader_.current().kind).level == Level::Comparison) {
    const Span second = reader_.current().span;
    return reader_.fail(Code::ChainedComparison, second,
                        fmt::format("{} behind another comparison", reader_.quoted(second)),
                        "join two comparisons with `and`",
                        {{operator_span, "the first comparison is here"}});
  }
  return pair(sign.kind, operator_span, left, *right);
}

std::optional<ExpressionParser::Operand> ExpressionParser::listed_values() {
  if (reader_.at(TokenKind::LeftBrace)) return braces();
  std::string hint = "a list of values is written `{a, b}`";
  if (reader_.at(TokenKind::Number) && reader_.next().kind == TokenKind::DotDot) {
    hint = "a range is written with `>=` and `<=`";
  }
  if (reader_.at(TokenKind::Name)) hint += "; a set is asked with `has`";
  return reader_.missing(Code::BadMembership, "a list of values", std::move(hint));
}

std::optional<ExpressionParser::Operand> ExpressionParser::operand(Level loosest,
                                                                   std::string_view what) {
  if (reader_.at_known_odd_name()) return odd_name();
  if (reader_.at(TokenKind::Minus)) return prefixed(NodeKind::Negate, Level::Unary, "a value");
  if (!reader_.at(TokenKind::Not)) return primary(what);
  if (loosest <= Level::Not) return prefixed(NodeKind::Not, Level::Not, "a condition");
  return reader_.missing(Code::ExpectedExpression, what, "put the `not …` in parentheses");
}

std::optional<ExpressionParser::Operand> ExpressionParser::prefixed(NodeKind kind, Level level,
                                                                    std::string_view what) {
  const Nesting nesting(nesting_);
  if (nesting.too_deep()) return too_deep(reader_.current().span);
  const Span sign = reader_.advance().span;
  const auto inner = binary(level, what);
  if (!inner) return std::nullopt;
  return node(kind, join(sign, inner->outer), sign, std::span(&*inner, 1));
}

std::optional<ExpressionParser::Operand> ExpressionParser::primary(std::string_view what) {
  std::string hint;
  switch (reader_.current().kind) {
    case TokenKind::Number: return leaf(NodeKind::Number);
    case TokenKind::True:
    case TokenKind::False: return leaf(NodeKind::Boolean);
    case TokenKind::Name: return name();
    case TokenKind::Text: return leaf(NodeKind::Text);
    case TokenKind::LeftParen: return parenthesized();
    case TokenKind::If: return conditional();
    case TokenKind::LeftBrace: hint = "a list of values stands behind `in`"; break;
    case TokenKind::Prime: hint = "members are written without quotes, texts in double ones"; break;
    default: break;
  }
  return reader_.missing(Code::ExpectedExpression, what, std::move(hint));
}

// A name that is malformed, and declared as such.
std::optional<ExpressionParser::Operand> ExpressionParser::odd_name() {
  const Span name = reader_.accept_name()->span;
  return reader_.at(TokenKind::LeftParen) ? call(name) : node(NodeKind::Name, name, {}, {});
}

// What starts with a name.
std::optional<ExpressionParser::Operand> ExpressionParser::name() {
  const Token& next = reader_.next();
  if (next.kind == TokenKind::LeftParen) return call(reader_.advance().span);
  if (next.kind == TokenKind::Prime && next.span.begin == reader_.current().span.end) {
    const Span before = reader_.advance().span;
    return node(NodeKind::Primed, join(before, reader_.advance().span), {}, {});
  }
  if (next.kind != TokenKind::Name) return leaf(NodeKind::Name);
  if (reader_.text(next.span) == "of" && reader_.at_word(kPast)) return past();
  if (word_follows_name()) return leaf(NodeKind::Name);
  if (reader_.at_word(kQuantifiers)) return quantifier();
  if (!next.first_on_line) {
    if (const auto meant = meant_quantifier(reader_.word())) {
      return reader_.fail(Code::ExpectedExpression, reader_.current().span,
                          fmt::format("{} is not a quantifier", reader_.quoted()),
                          fmt::format("did you mean `{}`?", *meant));
    }
  }
  return leaf(NodeKind::Name);
}

// Whether the word behind the current name is no part of an expression that starts with it. What
// may follow a name in a policy may also be bound by a quantifier: `exists held in B: …`.
bool ExpressionParser::word_follows_name() const {
  const std::string_view next = reader_.text(reader_.next().span);
  if (!word_behind_.empty() && next == word_behind_) return true;
  return !reader_.at_word(kQuantifiers) && std::ranges::find(kFollowing, next) != kFollowing.end();
}

// if C then A else B, of which B goes on as far as it can.
std::optional<ExpressionParser::Operand> ExpressionParser::conditional() {
  const Nesting nesting(nesting_);
  if (nesting.too_deep()) return too_deep(reader_.current().span);
  const Span word = reader_.advance().span;
  const auto condition = binary(Level::Iff, "a condition");
  if (!condition) return std::nullopt;
  if (!reader_.at_word(kThen)) {
    return reader_.missing(Code::ExpectedSymbol, "`then`", std::string(kConditionalShape));
  }
  reader_.advance();
  const auto then = binary(Level::Iff, "a value");
  if (!then) return std::nullopt;
  if (!reader_.at_word(kElse)) return without_else(word, *condition, *then);
  reader_.advance();
  const auto otherwise = binary(Level::Iff, "a value");
  if (!otherwise) return std::nullopt;
  const std::array<Operand, 3> children = {*condition, *then, *otherwise};
  return node(NodeKind::If, join(word, otherwise->outer), word, children);
}

// In a policy a value is missing; elsewhere the condition is meant to follow from another one.
std::nullopt_t ExpressionParser::without_else(Span word, const Operand& condition,
                                              const Operand& then) {
  if (tree_.policy) {
    return reader_.missing(Code::ExpectedSymbol, "`else`", std::string(kConditionalShape));
  }
  constexpr std::size_t kLongest = 60;
  std::string meant =
      fmt::format("{} implies {}", reader_.text(condition.outer), reader_.text(then.outer));
  const bool shown = meant.size() <= kLongest && meant.find('\n') == std::string::npos;
  return reader_.fail(Code::ForeignForm, word, "`if … then` without `else`",
                      shown ? fmt::format("did you mean `{}`?", meant)
                            : "what follows from a condition is written `A implies B`");
}

// The condition has been read: … held 10s
std::optional<ExpressionParser::Operand> ExpressionParser::held(const Operand& condition) {
  const Span word = reader_.advance().span;
  if (!reader_.at(TokenKind::Number)) {
    return reader_.missing(Code::BadDuration, "a duration", "it is written `held 10s`");
  }
  const auto duration = leaf(NodeKind::Number);
  if (!duration) return std::nullopt;
  return pair(NodeKind::Held, word, condition, *duration);
}

// rate of x, max of (a + b) over 5m: what stands behind `of` is a name, a call or in parentheses.
std::optional<ExpressionParser::Operand> ExpressionParser::past() {
  const Nesting nesting(nesting_);
  if (nesting.too_deep()) return too_deep(reader_.current().span);
  const bool over_follows = reader_.word() != "previous";
  const bool over_needed = over_follows && reader_.word() != "rate";
  const Span word = reader_.advance().span;
  const std::string shape =
      over_needed ? fmt::format("it is written `{} of x over 5m`", reader_.text(word)) : "";
  reader_.advance();
  const auto value = primary("a value");
  if (!value) return std::nullopt;
  std::optional<Operand> duration;
  if (over_follows && reader_.at_word(kOver)) {
    reader_.advance();
    if (!reader_.at(TokenKind::Number)) {
      return reader_.missing(Code::BadDuration, "a duration", "it is written `over 5m`");
    }
    duration = leaf(NodeKind::Number);
    if (!duration) return std::nullopt;
  } else if (over_needed) {
    return reader_.missing(Code::ExpectedSymbol, "`over`", shape);
  }
  const std::array<Operand, 2> children = {*value, duration.value_or(Operand{})};
  return node(NodeKind::Past, join(word, duration ? duration->outer : value->outer), word,
              std::span(children).first(duration ? 2 : 1));
}

// exists b in B_load[last 60s]: …, of which the condition goes on as far as it can.
std::optional<ExpressionParser::Operand> ExpressionParser::quantifier() {
  const Nesting nesting(nesting_);
  if (nesting.too_deep()) return too_deep(reader_.current().span);
  const NodeKind kind = reader_.word() == "all" ? NodeKind::All : NodeKind::Exists;
  const Span word = reader_.advance().span;
  const auto variable = leaf(NodeKind::Name);
  if (!variable) return std::nullopt;
  const std::string shape = fmt::format("a quantifier is written `{} x in STREAM: …`",
                                        kind == NodeKind::All ? "all" : "exists");
  if (!reader_.expect(TokenKind::In, "`in`", shape)) return std::nullopt;
  const auto elements = window();
  if (!elements) return std::nullopt;
  if (!reader_.expect(TokenKind::Colon, "`:`", shape)) return std::nullopt;
  const auto body = binary(Level::Iff, "a condition");
  if (!body) return std::nullopt;
  const std::array<Operand, 3> children = {*variable, *elements, *body};
  return node(kind, join(word, body->outer), word, children);
}

// B_load, B_load[last 60s] or B_load[next 60s].
std::optional<ExpressionParser::Operand> ExpressionParser::window() {
  const auto name = reader_.accept_name();
  if (!name) return reader_.missing(Code::ExpectedName, "the name of a stream");
  const auto stream = node(NodeKind::Name, name->span, {}, {});
  if (!stream || !reader_.at(TokenKind::LeftBracket)) return stream;
  const Token opening = reader_.advance();
  if (!reader_.at_word(kWindows)) {
    return reader_.missing(Code::BadWindow, "`last` or `next`", std::string(kWindowShape));
  }
  const NodeKind kind = reader_.word() == "last" ? NodeKind::Last : NodeKind::Next;
  const Span word = reader_.advance().span;
  if (!reader_.at(TokenKind::Number)) {
    return reader_.missing(Code::BadWindow, "a duration", std::string(kWindowShape));
  }
  const auto duration = leaf(NodeKind::Number);
  if (!duration) return std::nullopt;
  if (!reader_.at(TokenKind::RightBracket)) return reader_.group_not_closed(opening, "]");
  const Span outer = join(stream->outer, reader_.advance().span);
  const std::array<Operand, 2> children = {*stream, *duration};
  return node(kind, outer, word, children);
}

std::optional<ExpressionParser::Operand> ExpressionParser::parenthesized() {
  const Nesting nesting(nesting_);
  if (nesting.too_deep()) return too_deep(reader_.current().span);
  const Token opening = reader_.advance();
  auto inner = binary(Level::Iff, "an expression");
  if (!inner) return std::nullopt;
  if (!reader_.at(TokenKind::RightParen)) return reader_.group_not_closed(opening, ")");
  tree_.nodes[inner->id].parenthesized = true;
  inner->outer = join(opening.span, reader_.advance().span);
  return inner;
}

// Its name has been read.
std::optional<ExpressionParser::Operand> ExpressionParser::call(Span callee) {
  const Nesting nesting(nesting_);
  if (nesting.too_deep()) return too_deep(callee);
  const Token opening = reader_.advance();
  const std::size_t base = pending_.size();
  bool read = true;
  if (!reader_.at(TokenKind::RightParen)) {
    do {
      const auto argument = binary(Level::Iff, "an argument");
      read = argument.has_value();
      if (read) pending_.push_back(*argument);
    } while (read && reader_.accept(TokenKind::Comma));
  }
  std::optional<Operand> result;
  if (read && !reader_.at(TokenKind::RightParen)) {
    reader_.list_not_closed(opening, ")");
  } else if (read) {
    const Span outer = join(callee, reader_.advance().span);
    result = node(NodeKind::Call, outer, callee, std::span(pending_).subspan(base));
  }
  pending_.resize(base);
  return result;
}

// {a, b}
std::optional<ExpressionParser::Operand> ExpressionParser::braces() {
  const Token opening = reader_.advance();
  const std::size_t base = pending_.size();
  bool read = true;
  if (!reader_.at(TokenKind::RightBrace)) {
    do {
      const auto member = member_value();
      read = member.has_value();
      if (read) pending_.push_back(*member);
    } while (read && reader_.accept(TokenKind::Comma));
  }
  std::optional<Operand> result;
  if (read && !reader_.at(TokenKind::RightBrace)) {
    reader_.list_not_closed(opening, "}");
  } else if (read) {
    const Span outer = join(opening.span, reader_.advance().span);
    result = node(NodeKind::Braces, outer, {}, std::span(pending_).subspan(base));
  }
  pending_.resize(base);
  return result;
}

std::optional<ExpressionParser::Operand> ExpressionParser::member_value() {
  const bool boolean = reader_.at(TokenKind::True) || reader_.at(TokenKind::False);
  const bool member = is_keyword(reader_.current().kind) && !boolean;
  if (member && !reader_.at_keyword_of_next_declaration()) return leaf(NodeKind::Name);
  return constant("a value");
}

// A name or a literal.
std::optional<ExpressionParser::Operand> ExpressionParser::constant(std::string_view what) {
  if (reader_.at_known_odd_name()) return odd_name();
  switch (reader_.current().kind) {
    case TokenKind::Name: return leaf(NodeKind::Name);
    case TokenKind::Number: return leaf(NodeKind::Number);
    case TokenKind::True:
    case TokenKind::False: return leaf(NodeKind::Boolean);
    case TokenKind::Text: return leaf(NodeKind::Text);
    case TokenKind::Minus:
      if (reader_.next().kind != TokenKind::Number) break;
      return prefixed(NodeKind::Negate, Level::Unary, what);
    default: break;
  }
  const bool calculation = reader_.at(TokenKind::Not) || reader_.at(TokenKind::LeftParen) ||
                           reader_.at(TokenKind::Minus);
  return reader_.missing(Code::ExpectedLiteral, what,
                         calculation ? std::string(kNoCalculation) : std::string());
}

std::optional<ExpressionParser::Operand> ExpressionParser::node(NodeKind kind, Span outer,
                                                                Span operator_span,
                                                                std::span<const Operand> children) {
  int height = 0;
  for (const Operand& child : children) height = std::max(height, child.height);
  if (++height > kMaxDepth) return too_deep(operator_span);
  const auto first_child = static_cast<std::uint32_t>(tree_.links.size());
  for (const Operand& child : children) tree_.links.push_back(child.id);
  const NodeId id = tree_.nodes.add({.kind = kind,
                                     .span = outer,
                                     .operator_span = operator_span,
                                     .first_child = first_child,
                                     .child_count = static_cast<std::uint32_t>(children.size())});
  return Operand{.id = id, .height = height, .outer = outer};
}

// The current token, which is all of the node.
std::optional<ExpressionParser::Operand> ExpressionParser::leaf(NodeKind kind) {
  return node(kind, reader_.advance().span, {}, {});
}

std::optional<ExpressionParser::Operand> ExpressionParser::pair(NodeKind kind, Span operator_span,
                                                                const Operand& left,
                                                                const Operand& right) {
  const std::array<Operand, 2> children = {left, right};
  return node(kind, join(left.outer, right.outer), operator_span, children);
}

std::nullopt_t ExpressionParser::too_deep(Span span) {
  return reader_.fail(Code::TooDeep, span,
                      fmt::format("the expression is nested more than {} levels deep", kMaxDepth),
                      "name a part of it with `let`");
}

}  // namespace poise::lang
