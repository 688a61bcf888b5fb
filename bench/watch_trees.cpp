// Table 2 of the paper and related tables: nodes of trees, times, how both grow, and the robot car.

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/watch.h"
#include "bench/worlds/robot_car.h"
#include "bench/worlds/warehouse.h"
#include "poise/base/check.h"
#include "poise/watch/input/feed.h"

namespace poise::bench {

namespace {

std::string percent(double share) { return figure(share * 100) + " %"; }

std::string share(std::size_t part, std::size_t whole) {
  return percent(static_cast<double>(part) / static_cast<double>(whole));
}

std::string microseconds(double nanoseconds) { return figure(nanoseconds / 1e3) + " µs"; }

// One technique on some logs; the times are of all lines of all logs.
struct Measurement {
  double seconds = 0;
  Durations lines{0};
  NodeCounts nodes;
};

Measurement measured(const model::Model& model, std::span<const Lines> logs, Technique technique) {
  constexpr int kRuns = 4;
  Measurement sum;
  for (const Lines& lines : logs) {
    Timed best = timed(model, lines, technique);
    for (int i = 1; i < kRuns; ++i) {
      const Timed again = timed(model, lines, technique);
      best.watched.seconds = std::min(best.watched.seconds, again.watched.seconds);
      best.lines.keep_least(again.lines);
    }
    sum.seconds += best.watched.seconds;
    sum.lines.add(best.lines);
    sum.nodes.add(best.watched.nodes);
  }
  sum.lines.sort();
  return sum;
}

std::size_t contexts(std::span<const Lines> logs) {
  std::size_t count = 0;
  for (const Lines& lines : logs) count += lines.size();
  return count;
}

// The paper's Table 2. A tree that is built anew makes as many nodes as a tree that is kept reuses,
// renews and adds together.
void print_nodes_asked_for(const NodeCounts& built_anew, const NodeCounts& kept) {
  POISE_CHECK(built_anew.asked_for() == kept.asked_for());
  Table table({"technique", "reused", "renewed", "added"});
  for (const auto& [name, nodes] : {std::pair("NI", &built_anew), std::pair("IRE", &kept)}) {
    table.add({name, grouped(nodes->reused), grouped(nodes->renewed), grouped(nodes->added)});
  }
  const std::size_t all = kept.asked_for();
  table.add(
      {"IRE, share", share(kept.reused, all), share(kept.renewed, all), share(kept.added, all)});
  table.print();
}

void print_nodes_and_times(const model::Model& model, std::span<const Lines> logs) {
  std::map<Technique, Measurement> by_technique;
  for (const Technique technique : kTechniques) {
    by_technique.emplace(technique, measured(model, logs, technique));
  }
  print_nodes_asked_for(by_technique.at(Technique::Rebuilt).nodes,
                        by_technique.at(Technique::Tree).nodes);
  Table table({"technique", "nodes created", "total time", "mean", "80 %", "90 %", "99 %",
               "maximum", "NI takes"});
  const double slowest = by_technique.at(Technique::Rebuilt).seconds;
  for (const auto& [technique, measurement] : by_technique) {
    const Durations& lines = measurement.lines;
    table.add({std::string(name(technique)), grouped(measurement.nodes.made),
               milliseconds(measurement.seconds * 1e3), microseconds(lines.mean()),
               microseconds(lines.at(80)), microseconds(lines.at(90)), microseconds(lines.at(99)),
               microseconds(lines.at(100)), ratio(slowest / measurement.seconds)});
  }
  table.print();
}

std::vector<Lines> car_logs() {
  constexpr std::uint64_t kCarRuns = 10;  // as in the paper
  std::vector<Lines> logs;
  for (std::uint64_t seed = 1; seed <= kCarRuns; ++seed) {
    logs.push_back(robot_car_run({.seed = seed}).lines);
  }
  return logs;
}

Lines convoy(int forklifts, int transports) {
  return warehouse_run({.seed = 2,
                        .transports = transports,
                        .scale = forklifts,
                        .forklifts = Forklifts::Convoy})
      .lines;
}

}  // namespace

bool print_table2(const std::string& examples) {
  const std::vector<Lines> logs = {warehouse_run({.seed = 2, .transports = 50}).lines};
  fmt::print(
      "## Table 2\n\nThe stock tracker, 50 transports of one forklift, {} contexts: lines of the "
      "log. Of the nodes in the trees of the conditions that rules ask for, with every question. "
      "Then the time from a line to what the monitor says of it, reading included, the best of "
      "four "
      "runs: in total processor time, of single lines by the clock.\n\n",
      grouped(contexts(logs)));
  print_nodes_and_times(model_from(examples + "/stock-tracker.poise"), logs);
  return true;
}

bool print_nodes(const std::string& examples) {
  fmt::print(
      "## Nodes\n\nWhat trees cost that are kept, all steps counted, whether or not a rule asked "
      "before the next one.\n\n");
  Table table({"log", "lines", "nodes that NI makes", "made", "worked out again", "discarded",
               "at most at a time"});
  const auto add = [&](const std::string& log, const model::Model& model, const Lines& lines) {
    const NodeCounts nodes = watched(model, lines, Technique::Tree).nodes;
    table.add({log, grouped(lines.size()), grouped(nodes.asked_for()), grouped(nodes.made),
               grouped(nodes.worked_out_again), grouped(nodes.discarded), grouped(nodes.most)});
  };
  const model::Model stock = model_from(examples + "/stock-tracker.poise");
  constexpr int kTransports = 10;
  for (const int forklifts : {1, 2, 5, 10}) {
    add(fmt::format("{} transports, a convoy of {}", kTransports, forklifts), stock,
        convoy(forklifts, kTransports));
  }
  add("robot car, 2.5 minutes", model_from(examples + "/robot-car-watch.poise"),
      robot_car_run({.seed = 1}).lines);
  table.print();
  return true;
}

bool print_car(const std::string& examples) {
  const model::Model car = model_from(examples + "/robot-car-watch.poise");
  const std::vector<Lines> logs = car_logs();
  fmt::print(
      "## Robot car\n\n{} runs of 2.5 minutes, {} contexts in all. As in Table 2; then, as in "
      "Tables 3 and 4, what happened in each run, and the share of its time that handling all "
      "contexts took.\n\n",
      logs.size(), grouped(contexts(logs)));
  print_nodes_and_times(car, logs);
  Table table({"run", "contexts", "nondeterminism", "races", "cycles", "NI", "IRE", "incremental",
               "occupied (incremental)"});
  FaultCounts distinct;
  for (std::size_t run = 0; run < logs.size(); ++run) {
    const Lines& lines = logs[run];
    for (const auto& [fault, times] : faults_of(car, lines)) distinct[fault] += times;
    const Watched ours = watched(car, lines, Technique::Incremental);
    const auto time = [&](Technique technique) {
      return milliseconds(watched(car, lines, technique).seconds * 1e3);
    };
    table.add({grouped(run + 1), grouped(lines.size()), grouped(ours.summary.faults[0]),
               grouped(ours.summary.faults[1]), grouped(ours.summary.faults[2]),
               time(Technique::Rebuilt), time(Technique::Tree), milliseconds(ours.seconds * 1e3),
               fmt::format("{:.4f} %", ours.seconds / seconds_of_log(lines) * 100)});
  }
  table.print();
  print_faults(distinct);
  return true;
}

// ---- Scale ----

namespace {

constexpr int kLargestScale = 10;
constexpr int kScaleTransports = 5;
// From this scale on, NI is busy all the time in the paper's Figure 6.
constexpr int kFullAt = 5;
constexpr Technique kCompared[] = {Technique::Rebuilt, Technique::Tree, Technique::Incremental};

// A line that would have to wait for longer is dropped: its context is of no use any more.
constexpr double kPatience = 1;  // seconds of the log

struct Played {
  double occupied = 0;  // share of the time
  std::size_t adaptations = 0;
};

// Simulates a log that comes `speed` times faster than it happened, to a monitor that takes one
// line after the other. Times are those of the log, in which work takes `speed` times longer.
Played played(const model::Model& model, const Lines& lines, Technique technique, double speed) {
  NodeCounts counts;
  const auto monitor = monitor_with(technique, model, counts);
  watch::Feed feed(model, *monitor);
  double busy = 0;
  double free_again = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double now = seconds_in(lines[i]);
    if (free_again > now + kPatience) continue;
    const Stopwatch stopwatch;
    POISE_CHECK(feed.read(i + 1, lines[i]).has_value());
    const double took = stopwatch.seconds() * speed;
    free_again = std::max(now, free_again) + took;
    busy += took;
  }
  const double begin = seconds_in(lines.front());
  const double end = std::max(free_again, seconds_in(lines.back()));
  return {busy / (end - begin), monitor->summary().adaptations};
}

}  // namespace

