#include "poise/watch/ring.h"

#include <algorithm>

namespace poise::watch {

void Ring::make_room() {
  if (room_ != 0 && 4 * (end_ - first_) > 3 * room_) grow(width_ - 1);
}

void Ring::drop_first() {
  if (is_gone(first_)) {
    gone_[first_ & (room_ - 1)] = false;
    --gaps_;
  }
  ++first_;
}

void Ring::take_back(std::uint64_t number) {
  if (gone_.empty()) gone_.resize(room_);
  gone_[number & (room_ - 1)] = true;
  ++gaps_;
}

void Ring::grow(std::size_t cells) {
  width_ = static_cast<std::uint32_t>(cells) + 1;
  const std::uint64_t room = std::max<std::uint64_t>(4, room_ * 2);
  std::vector<Cell> rows(room * width_);
  std::vector<bool> gone(gone_.empty() ? 0 : room);
  for (std::uint64_t number = first_; number != end_; ++number) {
    const std::uint64_t to = number & (room - 1);
    std::copy_n(row(number), width_, rows.begin() + static_cast<std::ptrdiff_t>(to * width_));
    if (!gone.empty()) gone[to] = is_gone(number);
  }
  rows_ = std::move(rows);
  gone_ = std::move(gone);
  room_ = room;
}

}  // namespace poise::watch
