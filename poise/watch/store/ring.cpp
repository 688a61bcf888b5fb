#include "poise/watch/store/ring.h"

#include <algorithm>

#include "poise/base/check.h"

namespace poise::watch {

void Ring::make_room() {
  if (room_ != 0 && 4 * (end_ - first_) > 3 * std::uint64_t{room_}) grow(width_ - 1);
}

void Ring::grow(std::size_t cells) {
  constexpr std::uint32_t kFewest = 2;
  constexpr std::uint32_t kMost = 1U << 31U;
  POISE_CHECK(room_ < kMost);
  width_ = static_cast<std::uint32_t>(cells) + 1;
  const std::uint32_t room = std::max(kFewest, room_ * 2);
  auto rows = std::make_unique<Cell[]>(std::size_t{room} * width_);
  for (std::uint64_t number = first_; number != end_; ++number) {
    std::copy_n(row(number), width_, rows.get() + (number & (room - 1)) * width_);
  }
  rows_ = std::move(rows);
  room_ = room;
}

}  // namespace poise::watch
