#pragma once

// A text that somebody wrote, and places in it. A Span is a range of bytes; a Position is what a
// person sees: lines and columns count from 1, a column is a Unicode code point.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace poise {

struct Source {
  std::string name;  // as the user gave it; shown in messages
  std::string text;
};

struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  // one past the last byte
  friend bool operator==(const Span&, const Span&) = default;
};

// The smallest span that holds both.
[[nodiscard]] Span join(Span first, Span second);

struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend auto operator<=>(const Position&, const Position&) = default;
};

// An index of the lines of a text. A look-up costs O(log lines), however long the lines are. Keeps
// a view of the text, which must outlive it.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  [[nodiscard]] Position position(std::uint32_t offset) const;
  // The text of a line without its line break; empty for a line past the end.
  [[nodiscard]] std::string_view line(std::uint32_t number) const;

 private:
  [[nodiscard]] std::uint32_t code_points_before(std::size_t offset) const;

  std::string_view text_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> code_points_;  // by block of bytes: how many come before it
};

}  // namespace poise
