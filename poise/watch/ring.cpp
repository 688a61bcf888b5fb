#include "poise/watch/ring.h"

#include <algorithm>

namespace poise::watch {

void Ring::add(Time time, std::span<const Cell> cells) {
  width_ = cells.size();
  if (end_ - first_ == times_.size()) grow();
  const std::uint64_t place = end_ & mask_;
  std::ranges::copy(cells, cells_.begin() + static_cast<std::ptrdiff_t>(place * width_));
  times_[place] = time;
  gone_[place] = 0;
  ++end_;
}

void Ring::grow() {
  const std::size_t size = std::max<std::size_t>(4, times_.size() * 2);
  std::vector<Cell> cells(size * width_);
  std::vector<Time> times(size);
  std::vector<std::uint8_t> gone(size);
  for (std::uint64_t number = first_; number != end_; ++number) {
    const std::uint64_t from = number & mask_;
    const std::uint64_t to = number & (size - 1);
    std::copy_n(cells_.begin() + static_cast<std::ptrdiff_t>(from * width_), width_,
                cells.begin() + static_cast<std::ptrdiff_t>(to * width_));
    times[to] = times_[from];
    gone[to] = gone_[from];
  }
  cells_ = std::move(cells);
  times_ = std::move(times);
  gone_ = std::move(gone);
  mask_ = size - 1;
}

}  // namespace poise::watch
