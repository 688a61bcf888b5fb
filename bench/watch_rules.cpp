// Two rules alone, in windows of ever more elements: the monitor, beside counters written by hand,
// the paper's trees, and CLIPS.

#include <algorithm>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/peers/two_rules.h"
#include "bench/watch.h"
#include "poise/base/check.h"

namespace poise::bench {

namespace {

constexpr std::size_t kEvents = 3'000'000;
constexpr std::size_t kLines = 1'000'000;
constexpr int kRuns = 3;

constexpr std::string_view kR6 =
    "(exists s in B_stor[last {0}ms]: exists g in B_gate[last {0}ms]: matched(s, g))";
constexpr std::string_view kR8 =
    "(exists l in B_load[last {0}ms]: all s in B_stor[last {0}ms]: not matched(l, s))";

model::Model model_with(const std::string& rules, std::uint64_t window) {
  return model_of("two-rules.poise",
                  "stream B_load { tag: string } stream B_stor { tag: string }\n"
                  "stream B_gate { tag: string } sense off : bool\n"
                  "let matched(a, b) = a.tag == b.tag\n"
                  "state A initial, B\n" +
                      fmt::format(fmt::runtime(rules), window));
}

// Both conditions are read after every change; neither rule fires, because `off` has no value.
model::Model both_rules(std::uint64_t window) {
  return model_with(fmt::format("rule r6: A -> B when {} and off\n"
                                "rule r8: A -> B when {} and off\n",
                                kR6, kR8),
                    window);
}

// A model that is in state B exactly while the condition holds.
model::Model following(std::string_view condition, std::uint64_t window) {
  return model_with(fmt::format("rule on: A -> B when {0}\n"
                                "rule gone: B -> A when not {0}\n",
                                condition),
                    window);
}

// Hands readings to a monitor and calls after(app) with each.
template <class After>
double fed(watch::Monitor& monitor, std::span<const Reading> readings, std::uint64_t window,
           const After& after) {
  std::vector<watch::Cell> texts;
  for (std::uint64_t i = 0; i < boxes(window); ++i) {
    texts.push_back(monitor.text(fmt::format("x{}", i)));
    monitor.pin(texts.back());  // for many events
  }
  const std::vector<watch::Cell> tags = tags_of(readings, texts);
  const watch::AppId app = monitor.app("");
  const Stopwatch stopwatch;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    watch::Event event;
    event.time = readings[i].ms * 1'000'000;
    event.stream = model::StreamId{readings[i].stream};
    event.element = std::span(&tags[i], 1);
    POISE_CHECK(monitor.on_event(app, event).has_value());
    after(app);
  }
  return stopwatch.seconds();
}

struct WhenFull {
  double events_a_second;
  std::size_t nodes;  // of trees, at most
};

class TwoRules {
 public:
  TwoRules(std::uint64_t window, std::size_t events)
      : window_(window), model_(both_rules(window)), readings_(readings(events, window)) {}

  [[nodiscard]] std::span<const Reading> all() const { return readings_; }

  [[nodiscard]] double monitored(Technique technique) const {
    NodeCounts counts;
    const auto monitor = monitor_with(technique, model_, counts);
    return fed(*monitor, readings_, window_, [](watch::AppId) {});
  }

  // Measures only once the windows are full, which is after as many events as they have elements.
  [[nodiscard]] WhenFull when_full(Technique technique) const {
    NodeCounts counts;
    const auto monitor = monitor_with(technique, model_, counts);
    std::size_t events = 0;
    const Stopwatch stopwatch;
    double filled = 0;
    fed(*monitor, readings_, window_, [&](watch::AppId) {
      if (++events == window_) filled = stopwatch.seconds();
    });
    const double seconds = stopwatch.seconds() - filled;
    return {static_cast<double>(events - window_) / seconds, counts.most};
  }

  [[nodiscard]] Durations latencies() const {
    NodeCounts counts;
    const auto monitor = monitor_with(Technique::Incremental, model_, counts);
    Durations durations(readings_.size());
    Clock::time_point before = Clock::now();
    fed(*monitor, readings_, window_, [&](watch::AppId) {
      durations.add(Clock::now() - before);
      before = Clock::now();
    });
    durations.sort();
    return durations;
  }

  // Millions of lines a second, with the first so many readings as lines of a log.
  [[nodiscard]] std::string from_lines(std::size_t count) const {
    constexpr std::string_view kStreams[] = {"B_load", "B_stor", "B_gate"};
    Lines lines;
    for (const Reading& reading : std::span(readings_).first(count)) {
      lines.push_back(fmt::format(R"({{"t": {}.{:03}, "add": "{}", "value": {{"tag": "x{}"}}}})",
                                  reading.ms / 1'000, reading.ms % 1'000, kStreams[reading.stream],
                                  reading.box));
    }
    return millions(count, least(kRuns, [&] {
                      return watched(model_, lines, Technique::Incremental).seconds;
                    }));
  }

  [[nodiscard]] Satisfied satisfied() const { return {satisfied(kR6), satisfied(kR8)}; }

 private:
  [[nodiscard]] std::size_t satisfied(std::string_view condition) const {
    const model::Model model = following(condition, window_);
    watch::Monitor monitor(model, {});
    std::size_t times = 0;
    fed(monitor, readings_, window_,
        [&](watch::AppId app) { times += std::size_t{monitor.state(app).index == 1}; });
    return times;
  }

