#include "poise/lang/lexer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/base/utf8.h"
#include "poise/lang/foreign.h"

namespace poise::lang {
namespace {

using diag::Code;

struct Keyword {
  std::string_view word;
  TokenKind kind;
};

constexpr std::array kKeywords = {
    Keyword{"model", TokenKind::Model},
    Keyword{"sense", TokenKind::Sense},
    Keyword{"var", TokenKind::Var},
    Keyword{"let", TokenKind::Let},
    Keyword{"constraint", TokenKind::Constraint},
    Keyword{"stream", TokenKind::Stream},
    Keyword{"extern", TokenKind::Extern},
    Keyword{"action", TokenKind::Action},
    Keyword{"failure", TokenKind::Failure},
    Keyword{"state", TokenKind::State},
    Keyword{"rule", TokenKind::Rule},
    Keyword{"when", TokenKind::When},
    Keyword{"do", TokenKind::Do},
    Keyword{"priority", TokenKind::Priority},
    Keyword{"if", TokenKind::If},
    Keyword{"and", TokenKind::And},
    Keyword{"or", TokenKind::Or},
    Keyword{"not", TokenKind::Not},
    Keyword{"implies", TokenKind::Implies},
    Keyword{"iff", TokenKind::Iff},
    Keyword{"in", TokenKind::In},
    Keyword{"has", TokenKind::Has},
    Keyword{"is", TokenKind::Is},
    Keyword{"true", TokenKind::True},
    Keyword{"false", TokenKind::False},
};

// A sign of the language, or of another language together with what is meant by it.
struct Sign {
  std::string_view text;
  TokenKind kind;
  std::string_view hint = {};  // present exactly for a foreign sign
};

// Tried in this order, so the longer of two that start alike comes first.
constexpr std::array kSigns = {
    Sign{":=", TokenKind::Assign},
    Sign{":", TokenKind::Colon},
    Sign{",", TokenKind::Comma},
    Sign{"(", TokenKind::LeftParen},
    Sign{")", TokenKind::RightParen},
    Sign{"{", TokenKind::LeftBrace},
    Sign{"}", TokenKind::RightBrace},
    Sign{"[", TokenKind::LeftBracket},
    Sign{"]", TokenKind::RightBracket},
    Sign{"'", TokenKind::Prime},
    Sign{"...", TokenKind::DotDot, "a range is written with two dots: `0..9`"},
    Sign{"..", TokenKind::DotDot},
    Sign{"->", TokenKind::Arrow},
    Sign{"-", TokenKind::Minus},
    Sign{"+", TokenKind::Plus},
    Sign{"**", TokenKind::Mistake, "there is no power; write the product out"},
    Sign{"*", TokenKind::Star},
    Sign{"===", TokenKind::EqualEqual, "did you mean `==`?"},
    Sign{"==", TokenKind::EqualEqual},
    Sign{"=>", TokenKind::Mistake, "did you mean `implies`, `->` or `>=`?"},
    Sign{"=<", TokenKind::LessEqual, "did you mean `<=`?"},
    Sign{"=", TokenKind::Equals},
    Sign{"!==", TokenKind::NotEqual, "did you mean `!=`?"},
    Sign{"!=", TokenKind::NotEqual},
    Sign{"!", TokenKind::Not, "did you mean `not`?"},
    Sign{"~", TokenKind::Not, "did you mean `not`?"},
    Sign{"<=>", TokenKind::Iff, "did you mean `iff`?"},
    Sign{"<->", TokenKind::Iff, "did you mean `iff`?"},
    Sign{"<=", TokenKind::LessEqual},
    Sign{"<>", TokenKind::NotEqual, "did you mean `!=`?"},
    Sign{"<", TokenKind::Less},
    Sign{">=", TokenKind::GreaterEqual},
    Sign{">", TokenKind::Greater},
    Sign{"&&", TokenKind::And, "did you mean `and`?"},
    Sign{"&", TokenKind::And, "did you mean `and`?"},
    Sign{"||", TokenKind::Or, "did you mean `or`?"},
    Sign{"|", TokenKind::Or, "did you mean `or`?"},
    Sign{"/", TokenKind::Slash},
    Sign{"%", TokenKind::Mistake, "there is no remainder"},
    Sign{"^", TokenKind::Mistake, "there is no power; write the product out"},
};

struct StrangeSign {
  char32_t character;
  TokenKind kind;
  std::string_view meant;
};

constexpr std::array kStrangeSigns = {
    StrangeSign{U'≥', TokenKind::GreaterEqual, ">="},
    StrangeSign{U'⩾', TokenKind::GreaterEqual, ">="},
    StrangeSign{U'≤', TokenKind::LessEqual, "<="},
    StrangeSign{U'⩽', TokenKind::LessEqual, "<="},
    StrangeSign{U'≠', TokenKind::NotEqual, "!="},
    StrangeSign{U'≡', TokenKind::EqualEqual, "=="},
    StrangeSign{U'→', TokenKind::Arrow, "->"},
    StrangeSign{U'⇒', TokenKind::Implies, "implies"},
    StrangeSign{U'↔', TokenKind::Iff, "iff"},
    StrangeSign{U'⇔', TokenKind::Iff, "iff"},
    StrangeSign{U'∧', TokenKind::And, "and"},
    StrangeSign{U'∨', TokenKind::Or, "or"},
    StrangeSign{U'¬', TokenKind::Not, "not"},
    StrangeSign{U'∈', TokenKind::In, "in"},
    StrangeSign{U'×', TokenKind::Star, "*"},
    StrangeSign{U'·', TokenKind::Star, "*"},
    StrangeSign{U'−', TokenKind::Minus, "-"},
    StrangeSign{U'–', TokenKind::Minus, "-"},
    StrangeSign{U'—', TokenKind::Minus, "-"},
    StrangeSign{U'…', TokenKind::DotDot, ".."},
};

const StrangeSign* strange_sign(char32_t character) {
  const auto* const sign = std::ranges::find(kStrangeSigns, character, &StrangeSign::character);
  return sign == kStrangeSigns.end() ? nullptr : sign;
}

bool is_odd_space(char32_t c) {
  return c == 0xA0 || (c >= 0x2000 && c <= 0x200B) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x2060 || c == 0x3000 || c == 0xFEFF;
}

bool is_quote(char32_t c) {
  return c == U'"' || (c >= 0x2018 && c <= 0x201F) || c == U'«' || c == U'»';
}

constexpr bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr std::array<bool, 256> kWordCharacters = [] {
  std::array<bool, 256> table{};
  for (unsigned c = 0; c < 256; ++c) {
    const auto character = static_cast<unsigned char>(c);
    table[c] = is_letter(character) || is_digit(character);
  }
  return table;
}();

constexpr bool is_word_character(unsigned char c) { return kWordCharacters[c]; }
constexpr bool is_control(unsigned char c) { return c < 0x20 || c == 0x7F; }

// Bytes that no token and no other rule of this file starts with.
bool is_junk(std::string_view text) {
  const auto c = static_cast<unsigned char>(text[0]);
  if (c < 0x80) {
    if (c == '\t' || c == '\n' || c == '\r') return false;
    return is_control(c) || std::string_view("@$?\\`").find(text[0]) != std::string_view::npos;
  }
  const CodePoint point = first_code_point(text);
  return !point.valid || !(strange_sign(point.value) != nullptr || is_odd_space(point.value) ||
                           is_quote(point.value));
}

// As it can be shown in a message: a letter itself, what cannot be seen by its number.
std::string shown(char32_t character, std::string_view bytes) {
  const bool visible =
      character >= 0x20 && !(character >= 0x7F && character < 0xA0) && !is_odd_space(character);
  if (visible) return fmt::format("`{}`", bytes);
  return fmt::format("U+{:04X}", static_cast<std::uint32_t>(character));
}

std::size_t digit_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return is_digit(static_cast<unsigned char>(c)); }));
}

