#pragma once

// The figures of a run of `poise watch` in the text format of Prometheus (version 0.0.4).

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "poise/watch/monitor.h"

namespace poise::cli {

// A histogram of durations with the bounds that Prometheus is told, from 100 ns to 1 s. Durations
// (durations.h) is finer and goes into the summary.
class Histogram {
 public:
  static constexpr std::array<std::int64_t, 22> kBounds = {
      100,         250,         500,         1'000,        2'500,      5'000,
      10'000,      25'000,      50'000,      100'000,      250'000,    500'000,
      1'000'000,   2'500'000,   5'000'000,   10'000'000,   25'000'000, 50'000'000,
      100'000'000, 250'000'000, 500'000'000, 1'000'000'000};  // in nanoseconds

  void add(std::chrono::nanoseconds time);
  // Cumulative, as Prometheus wants them: how many took no longer than each bound; the last is all.
  [[nodiscard]] std::array<std::uint64_t, kBounds.size() + 1> counts() const;
  [[nodiscard]] std::chrono::nanoseconds sum() const { return sum_; }

 private:
  std::array<std::uint64_t, kBounds.size() + 1> counts_{};  // not cumulative
  std::chrono::nanoseconds sum_{};
};

struct Metrics {
  const watch::Monitor& monitor;
  std::size_t skipped = 0;  // lines that could not be read
  std::size_t late = 0;     // lines that came too late
  const Histogram& times;
};

inline constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
[[nodiscard]] std::string metrics_text(const Metrics& metrics);

}  // namespace poise::cli
