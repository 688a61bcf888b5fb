#include "poise/json/reader.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/json/number.h"

namespace poise::json {

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20U; }

// Whether a character stands for itself in a string.
bool is_plain(char c) { return c != '"' && c != '\\' && !is_control(c); }

std::optional<char32_t> hex_digit(char c) {
  if (is_digit(c)) return static_cast<char32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<char32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<char32_t>(c - 'A' + 10);
  return std::nullopt;
}

std::optional<char> simple_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/': return c;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return std::nullopt;
  }
}

void append_utf8(std::string& text, char32_t point) {
  const auto continuation = [&text](char32_t bits) {
    text += static_cast<char>(0x80U | (bits & 0x3FU));
  };
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xC0U | (point >> 6U));
    continuation(point);
  } else if (point < 0x10000) {
    text += static_cast<char>(0xE0U | (point >> 12U));
    continuation(point >> 6U);
    continuation(point);
  } else {
    text += static_cast<char>(0xF0U | (point >> 18U));
    continuation(point >> 12U);
    continuation(point >> 6U);
    continuation(point);
  }
}

}  // namespace

std::string column(std::string_view line, std::size_t offset) {
  return fmt::format("column {}: ", display_width(line.substr(0, offset)) + 1);
}

std::optional<Key> repeated_key(std::vector<Key>& keys) {
  std::ranges::sort(keys);
  const auto same = [](const Key& a, const Key& b) { return a.name == b.name; };
  const auto first = std::ranges::adjacent_find(keys, same);
  if (first == keys.end()) return std::nullopt;
  return *std::next(first);
}

Reader::Reader(std::string_view text, std::string& scratch) : text_(text), scratch_(scratch) {
  scratch_.clear();
}

Reader::Kind Reader::kind() {
  skip_blanks();
  if (failed_ || position_ == text_.size()) return Kind::Other;
  switch (text_[position_]) {
    case '{': return Kind::Object;
    case '[': return Kind::Array;
    case '"': return Kind::String;
    case 't':
    case 'f': return Kind::Bool;
    case 'n': return Kind::Null;
    case '-': return Kind::Number;
    default: {
      const char c = text_[position_];
      return is_digit(c) ? Kind::Number : Kind::Other;
    }
  }
}

std::size_t Reader::offset() {
  skip_blanks();
  return position_;
}

bool Reader::begin_object() {
  first_ = true;
  return expect('{');
}

bool Reader::begin_array() {
  first_ = true;
  return expect('[');
}

std::optional<std::string_view> Reader::string() {
  if (!expect('"')) return std::nullopt;
  const std::size_t begin = position_;
  while (position_ < text_.size() && is_plain(text_[position_])) ++position_;
  if (eat('"')) return text_.substr(begin, position_ - 1 - begin);
  if (position_ < text_.size() && text_[position_] == '\\') return string_with_escapes(begin);
  fail(position_, position_ == text_.size() ? "a string that does not end"
                                            : "a control character in a string");
  return std::nullopt;
}

// A decoded string is never longer than its text, and go_to() lets no part be read more than twice.
// So the scratch, with room for twice the text, never moves, and strings that were read before stay
// valid.
std::optional<std::string_view> Reader::string_with_escapes(std::size_t begin) {
  if (scratch_.empty()) scratch_.reserve(2 * text_.size());
  const std::size_t start = scratch_.size();
  scratch_ += text_.substr(begin, position_ - begin);
  while (position_ < text_.size() && !is_control(text_[position_])) {
    const char c = text_[position_++];
    if (c == '"') return std::string_view(scratch_).substr(start);
    if (c != '\\') {
      scratch_ += c;
    } else if (!append_escape()) {
      return std::nullopt;
    }
  }
  fail(position_, position_ == text_.size() ? "a string that does not end"
                                            : "a control character in a string");
  return std::nullopt;
}

bool Reader::append_escape() {
  const char c = position_ < text_.size() ? text_[position_] : '\0';
  if (const auto simple = simple_escape(c)) {
    scratch_ += *simple;
    ++position_;
    return true;
  }
  if (c == 'u') return append_code_point();
  fail(position_ - 1, "an unknown escape");
  return false;
}