// e5, E-5
bool is_exponent(std::string_view tail) {
  if (!tail.starts_with('e') && !tail.starts_with('E')) return false;
  tail.remove_prefix(1);
  if (tail.starts_with('+') || tail.starts_with('-')) tail.remove_prefix(1);
  return digit_count(tail) == tail.size();
}

bool is_unit(std::string_view suffix) {
  return suffix == "ms" || suffix == "s" || suffix == "m" || suffix == "h";
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kShown = 40;
  if (text.size() <= kShown) return std::string(text);
  return std::string(text.substr(0, kShown)) + "…";
}

std::string unit_hint(std::string_view digits, std::string_view suffix) {
  struct Spelling {
    std::string_view written;
    std::string_view unit;
  };
  constexpr std::array kSpellings = {
      Spelling{"msec", "ms"},   Spelling{"millis", "ms"}, Spelling{"sec", "s"},
      Spelling{"secs", "s"},    Spelling{"second", "s"},  Spelling{"seconds", "s"},
      Spelling{"min", "m"},     Spelling{"mins", "m"},    Spelling{"minute", "m"},
      Spelling{"minutes", "m"}, Spelling{"hr", "h"},      Spelling{"hrs", "h"},
      Spelling{"hour", "h"},    Spelling{"hours", "h"},   Spelling{"S", "s"},
      Spelling{"M", "m"},       Spelling{"H", "h"},       Spelling{"MS", "ms"},
  };
  const auto* const spelling = std::ranges::find(kSpellings, suffix, &Spelling::written);
  if (spelling != kSpellings.end()) {
    return fmt::format("did you mean `{}{}`?", shortened(digits), spelling->unit);
  }
  return "units are `ms`, `s`, `m` and `h`; names begin with a letter";
}

}  // namespace

