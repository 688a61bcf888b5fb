#pragma once

// The words and signs a model's text is made of. docs/language.md has the grammar.

#include <cstdint>
#include <string_view>

#include "poise/base/source.h"

namespace poise::lang {

enum class TokenKind : std::uint8_t {
  End,      // of the text
  Mistake,  // text that is no token; the lexer has reported it
  Name,     // gps.speed: a dotted name is one token
  Number,   // 5, 0.25, 350ms
  Text,     // "x17"
  // Keywords: first those that start a declaration, then those that start a clause, then those of
  // expressions. They are reserved everywhere but among the members of a type. The first
  // seven are not reserved: the lexer makes Names of them, and the parser takes them for keywords
  // where a declaration starts.
  Variant,
  Tick,
  Utility,
  Option,
  Prefer,
  Expect,
  Start,
  Model,
  Sense,
  Var,
  Let,
  Constraint,
  Stream,
  Extern,
  Action,
  Failure,
  State,
  Rule,
  When,
  Do,
  Priority,
  If,
  And,
  Or,
  Not,
  Implies,
  Iff,
  In,
  Has,
  Is,
  True,
  False,
  // Signs
  Colon,
  Comma,
  LeftParen,
  RightParen,
  LeftBrace,
  RightBrace,
  DotDot,
  Arrow,
  Assign,
  Equals,
  EqualEqual,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Plus,
  Minus,
  Star,
  Slash,
  LeftBracket,
  RightBracket,
  Prime,  // disF': directly behind a name
};

struct Token {
  TokenKind kind = TokenKind::End;
  bool first_on_line = false;
  Span span;
};

[[nodiscard]] constexpr bool is_keyword(TokenKind kind) {
  return kind >= TokenKind::Variant && kind <= TokenKind::False;
}
[[nodiscard]] constexpr bool is_declaration_keyword(TokenKind kind) {
  return kind >= TokenKind::Variant && kind <= TokenKind::Rule;
}
[[nodiscard]] constexpr bool is_clause_keyword(TokenKind kind) {
  return kind >= TokenKind::When && kind <= TokenKind::If;
}

// The keyword of a reserved word; Name for other words.
[[nodiscard]] TokenKind word_kind(std::string_view word);

}  // namespace poise::lang