bool print_scale(const std::string& examples) {
  const model::Model stock = model_from(examples + "/stock-tracker.poise");
  std::vector<Lines> logs;
  for (int scale = 1; scale <= kLargestScale; ++scale) {
    logs.push_back(convoy(scale, kScaleTransports));
  }
  fmt::print(
      "## Scale\n\nA convoy of 1 to {} forklifts with one application, {} transports each. "
      "Occupied: processor time for all contexts, of the time that the log takes. All techniques "
      "trigger the same rules, because time comes with the contexts.\n\n",
      kLargestScale, kScaleTransports);
  Table real_time({"forklifts", "contexts", "NI", "IRE", "incremental", "rules triggered"});
  double speed = 1;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    std::vector<std::string> row = {grouped(i + 1), grouped(logs[i].size())};
    const double allowed = seconds_of_log(logs[i]);
    Watched last;
    for (const Technique technique : kCompared) {
      last = watched(stock, logs[i], technique);
      if (technique == Technique::Rebuilt && i + 1 == kFullAt) speed = allowed / last.seconds;
      row.push_back(fmt::format("{:.4f} %", last.seconds / allowed * 100));
    }
    row.push_back(grouped(last.summary.adaptations));
    real_time.add(std::move(row));
  }
  real_time.print();
  fmt::print(
      "The same logs {} times faster than they happened: so fast that NI would need all its time "
      "with {} forklifts. What would have to wait for more than {} s, by the time of the log, is "
      "lost.\n\n",
      figure(speed), kFullAt, kPatience);
  Table fast({"forklifts", "NI occupied", "rules", "IRE occupied", "rules", "incremental occupied",
              "rules"});
  for (std::size_t i = 0; i < logs.size(); ++i) {
    std::vector<std::string> row = {grouped(i + 1)};
    for (const Technique technique : kCompared) {
      const Played sum = played(stock, logs[i], technique, speed);
      row.push_back(percent(sum.occupied));
      row.push_back(grouped(sum.adaptations));
    }
    fast.add(std::move(row));
  }
  fast.print();
  return true;
}

}  // namespace poise::bench
