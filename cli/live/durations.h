#pragma once

// A histogram of durations, for the median and the 99th percentile of the summary. It has sixteen
// buckets for each power of two, in nanoseconds, so a figure is exact to one part in sixteen
// however long it is, and the memory is the same however many there are.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "poise/base/bytes.h"
#include "poise/report/watch_summary.h"

namespace poise::cli {

class Durations {
 public:
  void add(std::chrono::steady_clock::duration time);
  [[nodiscard]] std::optional<report::WatchTimes> times() const;

  // Keeps the counts for a later run, which goes on counting.
  void write(ByteWriter& out) const;
  void read(ByteReader& in);

 private:
  static constexpr std::size_t kSteps = 16;

  static std::size_t bucket(std::uint64_t value);
  // The least value that falls into a bucket.
  static double value_of(std::size_t bucket);
  // The quantile of a share: 0.5 for the median.
  [[nodiscard]] double at(double share) const;

  std::array<std::size_t, kSteps * 62> counts_{};  // by bucket; enough for 64 bits
  std::size_t count_ = 0;
  std::uint64_t longest_ = 0;  // exact, in nanoseconds
};

}  // namespace poise::cli
