#pragma once

// A table of counts: a row for each key, with a count for each column. There are two layouts.
//
// Dense: keys are small numbers anyway, as those of texts are, and are the indexes of their rows.
// Hashed: a row begins with its key and is found by linear probing; a row that has become all 0 is
// taken out. A dense table becomes a hashed one, for good, when it would have many more rows than
// elements.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "poise/watch/store/cell.h"

namespace poise::watch {

class Counters {
 public:
  using Count = std::uint32_t;

  // `dense`: keys are not negative, and mostly small.
  void set_up(std::size_t columns, bool dense);

  // The counts of a key, one per column; all 0 if the key is new. Valid until the next call.
  Count* row(Cell key) { return is_place(key) ? row_at(key) : found_or_made(key); }
  // Whether the key is the index of its row, so that row_at() finds it without a search.
  [[nodiscard]] bool is_place(Cell key) const {
    return static_cast<std::uint64_t>(key) < dense_room_;
  }
  [[nodiscard]] Count* row_at(Cell place) { return at(static_cast<std::size_t>(place)); }
  // Must be called after a count of the row has become less; the row is not valid any more.
  void tidy(Count* row) {
    if (!dense_ && row != without_key_.data()) drop_if_empty(row);
  }
  // visit(key, row) for every row that has a count, and perhaps for rows of zeros. The key is kNone
  // for the elements that have none.
  template <class Visit>
  void for_each(Visit visit) {
    visit(kNone, without_key_.data());
    for (std::size_t i = 0; i < room_; ++i) {
      Count* const row = rows_.data() + i * stride_;
      if (dense_) {
        visit(static_cast<Cell>(i), row);
      } else if (key_of(row) != kFree) {
        visit(key_of(row), row + kKey);
      }
    }
  }
  void clear();

 private:
  static constexpr Cell kFree = kNone + 1;  // of a row without a key; no cell has this value
  static constexpr std::size_t kKey = sizeof(Cell) / sizeof(Count);

  static Cell key_of(const Count* place);
  static void set_key(Count* place, Cell key);
  [[nodiscard]] Count* at(std::size_t index) { return rows_.data() + index * stride_; }
  [[nodiscard]] std::size_t home_of(Cell key) const {
    return (static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15U >> 32U) & (room_ - 1);
  }
  // In counts. A key takes the room of two, and an even stride keeps the next key aligned.
  [[nodiscard]] std::size_t hashed_stride() const { return kKey + columns_ + columns_ % 2; }
  Count* found_or_made(Cell key);
  // The sum of all counts.
  [[nodiscard]] std::uint64_t elements() const;
  [[nodiscard]] Count* place_of(Cell key);
  void drop_if_empty(Count* row);
  // Makes a hashed row free.
  void empty(Count* place) const;
  void make_room(std::size_t room);
  void hash_instead();

  bool dense_ = false;  // no keys in the rows; else each begins with its key
  std::size_t columns_ = 0;
  std::size_t stride_ = 0;      // counts from row to row
  std::size_t room_ = 0;        // rows; a power of two, or 0
  std::size_t dense_room_ = 0;  // the same, or 0 if hashed
  std::size_t used_ = 0;        // rows, if hashed
  std::vector<Count> rows_;
  std::vector<Count> without_key_;  // the row of elements whose key has no value
};

}  // namespace poise::watch
