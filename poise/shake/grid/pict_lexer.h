#pragma once

// The tokens of the constraints of a PICT model file (pict.h).

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace poise::shake {

struct PictToken {
  enum class Kind { Parameter, Text, Number, Word, Symbol, End, Bad };
  Kind kind = Kind::End;
  std::string text;  // words in upper case; Bad: the error message
  double number = 0;
  std::size_t offset = 0;  // in bytes
};

class PictLexer {
 public:
  PictLexer(std::string_view text, std::size_t begin) : text_(text), at_(begin) {}

  PictToken next();
  // What stands in parentheses behind the last token: without line breaks and blanks in front, but
  // with those behind, which belong to the name.
  PictToken argument();

 private:
  [[nodiscard]] bool is_part_of_number(char c) const;
  void skip_space();  // blanks, and lines that begin with #
  PictToken word();
  PictToken number();
  PictToken quoted(char end, PictToken::Kind kind);

  std::string_view text_;
  std::size_t at_;
};

// The value of a text that is a finite decimal number as a whole; else nothing.
[[nodiscard]] std::optional<double> pict_number(std::string_view text);

}  // namespace poise::shake