TokenKind word_kind(std::string_view word) {
  constexpr std::size_t kLongest = 10;
  if (word.size() > kLongest) return TokenKind::Name;
  for (const Keyword& keyword : kKeywords) {
    if (keyword.word == word) return keyword.kind;
  }
  return TokenKind::Name;
}

Lexer::Lexer(std::string_view text, std::uint32_t begin) : text_(text), position_(begin) {
  if (begin == 0 && (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))) {
    report(Code::InvalidUtf8, {0, 2}, "the file is not UTF-8 text",
           "this is UTF-16; save it as UTF-8");
    position_ = static_cast<std::uint32_t>(text.size());
    return;
  }
  if (begin == 0 && text.starts_with(kByteOrderMark)) position_ = kByteOrderMark.size();
  if (const auto invalid = first_invalid_byte(text.substr(begin))) {
    const std::uint32_t at = begin + static_cast<std::uint32_t>(*invalid);
    const auto byte = static_cast<unsigned char>(text[at]);
    report(Code::InvalidUtf8, {at, at + 1}, fmt::format("byte 0x{:02X} is not UTF-8 text", byte),
           "save the file as UTF-8");
  }
}

Token Lexer::next() {
  skip_space();
  if (diagnostics_.size() >= kMaxMistakes) position_ = static_cast<std::uint32_t>(text_.size());
  if (position_ == text_.size()) return token(TokenKind::End, 0);
  const unsigned char c = at(position_);
  if (is_letter(c)) return name();
  if (is_digit(c)) return number();
  return sign();
}

void Lexer::skip(std::uint32_t begin, std::uint32_t end) {
  while (!diagnostics_.empty() && diagnostics_.back().span.begin >= begin) diagnostics_.pop_back();
  position_ = end;
  first_on_line_ = true;
}

