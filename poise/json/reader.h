#pragma once

// JSON (RFC 8259), read strictly and piece by piece, the way the caller expects it. There is no
// tree: a log has millions of lines, and what is in them is known before.
//
//   Reader json(line, scratch);
//   if (!json.begin_object()) return json.error();
//   while (const auto key = json.next_key()) { ... json.string() ... }
//   if (!json.finish()) return json.error();
//
// The first mistake stays: from then on everything says no, so callers may ask only once, at the
// end. The text must be UTF-8.

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/result.h"

namespace poise::json {

struct Key {
  std::string_view name;
  std::size_t offset = 0;
  friend auto operator<=>(const Key&, const Key&) = default;
};

// The first of these keys, by name, that is there for the second time. Sorts them.
[[nodiscard]] std::optional<Key> repeated_key(std::vector<Key>& keys);

class Reader {
 public:
  // Strings with escapes are written out in `scratch`; both must outlive what is read.
  Reader(std::string_view text, std::string& scratch);

  enum class Kind { Object, Array, String, Number, Bool, Null, Other };
  // Of the value that comes next. Other: there is none.
  [[nodiscard]] Kind kind();
  // Where it starts.
  [[nodiscard]] std::size_t offset();

  // Each reads what comes next, or fails.
  bool begin_object();
  bool begin_array();
  std::optional<std::string_view> string();
  std::optional<std::string_view> number();  // its text
  std::optional<bool> boolean();
  bool null();
  // A value of any kind. What it returns is its text.
  std::optional<std::string_view> any();

  // The key before the next value; nothing at the end of the object, which is then read. Whether a
  // key comes twice is for the caller to see.
  std::optional<std::string_view> next_key();
  // Where it starts.
  [[nodiscard]] std::size_t key_offset() const { return key_at_; }
  // Whether there is another value in the array; its end is read.
  bool next_element();
  // Whether nothing follows.
  bool finish();
  // Reads once more from where a value starts that was read well; each value at most once.
  void go_to(std::size_t offset) { position_ = offset; }

  void fail(std::size_t offset, std::string message);
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] Failure error() const;

 private:
  static constexpr int kMaxDepth = 64;

  // The steps that every character takes are here, so that they cost no calls.
  void skip_blanks() {
    while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
  }
  bool eat(char c) {
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  bool expect(char c) {
    skip_blanks();
    return (!failed_ && eat(c)) || fail_expecting(c);
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  bool fail_expecting(char c);
  bool expect_word(std::string_view word);
  bool next_item(char end);
  bool skip_any(int depth);
  std::optional<std::string_view> string_with_escapes(std::size_t begin);
  std::optional<char32_t> escaped_unit();
  bool append_escape();
  bool append_code_point();

  std::string_view text_;
  std::string& scratch_;
  std::size_t position_ = 0;
  std::size_t key_at_ = 0;
  bool first_ = false;  // an object or array was just begun
  bool failed_ = false;
  std::size_t failed_at_ = 0;
  std::string message_;
};

// "column 14: ", for the head of a message; a column is a code point, counted from 1.
[[nodiscard]] std::string column(std::string_view line, std::size_t offset);

}  // namespace poise::json
