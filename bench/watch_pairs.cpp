// Rules over two elements that no equality links: one element lies near the other (a band), and any
// other condition. They are compared with a scan of the other window, column by column, written by
// hand for just that condition.

#include <deque>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/watch.h"
#include "poise/base/check.h"
#include "poise/base/random.h"

namespace poise::bench {

namespace {

// One reading a millisecond, from one of two sensors in turn, somewhere.
struct Sighting {
  std::int64_t ms;
  std::uint32_t stream;
  std::int64_t at;
};

std::vector<Sighting> sightings(std::size_t count) {
  std::vector<Sighting> all;
  Random random(1);
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back({static_cast<std::int64_t>(i), static_cast<std::uint32_t>(i % 2),
                   static_cast<std::int64_t>(random.below(1'000'000))});
  }
  return all;
}

struct Condition {
  std::string_view name;
  std::string_view text;
  bool near;  // else: their sum is large
};
constexpr Condition kConditions[] = {
    {"band", "a.at - b.at < 10 and b.at - a.at < 10", true},
    {"opaque", "a.at + b.at > 1999000", false},
};

// The rule never fires, because `off` has no value.
model::Model model_of_pairs(const Condition& condition, std::uint64_t window) {
  return model_of("pairs.poise",
                  fmt::format("stream A {{ at: int 0..999999 }} stream B {{ at: int 0..999999 }}\n"
                              "sense off : bool state Here initial, There\n"
                              "rule r: Here -> There when (exists a in A[last {0}ms]: exists b in "
                              "B[last {0}ms]: {1}) and off\n",
                              window, condition.text));
}

double monitored(const model::Model& model, std::span<const Sighting> all) {
  watch::Monitor monitor(model, {});
  const watch::AppId app = monitor.app("");
  const Stopwatch stopwatch;
  for (const Sighting& one : all) {
    const watch::Cell at = one.at;
    POISE_CHECK(monitor
                    .on_event(app, {.time = one.ms * 1'000'000,
                                    .stream = model::StreamId{one.stream},
                                    .element = std::span(&at, 1)})
                    .has_value());
  }
  return stopwatch.seconds();
}

// Written by hand: counts the pairs that fit. An element that comes or goes is compared with all
// elements of the other window.
struct Column {
  std::vector<std::int64_t> at;
  std::size_t first = 0;

  [[nodiscard]] std::span<const std::int64_t> all() const { return std::span(at).subspan(first); }
  void drop_first() {
    if (2 * ++first < at.size()) return;
    at.erase(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(first));
    first = 0;
  }
};

template <class Fits>
double scanned(std::span<const Sighting> all, std::uint64_t window, Fits fits) {
  Column columns[2];
  std::deque<Sighting> queue;
  std::int64_t pairs = 0;
  std::size_t seen = 0;
  const auto fitting = [&](const Sighting& one) {
    std::int64_t count = 0;
    for (const std::int64_t other : columns[1 - one.stream].all()) count += fits(one.at, other);
    return count;
  };
  const Stopwatch stopwatch;
  for (const Sighting& one : all) {
    while (!queue.empty() && queue.front().ms + static_cast<std::int64_t>(window) <= one.ms) {
      pairs -= fitting(queue.front());
      columns[queue.front().stream].drop_first();
      queue.pop_front();
    }
    pairs += fitting(one);
    columns[one.stream].at.push_back(one.at);
    queue.push_back(one);
    seen += std::size_t{pairs > 0};
  }
  const double seconds = stopwatch.seconds();
  POISE_CHECK(seen > 0);
  return seconds;
}

double scanned(const Condition& condition, std::span<const Sighting> all, std::uint64_t window) {
  if (condition.near) {
    return scanned(all, window, [](std::int64_t a, std::int64_t b) {
      return static_cast<std::int64_t>(a - b < 10) & static_cast<std::int64_t>(b - a < 10);
    });
  }
  return scanned(all, window, [](std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(a + b > 1'999'000);
  });
}

}  // namespace

bool print_pairs(const std::string&) {
  fmt::print(
      "## Pairs\n\n`exists a in A[last D]: exists b in B[last D]: …`, asked after every change; "
      "thousands of events a second of processor time, the best of three runs. Scan: the other "
      "window is gone through with every element that comes or goes, by a loop for just that "
      "condition.\n\n");
  Table table({"plan", "window (elements)", "incremental", "scan", "incremental / scan"});
  for (const Condition& condition : kConditions) {
    for (const std::uint64_t window : {1'000U, 10'000U, 100'000U}) {
      const std::vector<Sighting> all = sightings(window + 40'000'000 / window);
      const model::Model model = model_of_pairs(condition, window);
      const double ours = least(3, [&] { return monitored(model, all); });
      const double scan = least(3, [&] { return scanned(condition, all, window); });
      const auto rate = [&](double seconds) {
        return fmt::format("{:.1f}", static_cast<double>(all.size()) / seconds / 1e3);
      };
      table.add({std::string(condition.name), grouped(window), rate(ours), rate(scan),
                 fmt::format("× {:.2f}", scan / ours)});
    }
  }
  table.print();
  return true;
}

}  // namespace poise::bench
