#pragma once

// When elements leave the windows of one length: in the order in which they came, of whatever
// streams. So the next one is always the first, and where the one after it stands does not depend
// on what it is; to look for the earliest of several streams instead is what most of the time of an
// event went into, since nothing else can go on before it is known.

#include <cstdint>
#include <memory>

#include "poise/watch/store/watched_model.h"

namespace poise::watch {

// The first element of a collection leaves it.
struct Due {
  Time leaves = kNever;
  CollectionId collection;
  // Of the element: what counts it finds its row by that, and need not look at the element, which
  // stands far away and was last read long ago. Where it says nothing, the element does.
  SmallKey key = kNoKey;
};

class Schedule {
 public:
  [[nodiscard]] bool is_empty() const { return first_ == end_; }
  // Where there is one.
  [[nodiscard]] const Due& first() const { return due(first_); }
  [[nodiscard]] Time next() const { return is_empty() ? kNever : first().leaves; }
  void drop_first() {
    ++first_;
    if (gaps_ != 0) skip_gaps();
  }
  // Whether an element was taken back that would have left later than the first.
  [[nodiscard]] bool has_gaps() const { return gaps_ != 0; }
  // Not before one that is there.
  void add(const Due& added) {
    if (end_ - first_ == room_) grow();
    due(end_) = added;
    ++end_;
  }
  // Behind the last: an element that was taken back before it was scheduled, from a snapshot.
  void add_gap() {
    if (is_empty()) return;  // it would be the first
    add({due(end_ - 1).leaves, kGone, kNoKey});
    ++gaps_;
  }
  // An element is taken back: that of a collection behind which so many of the same have come. It
  // takes as long as the search for the element.
  void take_back(CollectionId collection, std::uint64_t later);

 private:
  static constexpr CollectionId kGone{UINT32_MAX};

  [[nodiscard]] Due& due(std::uint32_t place) const { return dues_[place & (room_ - 1)]; }
  // Which are never the first.
  void skip_gaps();
  void grow();

  std::unique_ptr<Due[]> dues_;
  std::uint32_t first_ = 0;
  std::uint32_t end_ = 0;
  std::uint32_t room_ = 0;  // a power of two, or 0
  std::uint32_t gaps_ = 0;  // left by those that were taken back
};

}  // namespace poise::watch
