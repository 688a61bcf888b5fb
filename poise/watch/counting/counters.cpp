#include "poise/watch/counting/counters.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace poise::watch {

namespace {

// A dense table has at most so many rows per element. Instances share the numbers of texts, so the
// keys of one instance may be few and far between.
constexpr std::uint64_t kMostRowsPerElement = 16;
constexpr std::uint64_t kFewRows = 256;
// So that kNoKey is never the index of a row.
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 31U;

}  // namespace

void Counters::set_up(std::size_t columns, bool dense) {
  dense_ = dense;
  columns_ = columns;
  stride_ = dense ? columns : hashed_stride();
  without_key_.assign(columns_, 0);
}

// The room stays: as much will be needed again.
void Counters::clear() {
  used_ = 0;
  std::ranges::fill(without_key_, 0U);
  if (dense_) {
    std::ranges::fill(rows_, 0U);
  } else {
    for (std::size_t i = 0; i < room_; ++i) empty(at(i));
  }
}

Cell Counters::key_of(const Count* place) {
  Cell key = 0;
  std::memcpy(&key, place, sizeof(key));
  return key;
}

void Counters::set_key(Count* place, Cell key) { std::memcpy(place, &key, sizeof(key)); }

void Counters::empty(Count* place) const {
  set_key(place, kFree);
  std::fill_n(place + kKey, stride_ - kKey, 0U);
}

std::uint64_t Counters::elements() const {
  const auto sum = [](const std::vector<Count>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  };
  return sum(rows_) + sum(without_key_);
}

Counters::Count* Counters::found_or_made(Cell key) {
  if (key == kNone) return without_key_.data();
  if (dense_) {
    const auto wanted = static_cast<std::uint64_t>(key) + 1;
    // elements() looks at all rows, but seldom: after it the table has at least doubled, or is
    // hashed.
    if (key >= 0 && wanted <= kMostRows &&
        wanted <= std::max(kFewRows, kMostRowsPerElement * (elements() + 1))) {
      room_ = dense_room_ = std::bit_ceil(wanted);
      rows_.resize(room_ * stride_);
      return at(static_cast<std::size_t>(key));
    }
    hash_instead();
  }
  if (2 * (used_ + 1) > room_) make_room(std::max<std::size_t>(8, room_ * 2));
  Count* const place = place_of(key);
  if (key_of(place) == kFree) {
    set_key(place, key);
    ++used_;
  }
  return place + kKey;
}

Counters::Count* Counters::place_of(Cell key) {
  std::size_t index = home_of(key);
  Count* place = at(index);
  while (key_of(place) != kFree && key_of(place) != key) {
    index = (index + 1) & (room_ - 1);
    place = at(index);
  }
  return place;
}

// Takes a row out. Rows behind it that probing has pushed there move up, so that they are found.
void Counters::drop_if_empty(Count* row) {
  if (std::any_of(row, row + columns_, [](Count count) { return count != 0; })) return;
  Count* const place = row - kKey;
  set_key(place, kFree);
  --used_;
  std::size_t gap = static_cast<std::size_t>(place - rows_.data()) / stride_;
  for (std::size_t next = (gap + 1) & (room_ - 1); key_of(at(next)) != kFree;
       next = (next + 1) & (room_ - 1)) {
    const std::size_t home = home_of(key_of(at(next)));
    if (((next - home) & (room_ - 1)) < ((next - gap) & (room_ - 1))) continue;
    std::copy_n(at(next), stride_, at(gap));
    empty(at(next));
    gap = next;
  }
}

void Counters::make_room(std::size_t room) {
  const std::vector<Count> old = std::move(rows_);
  const std::size_t before = room_;
  room_ = room;
  rows_ = std::vector<Count>(room_ * stride_);
  for (std::size_t i = 0; i < room_; ++i) empty(at(i));
  for (std::size_t i = 0; i < before; ++i) {
    const Count* const row = old.data() + i * stride_;
    if (key_of(row) != kFree) std::copy_n(row, stride_, place_of(key_of(row)));
  }
}

void Counters::hash_instead() {
  const std::vector<Count> old = std::move(rows_);
  const std::size_t rows = room_;
  dense_ = false;
  dense_room_ = 0;
  stride_ = hashed_stride();
  room_ = 0;
  rows_.clear();
  for (std::size_t i = 0; i < rows; ++i) {
    const Count* const row = old.data() + i * columns_;
    if (std::all_of(row, row + columns_, [](Count count) { return count == 0; })) continue;
    std::copy_n(row, columns_, found_or_made(static_cast<Cell>(i)));
  }
}

}  // namespace poise::watch
