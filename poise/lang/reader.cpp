#include "poise/lang/reader.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/lang/foreign.h"

namespace poise::lang {

using diag::Code;

std::string guess_among(Words words, std::string_view written) {
  const auto guess = closest(written, words);
  return guess ? fmt::format("did you mean `{}`?", *guess) : std::string();
}

std::optional<TokenKind> word_declaration(std::string_view word) {
  struct Keyword {
    std::string_view word;
    TokenKind kind;
  };
  constexpr std::array kKeywords = {
      Keyword{"variant", TokenKind::Variant}, Keyword{"tick", TokenKind::Tick},
      Keyword{"utility", TokenKind::Utility}, Keyword{"option", TokenKind::Option},
      Keyword{"prefer", TokenKind::Prefer},   Keyword{"expect", TokenKind::Expect},
      Keyword{"start", TokenKind::Start},
  };
  const auto* const keyword = std::ranges::find(kKeywords, word, &Keyword::word);
  return keyword == kKeywords.end() ? std::nullopt : std::optional(keyword->kind);
}

Reader::Reader(std::string_view text, std::uint32_t begin) : text_(text), lexer_(text, begin) {
  current_ = lexer_.next();
  next_ = lexer_.next();
}

bool Reader::at_word(Words words) const {
  return at(TokenKind::Name) && std::ranges::find(words, word()) != words.end();
}

std::string Reader::quoted(Span span) const {
  constexpr std::size_t kShown = 40;
  const std::string_view written = text(span);
  if (written.size() <= kShown) return fmt::format("`{}`", written);
  return fmt::format("`{}…`", written.substr(0, kShown));
}

Token Reader::advance() {
  if (at(TokenKind::LeftBrace)) ++open_braces_;
  if (at(TokenKind::RightBrace) && open_braces_ > 0) --open_braces_;
  earlier_ = previous_;
  previous_ = current_;
  current_ = next_;
  next_ = lexer_.next();
  return previous_;
}

void Reader::skip_to(std::uint32_t offset) {
  lexer_.skip(current_.span.begin, offset);
  current_ = lexer_.next();
  next_ = lexer_.next();
}

bool Reader::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

bool Reader::at_keyword_of_next_declaration() const {
  return is_declaration_keyword(current_.kind) && current_.first_on_line &&
         next_.kind != TokenKind::Comma && next_.kind != TokenKind::RightBrace;
}

std::optional<TokenKind> Reader::declaration() const {
  if (is_declaration_keyword(current_.kind)) return current_.kind;
  const auto by_word = at(TokenKind::Name) ? word_declaration(word()) : std::nullopt;
  if (!by_word) return std::nullopt;
  bool follows = next_.kind == TokenKind::Name;
  switch (*by_word) {
    case TokenKind::Tick: follows = next_.kind == TokenKind::Number; break;
    case TokenKind::Utility:
      follows = next_.kind == TokenKind::Colon || (follows && text(next_.span) == "of");
      break;
    case TokenKind::Expect:
    case TokenKind::Start:
      follows = follows || next_.kind == TokenKind::Not || next_.kind == TokenKind::LeftParen ||
                next_.kind == TokenKind::Number || next_.kind == TokenKind::Minus ||
                next_.kind == TokenKind::True || next_.kind == TokenKind::False ||
                next_.kind == TokenKind::If;
      break;
    default: break;
  }
  return follows ? by_word : std::nullopt;
}

bool Reader::at_early_end() const {
  return at(TokenKind::End) || (current_.first_on_line && declaration().has_value());
}

void Reader::start_declaration() {
  mistaken_ = false;
  open_braces_ = 0;
}

std::nullopt_t Reader::fail(Code code, Span span, std::string message, std::string hint,
                            std::vector<diag::Related> related) {
  const bool reported = std::exchange(mistaken_, true) || at(TokenKind::Mistake);
  if (auto comma = reported ? std::nullopt : decimal_comma()) {
    diagnostics_.push_back(std::move(*comma));
  } else if (!reported) {
    diagnostics_.push_back({.code = code,
                            .span = span,
                            .message = std::move(message),
                            .hint = std::move(hint),
                            .related = std::move(related)});
  }
  return std::nullopt;
}

std::nullopt_t Reader::missing(Code code, std::string_view what, std::string hint) {
  if (at_early_end()) {
    return fail(code, {previous_.span.end, previous_.span.end},
                fmt::format("the declaration ends where {} should be", what), std::move(hint));
  }
  return fail(code, current_.span, fmt::format("found {} where {} should be", quoted(), what),
              std::move(hint));
}

std::nullopt_t Reader::group_not_closed(const Token& opening, std::string_view closing) {
  return not_closed(opening, closing, fmt::format("`{}`", closing));
}

std::nullopt_t Reader::list_not_closed(const Token& opening, std::string_view closing) {
  return not_closed(opening, closing, fmt::format("`,` or `{}`", closing));
}

std::nullopt_t Reader::not_closed(const Token& opening, std::string_view closing,
                                  std::string_view what) {
  const bool over = at(TokenKind::End) || current_.first_on_line ||
                    is_declaration_keyword(current_.kind) || is_clause_keyword(current_.kind) ||
                    at(TokenKind::RightParen) || at(TokenKind::RightBrace);
  if (over) {
    return fail(
        Code::UnclosedBracket, opening.span, fmt::format("{} is not closed", quoted(opening.span)),
        {},
        {{{previous_.span.end, previous_.span.end}, fmt::format("`{}` is missing here", closing)}});
  }
  return fail(Code::ExpectedSymbol, current_.span,
              fmt::format("found {} where {} should be", quoted(), what), {},
              {{opening.span, fmt::format("{} is opened here", quoted(opening.span))}});
}

bool Reader::expect(TokenKind kind, std::string_view what, std::string hint) {
  if (accept(kind)) return true;
  missing(Code::ExpectedSymbol, what, std::move(hint));
  return false;
}

// `20,5`, where the grammar has no list. The comma is at hand, or has been taken for one between
// actions.
std::optional<diag::Diagnostic> Reader::decimal_comma() const {
  const bool behind = previous_.kind == TokenKind::Comma;
  const Token& whole = behind ? earlier_ : previous_;
  const Token& comma = behind ? previous_ : current_;
  const Token& fraction = behind ? current_ : next_;
  const bool number = whole.kind == TokenKind::Number && comma.kind == TokenKind::Comma &&
                      fraction.kind == TokenKind::Number && whole.span.end == comma.span.begin &&
                      comma.span.end == fraction.span.begin;
  if (!number) return std::nullopt;
  const std::string_view before = text(whole.span);
  const std::string_view after = text(fraction.span);
  constexpr std::size_t kLongest = 20;
  if (before.size() > kLongest || after.size() > kLongest) return std::nullopt;
  std::string hint = fmt::format("did you mean `{}.{}`?", before, after);
  if (after.size() == 3) hint = fmt::format("did you mean `{0}{1}` or `{0}.{1}`?", before, after);
  const Span span = join(whole.span, fraction.span);
  return diag::Diagnostic{.code = Code::MalformedNumber,
                          .span = span,
                          .message = fmt::format("{} has a comma in it", quoted(span)),
                          .hint = std::move(hint)};
}

bool Reader::at_known_odd_name() const {
  if (odd_names_.empty()) return false;
  const auto end = odd_name_end(text_, current_.span.begin);
  if (!end) return false;
  const std::string_view written = text({current_.span.begin, *end});
  // A field is declared without the element before it.
  const std::size_t dot = written.find('.');
  return odd_names_.contains(written) ||
         (dot != std::string_view::npos && odd_names_.contains(written.substr(dot + 1)));
}

std::optional<Name> Reader::accept_name() {
  const bool word = at(TokenKind::Name) || at(TokenKind::Mistake) || is_keyword(current_.kind);
  if (word && !at_early_end()) {
    if (auto odd = accept_odd_name()) return odd;
  }
  if (at(TokenKind::Name)) return name_from(advance());
  return std::nullopt;
}

void Reader::report_odd_name(Span span) {
  if (mistaken_) return;
  constexpr std::size_t kLongest = 40;
  const std::string_view name = text(span);
  const bool dash = name.find('-') != std::string_view::npos;
  diagnostics_.push_back({.code = Code::MalformedName,
                          .span = span,
                          .message = fmt::format("the name {} {}", quoted(span),
                                                 dash ? "has a dash in it" : "begins with a digit"),
                          .hint = name.size() <= kLongest
                                      ? fmt::format("did you mean `{}`?", proper_name(name))
                                      : ""});
}

std::optional<Name> Reader::accept_odd_name() {
  const auto end = odd_name_end(text_, current_.span.begin);
  if (!end) return std::nullopt;
  const Span span{current_.span.begin, *end};
  if (!at_known_odd_name()) {
    report_odd_name(span);
    odd_names_.insert(text(span));
  }
  while (current_.span.begin < *end && !at(TokenKind::End)) advance();
  lexer_.withdraw(span);
  return Name{.text = text(span), .span = span};
}

std::optional<Name> Reader::expect_name(std::string_view what) {
  if (auto name = accept_name()) return name;
  if (is_keyword(current_.kind) && !at_early_end()) {
    fail(Code::KeywordAsName, current_.span,
         fmt::format("keyword {} where {} should be", quoted(), what));
    advance();  // or it would be taken for the start of a declaration
    return std::nullopt;
  }
  return missing(Code::ExpectedName, what);
}

std::optional<Name> Reader::expect_member() {
  if (auto name = accept_name()) return name;
  const bool keyword = is_keyword(current_.kind);
  if (keyword && !at_keyword_of_next_declaration()) return name_from(advance());
  return missing(Code::ExpectedName, "the name of a member");
}

diag::Diagnostics Reader::take_diagnostics() {
  diag::Diagnostics all = lexer_.take_diagnostics();
  std::ranges::move(diagnostics_, std::back_inserter(all));
  diagnostics_.clear();
  return in_source_order(std::move(all));
}

}  // namespace poise::lang
