#pragma once

// Values as the monitor keeps them: one machine word each. Whole numbers, truths, members and texts
// are themselves; a real is kept in millionths. A number that this cannot hold exactly has a row in
// a table, so nothing is ever rounded: within one scale, two cells are the same exactly if their
// values are.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "poise/base/rational.h"

namespace poise::watch {

using Cell = std::int64_t;

// No value.
inline constexpr Cell kNone = INT64_MIN;
// From here on, cells are rows of the table.
inline constexpr Cell kFirstRow = Cell{1} << 62U;

enum class Scale : std::uint8_t { Whole, Millionths };
inline constexpr std::int64_t kMillion = 1'000'000;

[[nodiscard]] inline bool is_plain(Cell cell) { return cell < kFirstRow && cell != kNone; }

// The numbers that do not fit.
class Numbers {
 public:
  [[nodiscard]] Cell cell(const Rational& number, Scale scale);
  // Of a cell with a value.
  [[nodiscard]] Rational number(Cell cell, Scale scale) const;
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }

 private:
  std::vector<Rational> rows_;
  std::unordered_map<Rational, Cell> known_;
};

// Texts by number. A text that nobody holds any more gives its number to another one, so a stream
// of ever new tags does not fill the memory.
class Texts {
 public:
  // These have the first numbers and stay.
  explicit Texts(const std::vector<std::string>& fixed);

  // The number of a text, held once more.
  [[nodiscard]] Cell hold(std::string_view text);
  // Its number if it has one: it is not held for that.
  [[nodiscard]] std::optional<Cell> find(std::string_view text) const;
  void release(Cell text);
  void hold(Cell text) { ++holders_[static_cast<std::size_t>(text)]; }
  [[nodiscard]] const std::string& text(Cell cell) const {
    return rows_[static_cast<std::size_t>(cell)].text;
  }
  // Numbers of texts are less.
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }

 private:
  struct Row {
    std::string text;
    std::uint32_t hash = 0;
  };
  // Open hashing. The hash stands beside the row, so that other texts need not be looked at.
  struct Entry {
    std::uint32_t row = 0;  // and one more; 0 for none
    std::uint32_t hash = 0;
  };
  [[nodiscard]] std::size_t place_of(std::string_view text, std::uint32_t hash) const;
  void grow();
  void erase(std::size_t place);

  std::vector<Row> rows_;
  std::vector<std::uint32_t> holders_;  // by row
  std::vector<std::uint32_t> free_;     // rows without a text
  std::vector<Entry> table_;
  std::size_t used_ = 0;
};

}  // namespace poise::watch
