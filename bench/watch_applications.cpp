#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <malloc.h>

#include "bench/common/table.h"
#include "bench/watch.h"
#include "bench/worlds/robot_car.h"
#include "bench/worlds/warehouse.h"
#include "poise/base/check.h"
#include "poise/watch/input/scanner.h"

namespace poise::bench {

bool print_applications(const std::string& examples) {
  fmt::print(
      "## Applications\n\nFrom the lines of a log in memory, reading included; the best of three "
      "runs.\n\n");
  Table table(
      {"log", "lines", "full", "counting", "incremental", "millions of lines a second", "faults"});
  const auto add = [&](const std::string& name, const model::Model& model, const Lines& lines) {
    Watched last;
    const auto seconds = [&](Technique technique) {
      return least(3, [&] {
        last = watched(model, lines, technique);
        return last.seconds;
      });
    };
    const double full = seconds(Technique::Full);
    const double counting = seconds(Technique::Counting);
    const double incremental = seconds(Technique::Incremental);
    table.add({name, grouped(lines.size()), milliseconds(full * 1e3), milliseconds(counting * 1e3),
               milliseconds(incremental * 1e3), millions(lines.size(), incremental),
               grouped(last.faults())});
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
  return true;
}

namespace {

// Events that were read beforehand, so that the time of the monitor alone is measured.
class Events {
 public:
  Events(const model::Model& model, const Lines& lines) : monitor_(model, {}) {
    watch::Scanner scanner(model, monitor_);
    for (const std::string& line : lines) {
      const watch::Scanner::Line* const scanned = scanner.scan(line);
      POISE_CHECK(scanned != nullptr && scanned->time);
      const watch::Event& event = scanned->event;
      events_.push_back({monitor_.app(scanned->app), *scanned->time, event.stream, event.remove,
                         assignments_.size(), event.assignments.size(), cells_.size(),
                         event.element.size()});
      assignments_.insert(assignments_.end(), event.assignments.begin(), event.assignments.end());
      cells_.insert(cells_.end(), event.element.begin(), event.element.end());
    }
  }
  // To be called once: with a second call, time would go back.
  double played() {
    const Stopwatch stopwatch;
    for (const Ready& ready : events_) {
      const watch::Event event{
          .time = ready.time,
          .assignments = std::span(assignments_).subspan(ready.assignment, ready.assignments),
          .stream = ready.stream,
          .remove = ready.remove,
          .element = std::span(cells_).subspan(ready.cell, ready.cells)};
      POISE_CHECK(monitor_.on_event(ready.app, event).has_value());
    }
    return stopwatch.seconds();
  }

 private:
  struct Ready {
    watch::AppId app;
    watch::Time time;
    std::optional<model::StreamId> stream;
    bool remove;
    std::size_t assignment;
    std::size_t assignments;
    std::size_t cell;
    std::size_t cells;
  };
  watch::Monitor monitor_;
  std::vector<Ready> events_;
  std::vector<watch::Assignment> assignments_;
  std::vector<watch::Cell> cells_;
};

// Bytes of the heap that are in use.
std::size_t bytes_in_use() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

void print_idle(const model::Model& model) {
  Table table({"instances", "bytes of memory for each"});
  for (const std::size_t count : {1'000U, 100'000U}) {
    const std::size_t before = bytes_in_use();
    watch::Monitor monitor(model, {});
    for (std::size_t i = 0; i < count; ++i) {
      const watch::AppId app = monitor.app(fmt::format("forklift-{}", i));
      POISE_CHECK(monitor.on_event(app, {.time = 0}).has_value());
    }
    table.add({grouped(count), grouped((bytes_in_use() - before) / count)});
  }
  fmt::print("\nInstances that have started and hold no element:\n\n");
  table.print();
}

}  // namespace

bool print_instances(const std::string& examples) {
  const model::Model stock = model_from(examples + "/stock-tracker.poise");
  fmt::print(
      "## Instances\n\nThe stock tracker, forklifts in turn, one transport each; millions of lines "
      "a second from the lines of a log, and of events a second from events made ready "
      "beforehand.\n\n");
  Table table({"instances", "lines", "from lines", "from events"});
  for (const int scale : {100, 1'000, 10'000}) {
    const Lines lines =
        warehouse_run({.seed = 2, .transports = 1, .scale = scale, .boxes = 10}).lines;
    const double seconds =
        least(3, [&] { return watched(stock, lines, Technique::Incremental).seconds; });
    const double alone = least(3, [&] { return Events(stock, lines).played(); });
    table.add({grouped(static_cast<std::size_t>(scale)), grouped(lines.size()),
               millions(lines.size(), seconds), millions(lines.size(), alone)});
  }
  table.print();
  print_idle(stock);
  return true;
}

}  // namespace poise::bench
