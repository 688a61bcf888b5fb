#pragma once

// A table of counts by key. Keys that are small numbers anyhow, as those of texts, are places in
// it; others are found by hashing.

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

  // The counts of a key, one per column, which are made where there are none. Valid until the next
  // call.
  Count* row(Cell key) { return is_place(key) ? row_at(key) : found_or_made(key); }
  // Whether that takes no search: the key is the place of its row.
  [[nodiscard]] bool is_place(Cell key) const {
    return static_cast<std::uint64_t>(key) < dense_room_;
  }
  [[nodiscard]] Count* row_at(Cell place) { return at(static_cast<std::size_t>(place)); }
  // To be called with a row of which a count has become less.
  void tidy(Count* row) {
    if (!dense_ && row != without_key_.data()) drop_if_empty(row);
  }
  // visit(key, row) for every row with a count, and some more.
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
  static constexpr Cell kFree = kNone + 1;  // which is no value
  static constexpr std::size_t kKey = sizeof(Cell) / sizeof(Count);

  static Cell key_of(const Count* place);
  static void set_key(Count* place, Cell key);
  [[nodiscard]] Count* at(std::size_t index) { return rows_.data() + index * stride_; }
  [[nodiscard]] std::size_t home_of(Cell key) const {
    return (static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15U >> 32U) & (room_ - 1);
  }
  // A key takes two words, and the next one stands on an even place, too.
  [[nodiscard]] std::size_t hashed_stride() const { return kKey + columns_ + columns_ % 2; }
  Count* found_or_made(Cell key);
  // The sum of all counts.
  [[nodiscard]] std::uint64_t elements() const;
  [[nodiscard]] Count* place_of(Cell key);
  void drop_if_empty(Count* row);
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
  std::vector<Count> without_key_;
};

}  // namespace poise::watch