void Lexer::withdraw(Span span) {
  auto first = diagnostics_.end();
  while (first != diagnostics_.begin() && std::prev(first)->span.begin >= span.begin) --first;
  diagnostics_.erase(
      std::remove_if(first, diagnostics_.end(),
                     [&](const diag::Diagnostic& one) { return one.span.begin < span.end; }),
      diagnostics_.end());
}

diag::Diagnostics Lexer::take_diagnostics() { return std::exchange(diagnostics_, {}); }

unsigned char Lexer::at(std::size_t offset) const {
  return offset < text_.size() ? static_cast<unsigned char>(text_[offset]) : '\0';
}

Token Lexer::token(TokenKind kind, std::size_t length) {
  const std::uint32_t begin = position_;
  position_ += static_cast<std::uint32_t>(length);
  return {.kind = kind,
          .first_on_line = std::exchange(first_on_line_, false),
          .span = {begin, position_}};
}

Token Lexer::mistake(std::uint32_t begin) {
  return {.kind = TokenKind::Mistake,
          .first_on_line = std::exchange(first_on_line_, false),
          .span = {begin, position_}};
}

void Lexer::report(Code code, Span span, std::string message, std::string hint) {
  if (diagnostics_.size() >= kMaxMistakes) return;
  diagnostics_.push_back(
      {.code = code, .span = span, .message = std::move(message), .hint = std::move(hint)});
}

void Lexer::skip_space() {
  while (position_ < text_.size()) {
    const unsigned char c = at(position_);
    if (c == ' ' || c == '\t') {
      ++position_;
    } else if (c == '\n') {
      ++position_;
      first_on_line_ = true;
    } else if (c == '\r' && at(position_ + 1) == '\n') {
      ++position_;
    } else if (c == '#') {
      skip_comment();
    } else if (!skip_odd_space()) {
      return;
    }
  }
}

void Lexer::skip_comment() {
  const std::size_t line_end = std::min(text_.find('\n', position_), text_.size());
  std::string_view comment = text_.substr(position_, line_end - position_);
  if (comment.ends_with('\r')) comment.remove_suffix(1);
  const auto* const control = std::ranges::find_if(
      comment, [](char c) { return c != '\t' && is_control(static_cast<unsigned char>(c)); });
  if (control != comment.end()) {
    const auto place = static_cast<std::uint32_t>(control - text_.data());
    report(Code::UnexpectedCharacter, {place, place + 1},
           fmt::format("control character {} in a comment",
                       shown(static_cast<unsigned char>(*control), {})),
           {});
  }
  comments_.push_back({position_, position_ + static_cast<std::uint32_t>(comment.size())});
  position_ = static_cast<std::uint32_t>(line_end);
}

// What does no harm but does not belong here: reported, then taken for white space.
bool Lexer::skip_odd_space() {
  const unsigned char c = at(position_);
  const std::uint32_t begin = position_;
  if (c == ';') {
    while (at(position_) == ';') ++position_;
    report(Code::UnexpectedCharacter, {begin, position_}, "unexpected `;`",
           "declarations need no semicolons");
    return true;
  }
  if (first_on_line_ && skip_conflict_mark()) return true;
  if (const auto number = c == '%' ? percentage(text_, position_) : std::nullopt) {
    const auto of_one = Rational::from_decimal(*number) / Rational(100);
    const auto number_begin = static_cast<std::uint32_t>(number->data() - text_.data());
    report(Code::UnknownUnit, {number_begin, ++position_},
           fmt::format("`{}%` has a percent sign", shortened(*number)),
           fmt::format("write `{}`, or `{}` where 1 is the whole", shortened(*number),
                       shortened(of_one.to_string())));
    return true;
  }
  if (rest().starts_with("//") || rest().starts_with("/*")) {
    const std::string_view closing = at(position_ + 1) == '/' ? "\n" : "*/";
    report(Code::ForeignOperator, {begin, begin + 2},
           fmt::format("`{}` does not start a comment", rest().substr(0, 2)),
           "a comment starts with `#`");
    const std::size_t end = text_.find(closing, position_ + 2);
    position_ = static_cast<std::uint32_t>(end == std::string_view::npos
                                               ? text_.size()
                                               : end + (closing == "\n" ? 0 : closing.size()));
    return true;
  }
  if (c < 0x80) return false;
  const CodePoint point = first_code_point(rest());
  if (!point.valid || !is_odd_space(point.value)) return false;
  while (rest().starts_with(text_.substr(begin, point.length))) position_ += point.length;
  report(Code::UnexpectedCharacter, {begin, position_},
         fmt::format("unexpected space character {}", shown(point.value, {})),
         "replace it by a plain space");
  return true;
}

