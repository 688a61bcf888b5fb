// bench/watch: how fast monitors are. Two rules of the stock tracker alone, with windows of ever
// more elements, beside counters written by hand; the stock tracker and the robot car as a whole,
// with both evaluators; many instances; and from the bytes of a log.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <fstream>
#include <functional>
#include <span>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "bench/robot_car.h"
#include "bench/table.h"
#include "bench/warehouse.h"
#include "poise/base/check.h"
#include "poise/base/random.h"
#include "poise/lang/lang.h"
#include "poise/watch/feed.h"
#include "poise/watch/monitor.h"

namespace poise::bench {

namespace {

using Clock = std::chrono::steady_clock;
using watch::Evaluation;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The least of some runs: others on the machine only ever add to it.
double least(int runs, const std::function<double()>& measured) {
  double best = measured();
  for (int i = 1; i < runs; ++i) best = std::min(best, measured());
  return best;
}

std::string millions(std::size_t events, double seconds) {
  return fmt::format("{:.2f}", static_cast<double>(events) / seconds / 1e6);
}

model::Model model_of(std::string name, std::string text) {
  lang::Parsed parsed = lang::parse({.name = std::move(name), .text = std::move(text)});
  POISE_CHECK(parsed.model.has_value());
  return std::move(*parsed.model);
}

model::Model model_from(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return model_of(path, text.str());
}

// ---- Two rules ----

// A box is loaded every two milliseconds. 95 in 100 are read at the storage bay after a fifth to
// three fifths of the window, 5 in 100 at another gate before.
struct Reading {
  std::int64_t ms;
  std::uint32_t stream;  // load, storage, gate
  std::uint32_t box;
};

std::vector<Reading> readings(std::size_t count, std::uint64_t window) {
  std::vector<Reading> all;
  Random random(1);
  std::int64_t now = 0;
  for (std::uint32_t box = 0; all.size() < count + window; ++box, now += 2) {
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

// Both conditions are read after every change; neither rule fires, because `off` has no value.
model::Model two_rules(std::uint64_t window) {
  return model_of("two-rules.poise",
                  fmt::format("stream B_load {{ tag: string }} stream B_stor {{ tag: string }}\n"
                              "stream B_gate {{ tag: string }} sense off : bool\n"
                              "let matched(a, b) = a.tag == b.tag\n"
                              "state A initial, B\n"
                              "rule r6: A -> B when (exists s in B_stor[last {0}ms]: exists g in "
                              "B_gate[last {0}ms]: matched(s, g)) and off\n"
                              "rule r8: A -> B when (exists l in B_load[last {0}ms]: all s in "
                              "B_stor[last {0}ms]: not matched(l, s)) and off\n",
                              window));
}

struct Latencies {
  double median = 0;
  double most = 0;  // of 99 in a hundred
};

class TwoRules {
 public:
  TwoRules(std::uint64_t window, std::size_t events)
      : window_(window), model_(two_rules(window)), readings_(readings(events, window)) {}

  [[nodiscard]] double monitored(Evaluation evaluation, Latencies* latencies = nullptr) const {
    watch::Monitor monitor(model_, {.evaluation = evaluation});
    // A text has its number while something holds it, so the numbers of boxes come again.
    std::vector<watch::Cell> tags;
    for (std::uint64_t i = 0; i < 4 * window_; ++i)
      tags.push_back(monitor.text(fmt::format("x{}", i)));
    const watch::AppId app = monitor.app("");
    std::vector<std::uint32_t> times;
    if (latencies != nullptr) times.reserve(readings_.size());
    const Clock::time_point begin = Clock::now();
    for (const Reading& reading : readings_) {
      const watch::Cell tag = tags[reading.box % tags.size()];
      monitor.keep(tag);
      watch::Event event;
      event.time = reading.ms * 1'000'000;
      event.stream = model::StreamId{reading.stream};
      event.element = std::span(&tag, 1);
      const Clock::time_point before = latencies != nullptr ? Clock::now() : begin;
      POISE_CHECK(monitor.on_event(app, event).has_value());
      if (latencies == nullptr) continue;
      times.push_back(static_cast<std::uint32_t>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - before).count()));
    }
    const double seconds = seconds_since(begin);
    if (latencies != nullptr) {
      std::ranges::sort(times);
      *latencies = {static_cast<double>(times[times.size() / 2]),
                    static_cast<double>(times[times.size() * 99 / 100])};
    }
    return seconds;
  }

  // What somebody would write who had only these two rules: a hash table and queues of the library.
  [[nodiscard]] double by_hand() const {
    struct Counts {
      std::uint32_t of[3] = {0, 0, 0};
    };
    std::unordered_map<std::uint64_t, Counts> boxes;
    std::deque<Reading> queues[3];
    std::int64_t crossed = 0;
    std::int64_t missing = 0;
    std::size_t seen = 0;
    const auto change = [&](const Reading& reading, std::uint32_t by) {
      const std::uint64_t box = reading.box % (4 * window_);
      Counts& counts = boxes[box];
      const auto add = [&](std::int64_t sign) {
        if (counts.of[2] != 0) crossed += sign * counts.of[1];
        if (counts.of[1] == 0) missing += sign * counts.of[0];
      };
      add(-1);
      counts.of[reading.stream] += by;
      add(1);
      if (counts.of[0] + counts.of[1] + counts.of[2] == 0) boxes.erase(box);
    };
    const Clock::time_point begin = Clock::now();
    for (const Reading& reading : readings_) {
      for (std::deque<Reading>& queue : queues) {
        while (!queue.empty() &&
               queue.front().ms + static_cast<std::int64_t>(window_) <= reading.ms) {
          change(queue.front(), UINT32_MAX);
          queue.pop_front();
        }
      }
      queues[reading.stream].push_back(reading);
      change(reading, 1);
      seen += std::size_t{crossed > 0} + std::size_t{missing > 0};
    }
    const double seconds = seconds_since(begin);
    POISE_CHECK(seen > 0);
    return seconds;
  }

 private:
  std::uint64_t window_;
  model::Model model_;
  std::vector<Reading> readings_;
};

void print_two_rules() {
  fmt::print(
      "## Two rules\n\nr6 and r8 of the stock tracker, both read after every change; millions of "
      "events a second, one thread, the best of three runs. By hand: a hash table and queues of "
      "the standard library, for these two rules only.\n\n");
  Table table({"window (elements)", "incremental", "by hand", "full", "median", "99 %"});
  for (const std::uint64_t window : {1'000U, 10'000U, 100'000U}) {
    constexpr std::size_t kEvents = 3'000'000;
    const TwoRules rules(window, kEvents);
    const double ours = least(3, [&] { return rules.monitored(Evaluation::Incremental); });
    const double hand = least(3, [&] { return rules.by_hand(); });
    Latencies latencies;
    static_cast<void>(rules.monitored(Evaluation::Incremental, &latencies));
    // Everything again is quadratic in the window: only the smallest is worth waiting for.
    std::string full = "-";
    if (window == 1'000) {
      constexpr std::size_t kFew = 3'000;
      full = millions(kFew, TwoRules(window, kFew).monitored(Evaluation::Full));
    }
    table.add({grouped(window), millions(kEvents, ours), millions(kEvents, hand), full,
               fmt::format("{:.0f} ns", latencies.median),
               fmt::format("{:.0f} ns", latencies.most)});
  }
  table.print();
}

// ---- Applications ----

struct Watched {
  double seconds = 0;
  watch::Summary summary;
};

Watched watched(const model::Model& model, const std::vector<std::string>& lines,
                Evaluation evaluation) {
  watch::Monitor monitor(model, {.evaluation = evaluation});
  watch::Feed feed(model, monitor);
  const Clock::time_point begin = Clock::now();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    POISE_CHECK(feed.read(i + 1, lines[i]).has_value());
  }
  return {seconds_since(begin), monitor.summary()};
}

void print_applications(const std::string& examples) {
  fmt::print(
      "\n## Applications\n\nFrom the lines of a log in memory, reading included; the best of three "
      "runs.\n\n");
  Table table({"log", "lines", "full", "incremental", "millions of lines a second", "faults"});
  const auto add = [&](const std::string& name, const model::Model& model,
                       const std::vector<std::string>& lines) {
    Watched last;
    const auto seconds = [&](Evaluation evaluation) {
      return least(3, [&] {
        last = watched(model, lines, evaluation);
        return last.seconds;
      });
    };
    const double full = seconds(Evaluation::Full);
    const double incremental = seconds(Evaluation::Incremental);
    table.add({name, grouped(lines.size()), milliseconds(full * 1e3),
               milliseconds(incremental * 1e3), millions(lines.size(), incremental),
               grouped(last.summary.faults[0] + last.summary.faults[1] + last.summary.faults[2])});
  };
  const model::Model stock = model_from(examples + "/stock-tracker.poise");
  for (const int scale : {1, 2, 5, 10}) {
    add(fmt::format("50 transports, {}",
                    scale == 1 ? "one forklift" : fmt::format("{} forklifts", scale)),
        stock, warehouse_run({.seed = 2, .transports = 50, .scale = scale}).lines);
  }
  add("50 transports, a convoy of 10", stock,
      warehouse_run({.seed = 2, .scale = 10, .forklifts = Forklifts::Convoy}).lines);
  add("robot car, 2.5 minutes", model_from(examples + "/robot-car-watch.poise"),
      robot_car_run({.seed = 1}).lines);
  table.print();
}

void print_instances(const std::string& examples) {
  const model::Model stock = model_from(examples + "/stock-tracker.poise");
  fmt::print("\n## Instances\n\nThe stock tracker, forklifts in turn, one transport each.\n\n");
  Table table({"instances", "lines", "millions of lines a second"});
  for (const int scale : {100, 1'000, 10'000}) {
    const std::vector<std::string> lines =
        warehouse_run({.seed = 2, .transports = 1, .scale = scale, .boxes = 10}).lines;
    const double seconds =
        least(3, [&] { return watched(stock, lines, Evaluation::Incremental).seconds; });
    table.add({grouped(static_cast<std::size_t>(scale)), grouped(lines.size()),
               millions(lines.size(), seconds)});
  }
  table.print();
}

}  // namespace

}  // namespace poise::bench

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: poise_bench_watch EXAMPLES\n");
    return 2;
  }
  poise::bench::print_two_rules();
  poise::bench::print_applications(words[1]);
  poise::bench::print_instances(words[1]);
  return 0;
}
