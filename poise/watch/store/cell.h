#pragma once

// Values as the monitor keeps them: one machine word each. Whole numbers, truths, members and texts
// are themselves; a real is kept in millionths. A number that this cannot hold exactly has a row in
// a table, so nothing is ever rounded: within one scale, two cells are the same exactly if their
// values are.

#include <cstdint>
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

// A cell that is a small number, as that of a text is, in half the room; kNoKey for all others.
using SmallKey = std::uint32_t;
inline constexpr SmallKey kNoKey = UINT32_MAX;
[[nodiscard]] constexpr SmallKey small_key(Cell cell) {
  const auto small = static_cast<SmallKey>(cell);
  return Cell{small} == cell ? small : kNoKey;
}

// Converts numbers to cells and back, and keeps the table of those that do not fit.
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

}  // namespace poise::watch
