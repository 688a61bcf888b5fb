#include "poise/watch/store/schedule.h"

#include <algorithm>

#include "poise/base/check.h"

namespace poise::watch {

void Schedule::take_back(CollectionId collection, std::uint64_t later) {
  std::uint32_t place = end_;
  for (std::uint64_t left = later + 1; left != 0;) {
    POISE_CHECK(place != first_);
    --place;
    if (due(place).collection == collection) --left;
  }
  due(place).collection = kGone;
  ++gaps_;
  skip_gaps();
}

void Schedule::skip_gaps() {
  for (; first_ != end_ && due(first_).collection == kGone; ++first_) --gaps_;
}

void Schedule::grow() {
  constexpr std::uint32_t kFewest = 4;
  constexpr std::uint32_t kMost = 1U << 31U;
  POISE_CHECK(room_ < kMost);
  const std::uint32_t room = std::max(kFewest, room_ * 2);
  auto dues = std::make_unique<Due[]>(room);
  for (std::uint32_t place = first_; place != end_; ++place) {
    dues[place & (room - 1)] = due(place);
  }
  dues_ = std::move(dues);
  room_ = room;
}

}  // namespace poise::watch
