#pragma once

// The elements of one stream in the order of their arrival. Each has a number that never changes;
// they are dropped from the front, and those that were taken back stay as gaps until then.

#include <cstdint>
#include <span>
#include <vector>

#include "poise/watch/cell.h"
#include "poise/watch/program.h"

namespace poise::watch {

class Ring {
 public:
  [[nodiscard]] std::uint64_t first() const { return first_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }

  void add(Time time, std::span<const Cell> cells);
  void drop_first() { ++first_; }

  [[nodiscard]] Time time(std::uint64_t number) const { return times_[number & mask_]; }
  [[nodiscard]] const Cell* cells(std::uint64_t number) const {
    return cells_.data() + (number & mask_) * width_;
  }
  [[nodiscard]] bool is_gone(std::uint64_t number) const { return gone_[number & mask_] != 0; }
  void take_back(std::uint64_t number) { gone_[number & mask_] = 1; }

 private:
  void grow();

  std::vector<Cell> cells_;
  std::vector<Time> times_;
  std::vector<std::uint8_t> gone_;
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t mask_ = 0;  // there is no room yet if `times_` is empty
  std::size_t width_ = 0;
};

}  // namespace poise::watch
