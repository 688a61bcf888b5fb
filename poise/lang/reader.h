#pragma once

// The interface between parser and lexer: the current token with one token of look-ahead, and the
// diagnostics of the declaration that is being read.
//
// A declaration has at most one mistake. The function that meets it calls fail() or missing() and
// returns nothing, and so do all its callers. Only the first call is recorded, so no function has
// to ask whether another has failed before. Text that the lexer has reported is not reported again.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "poise/base/source.h"
#include "poise/diag/diagnostic.h"
#include "poise/lang/lexer.h"
#include "poise/lang/syntax.h"
#include "poise/lang/token.h"

namespace poise::lang {

using Words = std::span<const std::string_view>;

// "did you mean `when`?" if one of the words is close, else nothing.
[[nodiscard]] std::string guess_among(Words words, std::string_view written);

// The declaration that a word which is not reserved starts where one may start.
[[nodiscard]] std::optional<TokenKind> word_declaration(std::string_view word);

class Reader {
 public:
  explicit Reader(std::string_view text, std::uint32_t begin = 0);  // as Lexer does

  [[nodiscard]] const Token& previous() const { return previous_; }
  [[nodiscard]] const Token& current() const { return current_; }
  [[nodiscard]] const Token& next() const { return next_; }
  [[nodiscard]] bool at(TokenKind kind) const { return current_.kind == kind; }
  [[nodiscard]] bool at_word(Words words) const;
  [[nodiscard]] std::string_view text(Span span) const {
    return text_.substr(span.begin, span.end - span.begin);
  }
  [[nodiscard]] std::string_view word() const { return text(current_.span); }
  [[nodiscard]] Name name_from(const Token& token) const {
    return {.text = text(token.span), .span = token.span};
  }
  // In backticks and not too long, for a message.
  [[nodiscard]] std::string quoted(Span span) const;
  [[nodiscard]] std::string quoted() const { return quoted(current_.span); }

  Token advance();  // returns the token it leaves behind
  bool accept(TokenKind kind);
  // Passes over the text from the current token to this offset, where a line starts.
  void skip_to(std::uint32_t offset);

  // How many braces are open in this declaration. Inside of braces, and behind `has`, a keyword is
  // the name of a member.
  [[nodiscard]] int open_braces() const { return open_braces_; }
  // Whether the current token starts the next declaration though braces are still open: a keyword
  // at the start of a line that is not followed as a member of a list would be.
  [[nodiscard]] bool at_keyword_of_next_declaration() const;
  // The kind of declaration that the current token starts, if any. The words of policies are also
  // names; the next token decides.
  [[nodiscard]] std::optional<TokenKind> declaration() const;
  // Whether the text of the declaration ends here, where more of it should come.
  [[nodiscard]] bool at_early_end() const;

  void start_declaration();
  [[nodiscard]] bool mistaken() const { return mistaken_; }
  std::nullopt_t fail(diag::Code code, Span span, std::string message, std::string hint = {},
                      std::vector<diag::Related> related = {});
  // "found `:` where a type should be", at the current token.
  std::nullopt_t missing(diag::Code code, std::string_view what, std::string hint = {});
  // Reports that the group, or the list, that `opening` opened is neither continued nor closed
  // here.
  std::nullopt_t group_not_closed(const Token& opening, std::string_view closing);
  std::nullopt_t list_not_closed(const Token& opening, std::string_view closing);

  bool expect(TokenKind kind, std::string_view what, std::string hint = {});
  // A name, if there is one. One that is malformed (`front-door`, `2open`) is reported where it
  // stands first, and is a name from then on.
  std::optional<Name> accept_name();
  // Whether the current token starts a malformed name that has been reported.
  [[nodiscard]] bool at_known_odd_name() const;
  std::optional<Name> expect_name(std::string_view what);
  // A name or a keyword.
  std::optional<Name> expect_member();

  [[nodiscard]] bool too_many_mistakes() const { return diagnostics_.size() >= kMaxMistakes; }
  // All diagnostics, also those of the lexer, in source order.
  diag::Diagnostics take_diagnostics();

 private:
  std::nullopt_t not_closed(const Token& opening, std::string_view closing, std::string_view what);
  std::optional<Name> accept_odd_name();
  void report_odd_name(Span span);
  [[nodiscard]] std::optional<diag::Diagnostic> decimal_comma() const;

  std::string_view text_;
  Lexer lexer_;
  Token earlier_;  // before previous_
  Token previous_;
  Token current_;
  Token next_;
  int open_braces_ = 0;
  bool mistaken_ = false;
  std::unordered_set<std::string_view> odd_names_;
  diag::Diagnostics diagnostics_;
};

}  // namespace poise::lang
