#pragma once

// JSON as text, written in the order in which it is said. Nothing here reads it
// (docs/decisions/0006-our-own-json-writer.md).

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "poise/base/integer.h"

namespace poise::json {

// In quotes, with escapes. Names in a model are UTF-8, but the path of a file is whatever bytes the
// system allows: those that are no text become U+FFFD.
[[nodiscard]] std::string quoted(std::string_view text);
void append_quoted(std::string& json, std::string_view text);

[[nodiscard]] std::string_view boolean(bool value);

// A measured or estimated number, in six digits.
[[nodiscard]] std::string figure(double value);

// `[1, 2]`, on one line.
[[nodiscard]] std::string list(std::span<const std::string> items);

// A list with every item on a line of its own, `indent` blanks in.
[[nodiscard]] std::string lines(std::span<const std::string> items, std::size_t indent);

// `{"a": 1, "b": 2}` on one line, keys in the order they are added.
class Object {
 public:
  explicit Object(std::size_t room = 0) { text_.reserve(room); }
  void add(std::string_view key, std::string_view json);
  void add_text(std::string_view key, std::string_view value);
  void add_number(std::string_view key, std::size_t value);
  // A figure without bounds is a string of digits: readers would round a number.
  void add_figure(std::string_view key, const Integer& value);
  [[nodiscard]] std::string json() const { return text_ + "}"; }
  // Where the value of a key is to be appended.
  [[nodiscard]] std::string& value_of(std::string_view key);

 private:
  std::string text_ = "{";
};

}  // namespace poise::json
