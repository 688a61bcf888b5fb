#include <algorithm>
#include <ctime>
#include <fstream>
#include <numeric>
#include <optional>
#include <span>
#include <sstream>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/watch.h"
#include "poise/base/check.h"
#include "poise/lang/lang.h"
#include "poise/report/json/watch.h"
#include "poise/watch/input/feed.h"

namespace poise::bench {

std::string_view name(Technique technique) {
  switch (technique) {
    case Technique::Rebuilt: return "trees built anew (NI)";
    case Technique::Full: return "full";
    case Technique::Tree: return "trees (IRE)";
    case Technique::Incremental: return "incremental";
    case Technique::Counting: return "counting";
  }
  return "";
}

std::unique_ptr<watch::Monitor> monitor_with(Technique technique, const model::Model& model,
                                             NodeCounts& counts, const watch::Options& options) {
  watch::Options own = options;
  switch (technique) {
    case Technique::Rebuilt:
      return std::make_unique<watch::Monitor>(model, own, tree_evaluator(Trees::BuiltAnew, counts));
    case Technique::Tree:
      return std::make_unique<watch::Monitor>(model, own, tree_evaluator(Trees::Kept, counts));
    case Technique::Full: own.evaluation = watch::Evaluation::Full; break;
    case Technique::Incremental: own.evaluation = watch::Evaluation::Incremental; break;
    case Technique::Counting: own.evaluation = watch::Evaluation::Counting; break;
  }
  return std::make_unique<watch::Monitor>(model, own);
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

double Stopwatch::now() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double least(int runs, const std::function<double()>& measured) {
  double best = measured();
  for (int i = 1; i < runs; ++i) best = std::min(best, measured());
  return best;
}

std::string millions(std::size_t events, double seconds) {
  return fmt::format("{:.2f}", static_cast<double>(events) / seconds / 1e6);
}

namespace {

// Feeds a log to the monitor, and calls each(occurrences) after every line.
template <class Each>
Watched read_log(const model::Model& model, const Lines& lines, Technique technique,
                 const watch::Options& options, Each each) {
  Watched result;
  const auto monitor = monitor_with(technique, model, result.nodes, options);
  watch::Feed feed(model, *monitor);
  const Stopwatch stopwatch;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto said = feed.read(i + 1, lines[i]);
    POISE_CHECK(said.has_value());
    each(*said);
  }
  result.seconds = stopwatch.seconds();
  result.summary = monitor->summary();
  return result;
}

}  // namespace

Watched watched(const model::Model& model, const Lines& lines, Technique technique) {
  return read_log(model, lines, technique, {}, [](std::span<const watch::Occurrence>) {});
}

void Durations::sort() { std::ranges::sort(all_); }

void Durations::keep_least(const Durations& again) {
  POISE_CHECK(again.all_.size() == all_.size());
  std::ranges::transform(all_, again.all_, all_.begin(),
                         [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
}

double Durations::at(std::size_t percent) const {
  POISE_CHECK(!all_.empty());
  return static_cast<double>(all_[std::min(all_.size() - 1, all_.size() * percent / 100)]);
}

double Durations::mean() const {
  return static_cast<double>(std::accumulate(all_.begin(), all_.end(), std::int64_t{0})) /
         static_cast<double>(all_.size());
}

Timed timed(const model::Model& model, const Lines& lines, Technique technique) {
  Durations durations(lines.size());
  std::optional<Clock::time_point> before;
  const Watched result =
      read_log(model, lines, technique, {}, [&](std::span<const watch::Occurrence>) {
        const Clock::time_point now = Clock::now();
        // The first line is not measured: it also makes the instance.
        if (before) durations.add(now - *before);
        before = now;
      });
  return {result, std::move(durations)};
}

double seconds_in(const std::string& line) {
  constexpr std::string_view kKey = "\"t\": ";
  const std::size_t at = line.find(kKey);
  POISE_CHECK(at != std::string::npos);
  return std::stod(line.substr(at + kKey.size()));
}

double seconds_of_log(const Lines& lines) {
  return lines.empty() ? 0 : seconds_in(lines.back()) - seconds_in(lines.front());
}

FaultName fault_name(const model::Model& model, const watch::Occurrence& what) {
  FaultName name{std::string(watch::name(what.kind)), model.states[what.state].name, {}};
  for (const model::RuleId rule : what.rules) name.rules.push_back(model.rules[rule].name);
  return name;
}

FaultCounts faults_of(const model::Model& model, const Lines& lines) {
  FaultCounts counts;
  read_log(model, lines, Technique::Incremental, {}, [&](std::span<const watch::Occurrence> said) {
    for (const watch::Occurrence& what : said) ++counts[fault_name(model, what)];
  });
  return counts;
}

void print_faults(const FaultCounts& faults) {
  Table table({"fault", "state", "rules", "times"});
  for (const auto& [fault, times] : faults) {
    table.add(
        {fault.kind, fault.state, fmt::format("{}", fmt::join(fault.rules, ", ")), grouped(times)});
  }
  table.print();
}

std::vector<std::string> said_of(const model::Model& model, const Lines& lines,
                                 Technique technique) {
  std::vector<std::string> texts;
  read_log(model, lines, technique, {.trace = true}, [&](std::span<const watch::Occurrence> said) {
    for (const watch::Occurrence& what : said) {
      texts.push_back(report::watch_jsonl(model, what));
    }
  });
  return texts;
}

}  // namespace poise::bench