// Of a conflict the opening mark is reported and the first part read; everything from its end to
// the closing mark is passed over.
bool Lexer::skip_conflict_mark() {
  const auto sign = conflict_mark(text_, position_);
  if (!sign) return false;
  const Span mark{position_, position_ + 7};
  if (*sign == '<' || !in_conflict_) {
    report(Code::MergeConflict, mark, "a merge conflict that is not resolved",
           "keep what is right of both parts, and delete the lines with the marks");
  }
  if (in_conflict_ && *sign != '>' && conflicts_close_) {
    const std::size_t closing = text_.find("\n>>>>>>>", position_);
    conflicts_close_ = closing != std::string_view::npos;
    if (conflicts_close_) position_ = static_cast<std::uint32_t>(closing + 1);
  }
  in_conflict_ = *sign == '<';
  position_ = static_cast<std::uint32_t>(std::min(text_.find('\n', position_), text_.size()));
  return true;
}

Token Lexer::name() {
  std::size_t end = position_;
  while (is_word_character(at(end)) || (at(end) == '.' && is_word_character(at(end + 1)))) ++end;
  if (at(end) >= 0x80 && is_junk(text_.substr(end))) {
    const std::uint32_t begin = std::exchange(position_, static_cast<std::uint32_t>(end));
    return word_with_strange_letters(begin);
  }
  return token(word_kind(text_.substr(position_, end - position_)), end - position_);
}

// The strange letter is at the current position; the word around it is one mistake.
Token Lexer::word_with_strange_letters(std::uint32_t begin) {
  const CodePoint point = first_code_point(rest());
  const Span span = {position_, position_ + point.length};
  if (point.valid) {
    report(
        Code::UnexpectedCharacter, span,
        fmt::format("unexpected character {}", shown(point.value, rest().substr(0, point.length))),
        "a name is made of the letters a to z, digits, `_` and `.`");
  }
  while (position_ < text_.size()) {
    const unsigned char c = at(position_);
    const bool letter = c < 0x80 ? is_word_character(c) : is_junk(rest());
    const bool dot =
        c == '.' && (is_word_character(at(position_ + 1)) || at(position_ + 1) >= 0x80);
    if (!letter && !dot) break;
    position_ += first_code_point(rest()).length;
  }
  return mistake(begin);
}

// Digits, perhaps a point and digits, perhaps a unit. What else touches them belongs to the
// mistake.
Token Lexer::number() {
  if (const std::size_t length = time_length(rest()); length > 0) return time_of_day(length);
  const auto end_of = [&](bool (*accepted)(unsigned char), std::size_t offset) {
    while (accepted(at(offset))) ++offset;
    return offset;
  };
  std::size_t digits_end = end_of(is_digit, position_);
  if (at(digits_end) == '.' && is_digit(at(digits_end + 1))) {
    digits_end = end_of(is_digit, digits_end + 1);
  }
  const std::size_t end = end_of(is_word_character, digits_end);
  const std::string_view digits = text_.substr(position_, digits_end - position_);
  const std::string_view unit = text_.substr(digits_end, end - digits_end);
  const bool ends_here =
      !(at(end) == '.' && at(end + 1) != '.') && !(at(end) >= 0x80 && is_junk(text_.substr(end)));
  if (!ends_here || !(unit.empty() || is_unit(unit))) return malformed_number(digits);
  Token result = token(TokenKind::Number, end - position_);
  if (digit_count(digits) <= kMaxDigits) return result;
  result.kind = TokenKind::Mistake;
  report(Code::NumberTooLarge, result.span,
         fmt::format("a number of {}", counted(digit_count(digits), "digit")),
         fmt::format("at most {} are kept", counted(kMaxDigits, "digit")));
  return result;
}