  std::uint64_t window_;
  model::Model model_;
  std::vector<Reading> readings_;
};

// The full evaluator takes time, and trees take memory, in proportion to the square of the window.
// So each technique gets as many events as are worth waiting for; 0 where none are.
struct Size {
  std::uint64_t window;
  std::size_t rebuilt;
  std::size_t full;
  std::size_t tree;
  double bar;  // how many times faster than CLIPS ours must be at least
};
constexpr Size kSizes[] = {
    {1'000, 1'100, 4'000, 20'000, 10}, {10'000, 0, 0, 11'000, 20}, {100'000, 0, 0, 0, 60}};

struct Rates {
  double ours = 0;
  double hand = 0;
  std::optional<RulesRun> clips;
};

// The peers run in turn, so that changes of the machine's load affect all of them.
Rates rates(const TwoRules& rules, std::uint64_t window) {
  Rates best;
  for (int i = 0; i < kRuns; ++i) {
    const auto keep = [&](double& seconds, double other) {
      seconds = i == 0 ? other : std::min(seconds, other);
    };
    keep(best.ours, rules.monitored(Technique::Incremental));
    keep(best.hand, by_hand(rules.all(), window).seconds);
    const std::optional<RulesRun> run = by_clips(rules.all(), window);
    if (run && (!best.clips || run->seconds < best.clips->seconds)) best.clips = run;
  }
  return best;
}

// After how many events the rules hold, by each peer.
Table table_of_satisfied() {
  return Table(
      {"window (elements)", "events", "r6 and r8 satisfied", "by hand", "CLIPS", "all the same"});
}
bool add_satisfied(Table& table, std::uint64_t window, const TwoRules& rules,
                   const std::optional<RulesRun>& clips) {
  const auto text = [](const Satisfied& satisfied) {
    return fmt::format("{} and {}", grouped(satisfied.r6), grouped(satisfied.r8));
  };
  const Satisfied ours = rules.satisfied();
  const Satisfied hand = by_hand(rules.all(), window).satisfied;
  const bool same = ours == hand && (!clips || clips->satisfied == ours);
  table.add({grouped(window), grouped(rules.all().size()), text(ours), text(hand),
             clips ? text(clips->satisfied) : "-", same ? "yes" : "no"});
  return same;
}

void print_trees() {
  fmt::print(
      "The paper's way, in events a second with full windows, one run. A tree has a node or two "
      "for each pair of elements: for 100,000 there is not enough memory.\n\n");
  Table table(
      {"window (elements)", "trees built anew (NI)", "full", "trees (IRE)", "nodes at most"});
  for (const Size& size : kSizes) {
    std::size_t nodes = 0;
    const auto rate = [&](Technique technique, std::size_t events) -> std::string {
      if (events == 0) return "-";
      const WhenFull full = TwoRules(size.window, events).when_full(technique);
      nodes = std::max(nodes, full.nodes);
      return figure(full.events_a_second);
    };
    std::vector<std::string> row = {grouped(size.window), rate(Technique::Rebuilt, size.rebuilt),
                                    rate(Technique::Full, size.full),
                                    rate(Technique::Tree, size.tree)};
    row.push_back(nodes == 0 ? "-" : grouped(nodes));
    table.add(std::move(row));
  }
  table.print();
}

}  // namespace

bool print_rules_agreement() {
  Table table = table_of_satisfied();
  bool same = true;
  // Windows so small that both rules hold only some of the time.
  for (const std::uint64_t window : {5U, 10U, 20U, 40U}) {
    const TwoRules rules(window, 20'000);
    same = add_satisfied(table, window, rules, by_clips(rules.all(), window)) && same;
  }
  table.print();
  return same;
}

bool print_rules(const std::string&) {
  fmt::print(
      "## Two rules\n\nr6 and r8 of the stock tracker, both read after every change; millions of "
      "events a second of processor time, one thread, the best of three runs of {} events. By "
      "hand: a hash table and queues of the standard library, for these two rules only. From "
      "lines: millions of lines a second, from {} lines of a log in memory.\n\n",
      grouped(kEvents), grouped(kLines));
  Table speed({"window (elements)", "incremental", "by hand", "CLIPS", "incremental / CLIPS",
               "at least", "", "median", "99 %", "from lines"});
  Table satisfied = table_of_satisfied();
  bool same = true;
  for (const Size& size : kSizes) {
    const TwoRules rules(size.window, kEvents);
    const Rates best = rates(rules, size.window);
    const double times = best.clips ? best.clips->seconds / best.ours : 0;
    const Durations latencies = rules.latencies();
    speed.add({grouped(size.window), millions(kEvents, best.ours), millions(kEvents, best.hand),
               best.clips ? millions(kEvents, best.clips->seconds) : "not there",
               best.clips ? ratio(times) : "-", ratio(size.bar),
               best.clips ? (times >= size.bar ? "ok" : "under") : "-",
               fmt::format("{:.0f} ns", latencies.at(50)),
               fmt::format("{:.0f} ns", latencies.at(99)), rules.from_lines(kLines)});
    same = add_satisfied(satisfied, size.window, rules, best.clips) && same;
  }
  speed.print();
  satisfied.print();
  print_trees();
  return same;
}

}  // namespace poise::bench
