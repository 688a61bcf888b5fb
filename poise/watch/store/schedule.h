#pragma once

// When elements leave `last` windows. There is a schedule for each length of window: elements leave
// windows of one length in the order in which they came, whatever their streams, so a queue is
// enough. The next one to leave is always the first, and the processor can fetch the one behind it
// ahead of time. To look for the earliest of several streams instead took most of the time of an
// event, since nothing else can go on before that is known.

#include <cstdint>
#include <memory>

#include "poise/watch/store/watched_model.h"

namespace poise::watch {

// An entry: at this time the first element of this collection leaves it.
struct Due {
  Time leaves = kNever;
  CollectionId collection;
  // The key of the element, by which the fast path finds its row of counts. So the element itself,
  // which was last read long ago and is in no cache, need not be read. kNoKey: it must be.
  SmallKey key = kNoKey;
};

class Schedule {
 public:
  [[nodiscard]] bool is_empty() const { return first_ == end_; }
  // It must not be empty.
  [[nodiscard]] const Due& first() const { return due(first_); }
  [[nodiscard]] Time next() const { return is_empty() ? kNever : first().leaves; }
  void drop_first() {
    ++first_;
    if (gaps_ != 0) skip_gaps();
  }
  // Whether some element behind the first was taken back.
  [[nodiscard]] bool has_gaps() const { return gaps_ != 0; }
  // It leaves no earlier than the last one that is there.
  void add(const Due& added) {
    if (end_ - first_ == room_) grow();
    due(end_) = added;
    ++end_;
  }
  // For an element of a snapshot that was taken back; it would have left after the last one here.
  void add_gap() {
    if (is_empty()) return;  // it would be the first
    add({due(end_ - 1).leaves, kGone, kNoKey});
    ++gaps_;
  }
  // Takes back the element of a collection after which `later` others of that collection have come.
  // Takes time in proportion to how far back it is.
  void take_back(CollectionId collection, std::uint64_t later);

 private:
  static constexpr CollectionId kGone{UINT32_MAX};

  [[nodiscard]] Due& due(std::uint32_t place) const { return dues_[place & (room_ - 1)]; }
  // The first entry is never a gap.
  void skip_gaps();
  void grow();

  std::unique_ptr<Due[]> dues_;
  std::uint32_t first_ = 0;
  std::uint32_t end_ = 0;
  std::uint32_t room_ = 0;  // a power of two, or 0
  std::uint32_t gaps_ = 0;  // entries of elements that were taken back
};

}  // namespace poise::watch