Token Lexer::time_of_day(std::size_t length) {
  const Token result = token(TokenKind::Mistake, length);
  const std::string_view written = text_.substr(result.span.begin, length);
  report(Code::MalformedNumber, result.span, fmt::format("`{}` is no number", shortened(written)),
         time_hint(written, text_.substr(0, result.span.begin)));
  return result;
}

Token Lexer::malformed_number(std::string_view digits) {
  const std::uint32_t begin = position_;
  position_ += static_cast<std::uint32_t>(digits.size());
  const std::uint32_t tail_begin = position_;
  const auto tail = [&] { return text_.substr(tail_begin, position_ - tail_begin); };
  const auto goes_on = [&] {
    const unsigned char c = at(position_);
    const unsigned char following = at(position_ + 1);
    if (c >= 0x80) return is_junk(rest());
    if (c == '.') return is_word_character(following) || (tail().empty() && following != '.');
    if (c == '+' || c == '-') return (tail() == "e" || tail() == "E") && is_digit(following);
    return is_word_character(c);
  };
  while (position_ < text_.size() && goes_on()) position_ += first_code_point(rest()).length;

  const std::string written = shortened(text_.substr(begin, position_ - begin));
  const auto wrong = [&](Code code, std::string_view what, std::string hint) {
    report(code, {begin, position_}, fmt::format("`{}` {}", written, what), std::move(hint));
  };
  const auto* const strange =
      std::ranges::find_if(tail(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  if (tail() == ".") {
    wrong(Code::MalformedNumber, "has no digits behind its point",
          fmt::format("did you mean `{}`?", shortened(digits)));
  } else if (is_exponent(tail())) {
    wrong(Code::MalformedNumber, "has an exponent", "write the number out");
  } else if (tail().find('.') != std::string_view::npos) {
    wrong(Code::MalformedNumber, "is no number", {});
  } else if (strange != tail().end()) {
    // A byte that is not UTF-8 has been reported before.
    const bool valid =
        first_code_point(text_.substr(static_cast<std::size_t>(strange - text_.data()))).valid;
    if (valid) wrong(Code::UnknownUnit, "has an unknown unit", unit_hint(digits, {}));
  } else if (tail().starts_with('_') || is_digit(static_cast<unsigned char>(tail().back())) ||
             (digits == "0" && tail().find_first_of("xXbBoO") == 0)) {
    wrong(Code::MalformedNumber, "is no number",
          "a number is decimal digits, and perhaps a point and more digits");
  } else {
    wrong(Code::UnknownUnit, "has an unknown unit", unit_hint(digits, tail()));
  }
  return mistake(begin);
}

Token Lexer::sign() {
  if (at(position_) == '.' && is_digit(at(position_ + 1))) {
    const std::uint32_t begin = position_++;
    while (is_word_character(at(position_))) ++position_;
    const std::string_view written = text_.substr(begin, position_ - begin);
    report(Code::MalformedNumber, {begin, position_},
           fmt::format("`{}` has no digits before its point", shortened(written)),
           fmt::format("did you mean `0{}`?", shortened(written)));
    return mistake(begin);
  }
  const auto* const sign = std::ranges::find_if(
      kSigns, [&](const Sign& candidate) { return rest().starts_with(candidate.text); });
  if (sign == kSigns.end()) return other_character();
  const Token found = token(sign->kind, sign->text.size());
  if (!sign->hint.empty()) {
    report(Code::ForeignOperator, found.span, fmt::format("unknown operator `{}`", sign->text),
           std::string(sign->hint));
  }
  return found;
}

Token Lexer::other_character() {
  const std::uint32_t begin = position_;
  const CodePoint point = first_code_point(rest());
  const std::string_view bytes = rest().substr(0, point.length);
  if (point.valid && is_quote(point.value)) {
    if (bytes != "\"") return quotation();
    const std::size_t end = text_.find_first_of("\"\n", begin + 1);
    const bool text = end != std::string_view::npos && text_[end] == '"';
    return text ? token(TokenKind::Text, end + 1 - begin) : quotation();
  }
  if (const StrangeSign* const sign = point.valid ? strange_sign(point.value) : nullptr) {
    const Token meant = token(sign->kind, point.length);
    report(Code::UnexpectedCharacter, meant.span, fmt::format("unexpected character `{}`", bytes),
           fmt::format("did you mean `{}`?", sign->meant));
    return meant;
  }
  if (point.valid && point.value >= 0x80) return word_with_strange_letters(begin);
  // At least one character; `.` and a lone carriage return get here without being junk.
  do {
    position_ += first_code_point(rest()).length;
  } while (position_ < text_.size() && is_junk(rest()));
  if (point.valid) {
    const bool control = is_control(static_cast<unsigned char>(point.value));
    std::string hint;
    if (point.value == U'.') hint = "a `.` stands between the parts of a name or a number";
    if (point.value == 0) hint = "is this a text file?";
    if (point.value == U'\r') hint = "a line ends with a line feed";
    report(Code::UnexpectedCharacter, {begin, position_},
           fmt::format("unexpected {} {}", control ? "control character" : "character",
                       shown(point.value, bytes)),
           std::move(hint));
  }
  return mistake(begin);
}

// Quotes that are not plain ones, or not closed: one mistake, if their end is on the same line.
Token Lexer::quotation() {
  const std::uint32_t begin = position_;
  const CodePoint quote = first_code_point(rest());
  const std::string_view bytes = rest().substr(0, quote.length);
  position_ += quote.length;
  const std::uint32_t inside = position_;
  std::uint32_t end = inside;
  while (end < text_.size() && at(end) != '\n') {
    const CodePoint point = first_code_point(text_.substr(end));
    if (point.valid && is_quote(point.value)) {
      position_ = end + point.length;
      break;
    }
    end += point.length;
  }
  std::string hint = "a text is written `\"…\"`, on one line";
  const std::string_view quoted = text_.substr(inside, end - inside);
  const bool closed = position_ > end;
  const bool word = !quoted.empty() && is_letter(static_cast<unsigned char>(quoted[0])) &&
                    std::ranges::all_of(quoted, [](char c) {
                      return is_word_character(static_cast<unsigned char>(c));
                    });
  if (closed && word) hint = fmt::format("did you mean `{}`, without quotes?", shortened(quoted));
  report(Code::UnexpectedCharacter, {begin, position_}, fmt::format("unexpected `{}`", bytes),
         std::move(hint));
  return mistake(begin);
}

Tokens tokens_of(std::string_view text) {
  Lexer lexer(text);
  Tokens result;
  do {
    result.tokens.push_back(lexer.next());
  } while (result.tokens.back().kind != TokenKind::End);
  result.comments = lexer.comments();
  result.diagnostics = lexer.take_diagnostics();
  return result;
}

Rational number_value(std::string_view text) {
  if (text.ends_with("ms")) {
    return Rational::from_decimal(text.substr(0, text.size() - 2)) / Rational(1000);
  }
  const auto seconds = [&](std::int64_t unit) {
    return Rational::from_decimal(text.substr(0, text.size() - 1)) * Rational(unit);
  };
  switch (text.back()) {
    case 's': return seconds(1);
    case 'm': return seconds(60);
    case 'h': return seconds(3600);
    default: return Rational::from_decimal(text);
  }
}

}  // namespace poise::lang
