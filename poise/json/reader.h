#pragma once

// A pull parser for JSON (RFC 8259), strict: the caller asks for the pieces that it expects, one
// after another. There is no tree, because a log has millions of lines and the caller knows what is
// in them.
//
//   Reader json(line, scratch);
//   if (!json.begin_object()) return json.error();
//   while (const auto key = json.next_key()) { ... json.string() ... }
//   if (!json.finish()) return json.error();
//
// The first mistake stays: from then on every function fails, so it is enough to ask for the error
// once, at the end. The text must be UTF-8.

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/result.h"

namespace poise::json {

// A key, or another name, and where in the text it starts.
struct Key {
  std::string_view name;
  std::size_t offset = 0;
  friend auto operator<=>(const Key&, const Key&) = default;
};

// Of the keys that occur more than once the first in the order of names: its second occurrence.
// Sorts the keys.
[[nodiscard]] std::optional<Key> repeated_key(std::vector<Key>& keys);

class Reader {
 public:
  // Strings with escapes are decoded into `scratch`, which is cleared first. The text and the
  // scratch must outlive the strings that are read.
  Reader(std::string_view text, std::string& scratch);

  enum class Kind { Object, Array, String, Number, Bool, Null, Other };
  // The kind of the value that comes next, by its first character. Other: no value starts here.
  [[nodiscard]] Kind kind();
  // Where the next value starts, in bytes.
  [[nodiscard]] std::size_t offset();

  // Each reads what comes next, or fails.
  bool begin_object();
  bool begin_array();
  std::optional<std::string_view> string();
  std::optional<std::string_view> number();  // as text
  std::optional<bool> boolean();
  bool null();
  // A value of any kind, as text. It refuses keys that occur twice, and more than 64 levels.
  std::optional<std::string_view> any();

  // Reads the key before the next value, or the end of the object: then it returns nothing. The
  // caller has to look for keys that occur twice.
  std::optional<std::string_view> next_key();
  // Where the last key starts.
  [[nodiscard]] std::size_t key_offset() const { return key_at_; }
  // Whether another value comes in the array; if not, its end is read.
  bool next_element();
  // At the end: whether nothing went wrong and nothing follows.
  bool finish();
  // Goes back to where a value starts that was read without a mistake, to read it again. Each value
  // at most once: the scratch has room for no more.
  void go_to(std::size_t offset) { position_ = offset; }

  // For mistakes that the caller finds. Only the first one counts.
  void fail(std::size_t offset, std::string message);
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] Failure error() const;
  // The same in parts, for texts of several lines.
  struct Mistake {
    std::size_t offset = 0;
    std::string message;
  };
  [[nodiscard]] Mistake mistake() const { return {failed_at_, message_}; }

 private:
  static constexpr int kMaxDepth = 64;

  // Inlined, because they run for every character.
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
