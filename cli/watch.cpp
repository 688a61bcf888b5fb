// poise watch: a log into a monitor, what it says to the output, line by line.

#include "poise/report/watch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <istream>
#include <ostream>

#include <fmt/format.h>

#include "cli/files.h"
#include "cli/log_file.h"
#include "cli/verbs.h"
#include "cli/wrong_lines.h"
#include "poise/base/text.h"
#include "poise/watch/feed.h"
#include "poise/watch/monitor.h"
#include "poise/watch/plan.h"

namespace poise::cli {

namespace {

enum class WatchFormat { Text, JsonLines };

struct Plan {
  watch::Options watch;
  WatchFormat format = WatchFormat::Text;
  ColorChoice color = ColorChoice::Auto;
};

Result<WatchFormat> watch_format_from(std::string_view word) {
  if (word == "text") return WatchFormat::Text;
  if (word == "jsonl") return WatchFormat::JsonLines;
  return Failure(Error{fmt::format("--format is `text` or `jsonl`, not `{}`", word)});
}

Result<watch::Evaluation> evaluation_from(std::string_view word) {
  if (word == "incremental") return watch::Evaluation::Incremental;
  if (word == "counting") return watch::Evaluation::Counting;
  if (word == "full") return watch::Evaluation::Full;
  return Failure(
      Error{fmt::format("--evaluate is `incremental`, `counting` or `full`, not `{}`", word)});
}

Result<watch::Choice> choice_from(std::string_view word) {
  if (word == "first") return watch::Choice::First;
  if (word == "random") return watch::Choice::Random;
  return Failure(Error{fmt::format("--choose is `first` or `random`, not `{}`", word)});
}

Result<Plan> plan_from(const WatchCall& call) {
  Plan plan;
  Reader reader;
  reader.read(watch_format_from(call.format), plan.format);
  reader.read(evaluation_from(call.evaluate), plan.watch.evaluation);
  reader.read(choice_from(call.choose), plan.watch.choice);
  if (call.seed) reader.read(number_from("--seed", *call.seed), plan.watch.seed);
  reader.read(color_from(call.color), plan.color);
  if (!reader.wrong().message.empty()) return Failure(reader.wrong());
  if (call.model == "-" && call.input == "-" && !call.plan) {
    return Failure(Error{"standard input can be read only once"});
  }
  plan.watch.trace = call.trace;
  return plan;
}

// How long things took, in buckets: exact to one part in sixteen.
class Durations {
 public:
  void add(std::chrono::steady_clock::duration time) {
    const auto nanoseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(
        1, std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()));
    ++counts_[bucket(nanoseconds)];
    ++count_;
    longest_ = std::max(longest_, nanoseconds);
  }
  [[nodiscard]] std::optional<report::WatchTimes> times() const {
    if (count_ == 0) return std::nullopt;
    return report::WatchTimes{at(0.5), at(0.99), static_cast<double>(longest_)};
  }

 private:
  static constexpr std::size_t kSteps = 16;

  static std::size_t bucket(std::uint64_t value) {
    if (value < kSteps) return value;
    const auto power = static_cast<std::size_t>(std::bit_width(value) - 1);
    return kSteps * (power - 3) + (value >> (power - 4) & (kSteps - 1));
  }
  static double value_of(std::size_t bucket) {
    if (bucket < kSteps) return static_cast<double>(bucket);
    const std::size_t power = bucket / kSteps + 3;
    return static_cast<double>((kSteps + bucket % kSteps) << (power - 4));
  }
  [[nodiscard]] double at(double share) const {
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(count_));
    std::size_t before = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      before += counts_[i];
      if (before > wanted) return std::min(value_of(i), static_cast<double>(longest_));
    }
    return static_cast<double>(longest_);
  }

  std::array<std::size_t, kSteps * 62> counts_{};
  std::size_t count_ = 0;
  std::uint64_t longest_ = 0;
};

std::string plan_text(const model::Model& model) {
  const watch::Program program(model);
  const std::vector<watch::Plan> plans = watch::plans(program);
  std::string text =
      fmt::format("{}: {} over streams\n", model.name, counted(model.queries.size(), "condition"));
  for (const model::VariableId id : model.variables.ids()) {
    const model::Variable& variable = model.variables[id];
    if (!variable.query) continue;
    text += fmt::format("\n  {}\n", variable.name);
    for (const std::string& line : watch::explained(program, plans[variable.query->index])) {
      text += fmt::format("    {}\n", line);
    }
  }
  return text;
}

}  // namespace

Result<Status> watch(const WatchCall& call, const Streams& streams) {
  const Result<Plan> plan = plan_from(call);
  if (!plan) return Failure(plan.error());
  const std::optional<model::Model> model = model_from(call.model, streams, plan->color);
  if (!model) return Status::Wrong;
  Output output(streams.out, call.output);
  if (call.plan) {
    output.write(plan_text(*model));
    const Result<void> done = output.finish();
    if (!done) return Failure(done.error());
    return Status::NothingFound;
  }
  Result<LineSource> source = LineSource::open(call.input, streams.in);
  if (!source) return Failure(source.error());

  watch::Monitor monitor(*model, plan->watch);
  watch::Feed feed(*model, monitor);
  WrongLines wrong(call.input, streams);
  Durations durations;
  const diag::Color color = color_of_out(streams.environment, plan->color, call.output);
  const bool lines = plan->format == WatchFormat::JsonLines;
  std::optional<Error> stopped;
  for (std::size_t number = 1;; ++number) {
    const Result<std::optional<std::string_view>> line = source->next();
    if (!line) {
      stopped = line.error();
      break;
    }
    if (!*line) break;
    const auto begin = std::chrono::steady_clock::now();
    const auto said = feed.read(number, **line);
    durations.add(std::chrono::steady_clock::now() - begin);
    if (!said) {
      wrong.add(number, said.error());
      if (call.strict) {
        stopped = Error{fmt::format("{}: stopped at line {}", call.input, number)};
        break;
      }
      continue;
    }
    if (!*said || (*said)->empty() || (call.quiet && !lines)) continue;
    for (const watch::Occurrence& what : **said) {
      output.write(lines ? report::watch_jsonl(*model, what)
                         : report::watch_text(*model, what, color));
    }
    // Whoever follows a live stream should not have to wait for the next fault.
    if (call.input == "-" && call.output.empty()) streams.out << std::flush;
  }
  wrong.finish();
  if (const auto& unknown = feed.lines().first_unknown()) {
    complain(streams, fmt::format("{}:{}: the model does not know `{}`; what the log says about "
                                  "such names is left out",
                                  call.input, unknown->line, unknown->name));
  }
  const report::WatchSummary summary{.monitor = monitor.summary(),
                                     .skipped = wrong.count(),
                                     .unknown = feed.lines().unknown_names(),
                                     .times = call.untimed ? std::nullopt : durations.times()};
  output.write(lines ? report::watch_jsonl(summary) : report::watch_text(*model, summary));
  const Result<void> done = output.finish();
  if (!done) return Failure(done.error());
  if (stopped) return Failure(*stopped);
  const bool faults =
      std::ranges::any_of(summary.monitor.faults, [](std::size_t count) { return count > 0; });
  return faults ? Status::Found : Status::NothingFound;
}

}  // namespace poise::cli
