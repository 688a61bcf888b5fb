#pragma once

// The elements of one stream in the order of their arrival: a ring buffer whose size is a power of
// two. Each element has a number that never changes; elements are dropped from the front, and those
// that were taken back stay as gaps until then. The time of an element and its cells stand side by
// side. There is a ring for every stream of every instance, mostly with next to nothing in it, so
// the object is small.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "poise/watch/store/cell.h"
#include "poise/watch/store/watched_model.h"

namespace poise::watch {

class Ring {
 public:
  Ring() = default;
  // `first`: the number that its first element will have.
  explicit Ring(std::uint64_t first) : first_(first), end_(first) {}

  [[nodiscard]] std::uint64_t first() const { return first_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] bool is_full() const { return end_ - first_ == room_; }

  // Returns the cells of the new element, which stay there until the ring grows.
  const Cell* add(Time time, std::span<const Cell> cells) {
    if (is_full()) grow(cells.size());
    Cell* const row = rows_.get() + (end_ & (room_ - 1)) * width_;
    row[0] = time;
    if (cells.size() == 1) [[likely]] {
      row[1] = cells[0];
    } else {
      std::ranges::copy(cells, row + 1);
    }
    ++end_;
    return row + 1;
  }
  // After drop_before(): grows if less than a quarter is free, so that elements need not be dropped
  // again too soon.
  void make_room();
  void drop_before(std::uint64_t number) { first_ = std::max(first_, number); }

  // The time of an element that was not taken back.
  [[nodiscard]] Time time(std::uint64_t number) const { return row(number)[0]; }
  [[nodiscard]] const Cell* cells(std::uint64_t number) const { return row(number) + 1; }
  [[nodiscard]] bool is_gone(std::uint64_t number) const { return row(number)[0] == kGone; }
  // The number of the next element that was not taken back, or the end.
  [[nodiscard]] std::uint64_t next(std::uint64_t number) const {
    do ++number;
    while (number != end_ && is_gone(number));
    return number;
  }
  // How many elements came after this one and were not taken back.
  [[nodiscard]] std::uint64_t behind(std::uint64_t number) const {
    std::uint64_t count = 0;
    while ((number = next(number)) != end_) ++count;
    return count;
  }
  void take_back(std::uint64_t number) { rows_[(number & (room_ - 1)) * width_] = kGone; }

 private:
  static constexpr Time kGone = INT64_MIN;  // the time of an element that was taken back

  [[nodiscard]] const Cell* row(std::uint64_t number) const {
    return rows_.get() + (number & (room_ - 1)) * width_;
  }
  void grow(std::size_t cells);

  std::unique_ptr<Cell[]> rows_;
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;
  std::uint32_t room_ = 0;   // rows; a power of two, or 0
  std::uint32_t width_ = 0;  // cells of a row: the time and the fields
};

}  // namespace poise::watch
