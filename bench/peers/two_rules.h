#pragma once

// Rules r6 and r8 of the stock tracker alone, on readings that fill a window with as many elements
// as one likes:
//
//   r6  a box was read at the storage bay and at another gate
//   r8  a box was loaded and is not read at the storage bay

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace poise::bench {

// A box is loaded every two milliseconds. 95 in 100 are read at the storage bay after a fifth to
// three fifths of the window, 5 in 100 at another gate before.
struct Reading {
  std::int64_t ms;
  std::uint32_t stream;  // load, storage, gate
  std::uint32_t box;
};
inline constexpr std::size_t kReadingStreams = 3;
[[nodiscard]] std::vector<Reading> readings(std::size_t count, std::uint64_t window);

// The numbers of boxes come again, long after they have left the windows.
[[nodiscard]] inline std::uint64_t boxes(std::uint64_t window) { return 4 * window; }

// The tag of the box of each reading, looked up before the time is measured. `by_box`: what a peer
// uses as a tag, by number of the box.
template <class Tag>
[[nodiscard]] std::vector<Tag> tags_of(std::span<const Reading> readings,
                                       const std::vector<Tag>& by_box) {
  std::vector<Tag> tags;
  tags.reserve(readings.size());
  for (const Reading& reading : readings) tags.push_back(by_box[reading.box]);
  return tags;
}

// After how many readings a rule was satisfied.
struct Satisfied {
  std::size_t r6 = 0;
  std::size_t r8 = 0;
  friend bool operator==(const Satisfied&, const Satisfied&) = default;
};

struct RulesRun {
  double seconds = 0;
  Satisfied satisfied;
};

// Written by hand for just these two rules: a hash table and queues of the standard library.
[[nodiscard]] RulesRun by_hand(std::span<const Reading> readings, std::uint64_t window);

// CLIPS, a rule engine by the Rete algorithm. Nothing if it was not installed at build time.
[[nodiscard]] std::optional<RulesRun> by_clips(std::span<const Reading> readings,
                                               std::uint64_t window);

}  // namespace poise::bench
