#pragma once

// How long things took, in buckets: exact to one part in sixteen.

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

  // For a later run, which goes on counting.
  void write(ByteWriter& out) const;
  void read(ByteReader& in);

 private:
  static constexpr std::size_t kSteps = 16;

  static std::size_t bucket(std::uint64_t value);
  static double value_of(std::size_t bucket);
  [[nodiscard]] double at(double share) const;

  std::array<std::size_t, kSteps * 62> counts_{};
  std::size_t count_ = 0;
  std::uint64_t longest_ = 0;
};

}  // namespace poise::cli