std::optional<char32_t> Reader::escaped_unit() {
  constexpr std::size_t kDigits = 4;
  char32_t unit = 0;
  if (position_ + kDigits >= text_.size()) return std::nullopt;
  for (std::size_t i = 1; i <= kDigits; ++i) {
    const auto digit = hex_digit(text_[position_ + i]);
    if (!digit) return std::nullopt;
    unit = unit << 4U | *digit;
  }
  position_ += 1 + kDigits;
  return unit;
}

// \uXXXX, from the `u` on. A code point beyond 16 bits is a surrogate pair: two of them.
bool Reader::append_code_point() {
  const std::size_t begin = position_ - 1;
  const auto unit = escaped_unit();
  if (!unit) {
    fail(begin, "`\\u` takes four hexadecimal digits");
    return false;
  }
  char32_t point = *unit;
  const bool half = point >= 0xD800 && point <= 0xDFFF;
  if (half) {
    const bool more = text_.substr(position_).starts_with("\\u");
    if (more) ++position_;
    const auto second = more ? escaped_unit() : std::nullopt;
    if (point > 0xDBFF || !second || *second < 0xDC00 || *second > 0xDFFF) {
      fail(begin, "half a surrogate pair");
      return false;
    }
    point = 0x10000 + ((point - 0xD800) << 10U) + (*second - 0xDC00);
  }
  append_utf8(scratch_, point);
  return true;
}

std::optional<std::string_view> Reader::number() {
  skip_blanks();
  if (failed_) return std::nullopt;
  const std::size_t length = number_length(text_.substr(position_));
  if (length == 0) {
    fail(position_, "expected a number");
    return std::nullopt;
  }
  const std::string_view number = text_.substr(position_, length);
  position_ += length;
  return number;
}

std::optional<bool> Reader::boolean() {
  const bool value = kind() == Kind::Bool && text_[position_] == 't';
  if (!expect_word(value ? "true" : "false")) return std::nullopt;
  return value;
}

bool Reader::null() { return expect_word("null"); }

std::optional<std::string_view> Reader::any() {
  const std::size_t begin = offset();
  if (!skip_any(kMaxDepth)) return std::nullopt;
  return text_.substr(begin, position_ - begin);
}

bool Reader::skip_any(int depth) {
  switch (kind()) {
    case Kind::String: return string().has_value();
    case Kind::Number: return number().has_value();
    case Kind::Bool: return boolean().has_value();
    case Kind::Null: return null();
    case Kind::Object:
    case Kind::Array: break;
    case Kind::Other: fail(position_, "expected a value"); return false;
  }
  if (depth == 0) {
    fail(position_, "nested too deeply");
    return false;
  }
  if (kind() == Kind::Array) {
    begin_array();
    while (next_element()) skip_any(depth - 1);
    return !failed_;
  }
  std::vector<Key> keys;
  begin_object();
  while (const auto key = next_key()) {
    keys.push_back({.name = *key, .offset = key_at_});
    skip_any(depth - 1);
  }
  if (const auto again = repeated_key(keys)) {
    fail(again->offset, "a key for the second time");
  }
  return !failed_;
}

std::optional<std::string_view> Reader::next_key() {
  if (!next_item('}')) return std::nullopt;
  key_at_ = offset();
  const auto key = string();
  if (!key || !expect(':')) return std::nullopt;
  return key;
}

bool Reader::next_element() { return next_item(']'); }

bool Reader::next_item(char end) {
  const bool first = std::exchange(first_, false);
  skip_blanks();
  if (failed_ || eat(end)) return false;
  if (first || eat(',')) return true;
  fail(position_, fmt::format("expected `,` or `{}`", end));
  return false;
}

bool Reader::finish() {
  skip_blanks();
  if (!failed_ && position_ < text_.size()) fail(position_, "expected nothing more");
  return !failed_;
}

void Reader::fail(std::size_t offset, std::string message) {
  if (failed_) return;
  failed_ = true;
  failed_at_ = offset;
  message_ = std::move(message);
}

Failure Reader::error() const { return failure(column(text_, failed_at_) + message_); }

bool Reader::fail_expecting(char c) {
  fail(position_, c == '"' ? "expected a string" : fmt::format("expected `{}`", c));
  return false;
}

bool Reader::expect_word(std::string_view word) {
  skip_blanks();
  if (failed_) return false;
  if (text_.substr(position_).starts_with(word)) {
    position_ += word.size();
    return true;
  }
  fail(position_, fmt::format("expected `{}`", word));
  return false;
}

}  // namespace poise::json
