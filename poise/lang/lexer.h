#pragma once

// Text to tokens. Every mistake in the characters becomes one diagnostic, and reading goes on
// behind it: a wrong sign whose meaning is plain (`&&`, `≥`) yields the token it stands for, a
// stray `;`, a percent sign or an odd space yields none, anything else a TokenKind::Mistake. Of a
// merge conflict, which is one mistake, the first part is read.
//
// Comments and white space mean nothing to the grammar; the formatter wants the comments, so they
// are handed out separately.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/rational.h"
#include "poise/base/source.h"
#include "poise/diag/diagnostic.h"
#include "poise/lang/token.h"

namespace poise::lang {

inline constexpr std::size_t kMaxDigits = 1000;

// Beyond this many mistakes a text is no model; reading stops as if the text ended there.
inline constexpr std::size_t kMaxMistakes = 100'000;

// Hands out one token after another, so that nobody needs to hold them all; behind the last it
// gives End for ever. The text must outlive it.
class Lexer {
 public:
  // Begins at an offset; spans count from the beginning of the text all the same.
  explicit Lexer(std::string_view text, std::uint32_t begin = 0);
  Token next();
  // Goes on at an offset, the first of a line, and forgets what was wrong from `begin` on.
  void skip(std::uint32_t begin, std::uint32_t end);
  // Forgets what was wrong there: somebody who knows more has reported it.
  void withdraw(Span span);
  // What was wrong with what has been read so far; none stay behind.
  diag::Diagnostics take_diagnostics();
  // The comments read so far, each from its `#` to the end of its line.
  [[nodiscard]] const std::vector<Span>& comments() const { return comments_; }

 private:
  void skip_space();
  void skip_comment();
  bool skip_odd_space();
  bool skip_conflict_mark();
  Token name();
  Token number();
  Token malformed_number(std::string_view digits);
  Token time_of_day(std::size_t length);
  Token sign();
  Token other_character();
  Token word_with_strange_letters(std::uint32_t begin);
  Token quotation();
  Token token(TokenKind kind, std::size_t length);
  Token mistake(std::uint32_t begin);
  void report(diag::Code code, Span span, std::string message, std::string hint);

  [[nodiscard]] unsigned char at(std::size_t offset) const;
  [[nodiscard]] std::string_view rest() const { return text_.substr(position_); }

  std::string_view text_;
  std::uint32_t position_ = 0;
  bool first_on_line_ = true;
  bool in_conflict_ = false;     // in the first part of a merge conflict
  bool conflicts_close_ = true;  // as far as is known; a text is not searched in vain twice
  std::vector<Span> comments_;
  diag::Diagnostics diagnostics_;
};

struct Tokens {
  std::vector<Token> tokens;  // the last is End
  std::vector<Span> comments;
  diag::Diagnostics diagnostics;
};

// All at once.
[[nodiscard]] Tokens tokens_of(std::string_view text);

// The value of a Number token: exact, in seconds if it has a unit.
[[nodiscard]] Rational number_value(std::string_view text);

}  // namespace poise::lang
