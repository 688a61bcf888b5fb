#pragma once

// Writes JSON as text, key by key in the order of the calls.
// docs/decisions/0006-our-own-json-writer.md says why there is no library for it.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "poise/base/integer.h"

namespace poise::json {

// In quotes, with escapes. Names in a model are UTF-8, but the path of a file may be any bytes:
// those that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string quoted(std::string_view text);
void append_quoted(std::string& json, std::string_view text);

[[nodiscard]] std::string_view boolean(bool value);

// A measured or estimated number, in six digits.
[[nodiscard]] std::string figure(double value);

// `[1, 2]`, on one line.
[[nodiscard]] std::string list(std::span<const std::string> items);

// A list with every item on a line of its own, `indent` blanks in.
[[nodiscard]] std::string lines(std::span<const std::string> items, std::size_t indent);

// `{"a": 1, "b": 2}` on one line, keys in the order they are added. Keys are written as they are,
// so they must not need escapes.
class Object {
 public:
  explicit Object(std::size_t room = 0) { text_.reserve(room); }
  void add(std::string_view key, std::string_view json);
  void add_text(std::string_view key, std::string_view value);
  void add_number(std::string_view key, std::size_t value);
  // A number of any size, as a string of digits: many readers would round it.
  void add_figure(std::string_view key, const Integer& value);
  [[nodiscard]] std::string json() const { return text_ + "}"; }
  // Adds a key and returns the text to which the caller appends its value as JSON.
  [[nodiscard]] std::string& value_of(std::string_view key);

 private:
  std::string text_ = "{";
};

}  // namespace poise::json
