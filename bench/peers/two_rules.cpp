#include "bench/peers/two_rules.h"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_map>

#include "bench/watch.h"
#include "poise/base/random.h"

namespace poise::bench {

std::vector<Reading> readings(std::size_t count, std::uint64_t window) {
  std::vector<Reading> all;
  Random random(1);
  std::int64_t now = 0;
  for (std::uint64_t number = 0; all.size() < count + window; ++number, now += 2) {
    const auto box = static_cast<std::uint32_t>(number % boxes(window));
    all.push_back({now, 0, box});
    const auto after = [&](std::uint64_t least, std::uint64_t span) {
      return now + static_cast<std::int64_t>(least + random.below(span + 1));
    };
    if (random.below(20) == 0) all.push_back({after(1, window / 5), 2, box});
    if (random.below(20) != 0) all.push_back({after(window / 5, 2 * window / 5), 1, box});
  }
  std::ranges::stable_sort(all, {}, &Reading::ms);
  all.resize(count);
  return all;
}

RulesRun by_hand(std::span<const Reading> readings, std::uint64_t window) {
  using Counts = std::array<std::uint32_t, kReadingStreams>;
  std::unordered_map<std::uint64_t, Counts> rows;
  std::array<std::deque<Reading>, kReadingStreams> queues;
  std::int64_t crossed = 0;
  std::int64_t missing = 0;
  const auto change = [&](const Reading& reading, std::uint32_t by) {
    Counts& counts = rows[reading.box];
    const auto add = [&](std::int64_t sign) {
      if (counts[2] != 0) crossed += sign * counts[1];
      if (counts[1] == 0) missing += sign * counts[0];
    };
    add(-1);
    counts[reading.stream] += by;
    add(1);
    if (counts[0] + counts[1] + counts[2] == 0) rows.erase(reading.box);
  };
  RulesRun run;
  const Stopwatch stopwatch;
  for (const Reading& reading : readings) {
    for (std::deque<Reading>& queue : queues) {
      while (!queue.empty() && queue.front().ms + static_cast<std::int64_t>(window) <= reading.ms) {
        change(queue.front(), UINT32_MAX);
        queue.pop_front();
      }
    }
    queues[reading.stream].push_back(reading);
    change(reading, 1);
    run.satisfied.r6 += std::size_t{crossed > 0};
    run.satisfied.r8 += std::size_t{missing > 0};
  }
  run.seconds = stopwatch.seconds();
  return run;
}

}  // namespace poise::bench
