// `poise watch`: takes lines from a log, standard input or a broker (cli/live/watch_input.h), feeds
// them to the monitor, and writes its occurrences (cli/live/watch_output.h), line by line, in one
// thread. Between lines it serves metrics and MQTT, and keeps the state of the run.

#include "poise/report/text/watch.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "cli/io/wrong_lines.h"
#include "cli/live/durations.h"
#include "cli/live/loop.h"
#include "cli/live/metrics.h"
#include "cli/live/metrics_server.h"
#include "cli/live/mqtt.h"
#include "cli/live/mqtt_call.h"
#include "cli/live/mqtt_input.h"
#include "cli/live/mqtt_map.h"
#include "cli/live/state_folder.h"
#include "cli/live/watch_input.h"
#include "cli/live/watch_output.h"
#include "cli/live/watch_state.h"
#include "cli/verbs/verbs.h"
#include "poise/base/text.h"
#include "poise/watch/counting/plan.h"
#include "poise/watch/input/feed.h"
#include "poise/watch/input/reorder.h"
#include "poise/watch/monitor.h"
#include "poise/watch/snapshot.h"

namespace poise::cli {

namespace {

struct WatchSettings {
  watch::Options watch;
  WatchFormat format = WatchFormat::Text;
  ColorChoice color = ColorChoice::Auto;
  std::optional<watch::Time> lateness;
  std::optional<MetricsAddress> metrics;
  std::chrono::milliseconds state_every = std::chrono::seconds(1);
};

Result<WatchFormat> watch_format_from(std::string_view word) {
  if (word == "text") return WatchFormat::Text;
  if (word == "jsonl") return WatchFormat::JsonLines;
  return failure(fmt::format("--format is `text` or `jsonl`, not `{}`", word));
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
  return failure(fmt::format("--choose is `first` or `random`, not `{}`", word));
}

Result<WatchSettings> watch_settings_from(const WatchCall& call) {
  WatchSettings settings;
  WordReader reader;
  reader.read(watch_format_from(call.format), settings.format);
  reader.read(evaluation_from(call.evaluate), settings.watch.evaluation);
  reader.read(choice_from(call.choose), settings.watch.choice);
  if (call.seed) reader.read(number_from("--seed", *call.seed), settings.watch.seed);
  reader.read(color_from(call.color), settings.color);
  if (call.lateness) {
    std::chrono::milliseconds lateness{};
    reader.read(duration_from("--lateness", *call.lateness), lateness);
    settings.lateness = std::chrono::nanoseconds(lateness).count();
  }
  if (call.metrics) reader.read(metrics_address_from(*call.metrics), settings.metrics);
  if (call.state_every) {
    reader.read(duration_from("--state-every", *call.state_every), settings.state_every);
  }
  if (!reader.wrong().message.empty()) return Failure(reader.wrong());
  if (!call.mqtt.map.empty() && call.input != "-") {
    return failure("lines come from --input or by --mqtt-map, not from both");
  }
  if (call.model == "-" && call.input == "-" && call.mqtt.map.empty() && !call.plan) {
    return failure("standard input can be read only once");
  }
  if (call.follow && call.input == "-") {
    return failure("--follow needs --input LOG: standard input is followed anyway");
  }
  if (!call.state.empty() && call.output.empty()) {
    return Failure(
        Error{"--state needs --output FILE: what was printed elsewhere cannot be taken back"});
  }
  if (!call.state.empty() && !call.mqtt.map.empty()) {
    return failure("--state needs a log: the messages of a broker do not come again");
  }
  if (call.state_every && call.state.empty()) {
    return failure("--state-every needs --state DIR");
  }
  settings.watch.trace = call.trace;
  return settings;
}

// The options that change the output, as one writes them. A run that continues another must have
// the same.
std::string options_text(const WatchSettings& settings, const WatchCall& call) {
  std::vector<std::string> words;
  if (settings.watch.choice == watch::Choice::Random) {
    words.push_back(fmt::format("--choose random --seed {}", settings.watch.seed));
  }
  if (call.trace) words.emplace_back("--trace");
  if (settings.format == WatchFormat::JsonLines) words.emplace_back("--format jsonl");
  if (settings.color == ColorChoice::Always) words.emplace_back("--color always");
  if (call.quiet) words.emplace_back("--quiet");
  if (settings.lateness) {
    words.push_back(fmt::format("--lateness {}s", watch::seconds_text(*settings.lateness)));
  }
  return joined(words, " ");
}

std::string plan_text(const model::Model& model) {
  const watch::WatchedModel watched(model);
  const std::vector<watch::Plan> plans = watch::plans(watched);
  std::string text =
      fmt::format("{}: {} over streams{}\n", model.name, counted(model.queries.size(), "condition"),
                  model.externs.empty() ? "" : " and external functions");
  for (const model::VariableId id : model.variables.ids()) {
    const model::Variable& variable = model.variables[id];
    if (!variable.query) continue;
    text += fmt::format("\n  {}\n", variable.name);
    for (const std::string& line : watch::explained(watched, plans[variable.query->index])) {
      text += fmt::format("    {}\n", line);
    }
  }
  return text;
}

using Clock = std::chrono::steady_clock;

// Moves lines from the input through the monitor to the output. What it refers to must outlive it.
class Pipeline {
 public:
  Pipeline(const model::Model& model, const WatchSettings& settings, const WatchCall& call,
           const Streams& streams, WatchInput& input, WatchOutput& output, Keeping* keeping)
      : call_(call),
        streams_(streams),
        input_(input),
        output_(output),
        keeping_(keeping),
        monitor_(model, settings.watch),
        feed_(model, monitor_),
        wrong_(input.name(), streams) {
    if (settings.lateness) held_back_.emplace(model, *settings.lateness);
  }

  // Answers requests for metrics from now on. The server must outlive this.
  void serve_metrics(MetricsServer& server) { metrics_ = &server; }
  // Gives the MQTT client time to work, and waits while its queue is full. It must outlive this.
  void work_with(Mqtt& mqtt) { mqtt_ = &mqtt; }
  // Opens the output. If the state of an earlier run was kept, continues from there.
  [[nodiscard]] Result<void> begin();
  // Runs until the input ends or a stop is requested, then hands over the lines that are held back.
  // After an error, what came before it is still in the output.
  [[nodiscard]] Result<void> run(const StopSignal& stop);
  // For the end of the run.
  [[nodiscard]] report::WatchSummary summary() const;

 private:
  [[nodiscard]] Result<void> read_all(const StopSignal& stop);
  [[nodiscard]] Result<void> take(const WatchInput::Taken& line);
  [[nodiscard]] Result<void> take(std::size_t number, std::string_view text);
  [[nodiscard]] Result<void> hand_over_due();
  [[nodiscard]] Result<void> hand_over(std::size_t number, std::string_view text);
  [[nodiscard]] Result<void> skip(std::size_t number, const Error& why);
  void leave_out(std::size_t number, const watch::Reorder::Late& late);
  // Serves metrics and MQTT and flushes the output, which has to be done now and then even while
  // lines keep coming. The second one does it only if the last time was a while ago.
  [[nodiscard]] Result<void> look_around(Clock::time_point now);
  [[nodiscard]] Result<void> look_around_if_due(Clock::time_point now);
  // Waits for something to do; also for input, unless that is null.
  [[nodiscard]] Result<void> wait(const StopSignal& stop, const WatchInput* input);
  [[nodiscard]] Result<void> go_on_from(const WatchState& state);
  // Writes the state to the folder, if it has changed.
  [[nodiscard]] Result<void> keep_state();

  const WatchCall& call_;
  const Streams& streams_;
  WatchInput& input_;
  WatchOutput& output_;
  Keeping* keeping_;  // none without --state
  watch::Monitor monitor_;
  watch::Feed feed_;
  std::optional<watch::Reorder> held_back_;
  std::size_t late_ = 0;
  WrongLines wrong_;
  Durations durations_;
  Mqtt* mqtt_ = nullptr;
  MetricsServer* metrics_ = nullptr;
  Histogram histogram_;  // for the metrics
  // When the last line was done. Time from here on counts for the next line, so that the clock is
  // read only once for each.
  Clock::time_point free_since_ = Clock::now();
  Clock::time_point looked_around_ = Clock::now();
  bool changed_ = true;         // since the state was kept
  bool inside_a_line_ = false;  // the last line was not finished: no state can be kept now
};

Result<void> Pipeline::begin() {
  if (keeping_ == nullptr) return output_.open();
  const Result<std::optional<WatchState>> before = keeping_->kept();
  if (!before) return Failure(before.error());
  const Result<void> done = *before ? go_on_from(**before) : output_.open();
  if (!done) return *before ? keeping_->cannot_go_on(done.error().message) : done;
  if (output_.can_be_cut()) return {};
  return Failure(
      Error{fmt::format("--state needs a file for its output, and `{}` is none", call_.output)});
}

// The output is last, since it is cut to the mark: nothing may be touched before it is certain that
// the state belongs to this run.
Result<void> Pipeline::go_on_from(const WatchState& state) {
  const Result<void> restored = watch::restore(monitor_, state.monitor);
  if (!restored) return restored;
  wrong_.go_on_from(state.wrong_lines);
  late_ = state.late_lines;
  feed_.lines().go_on_from(state.unknown_names, state.first_unknown);
  durations_ = state.durations;
  if (held_back_) {
    for (std::uint32_t i = 0; i < monitor_.summary().instances; ++i) {
      held_back_->start(monitor_.name({i}), monitor_.now({i}));
    }
    for (const watch::HeldLine& line : state.held_back) {
      const auto held = held_back_->take(line.number, line.text);
      if (!held) return Failure(held.error());
    }
  }
  const Result<void> found = input_.go_on_from(state.input);
  if (!found) return found;
  return output_.go_on_from(state.output);
}

Result<void> Pipeline::keep_state() {
  if (keeping_ == nullptr || !changed_ || inside_a_line_) return {};
  const Clock::time_point begun = Clock::now();
  const Result<OutputMark> written = output_.sync();
  if (!written) return Failure(written.error());
  const Result<void> done =
      keeping_->keep({.input = input_.mark(),
                      .output = *written,
                      .wrong_lines = wrong_.count(),
                      .late_lines = late_,
                      .unknown_names = feed_.lines().unknown_names(),
                      .first_unknown = feed_.lines().first_unknown(),
                      .durations = durations_,
                      .held_back = held_back_ ? held_back_->held() : std::vector<watch::HeldLine>(),
                      .monitor = watch::snapshot(monitor_)},
                     begun);
  changed_ = false;
  free_since_ = Clock::now();
  return done;
}

Result<void> Pipeline::run(const StopSignal& stop) {
  Result<void> done = read_all(stop);
  // Before the lines that are held back are handed over: if a later run continues the log, they are
  // still held back there.
  if (done) done = keep_state();
  if (!held_back_) return done;
  held_back_->finish();
  const Result<void> rest = hand_over_due();
  return done ? rest : done;
}

Result<void> Pipeline::read_all(const StopSignal& stop) {
  Result<void> done;
  while (done && !stop.requested()) {
    if (mqtt_ != nullptr && mqtt_->is_full()) {
      done = wait(stop, nullptr);
      continue;
    }
    const Result<WatchInput::Taken> taken = input_.next();
    if (!taken) return Failure(taken.error());
    switch (taken->kind) {
      case WatchInput::Taken::Kind::Line: done = take(*taken); break;
      case WatchInput::Taken::Kind::Wrong:
        done = skip(taken->number, Error{std::string(taken->text)});
        if (done) done = look_around_if_due(Clock::now());
        break;
      case WatchInput::Taken::Kind::NotYet: done = wait(stop, &input_); break;
      case WatchInput::Taken::Kind::End: return {};
    }
  }
  return done;
}

Result<void> Pipeline::take(const WatchInput::Taken& line) {
  if (keeping_ == nullptr) return take(line.number, line.text);
  // The rest of an unfinished line may come until the next run, so the state is kept without it.
  if (!line.finished) {
    const Result<void> kept = keep_state();
    if (!kept) return kept;
  }
  const Result<void> done = take(line.number, line.text);
  inside_a_line_ = !line.finished;
  changed_ = true;
  if (!done || Clock::now() < keeping_->next()) return done;
  return keep_state();
}

Result<void> Pipeline::take(std::size_t number, std::string_view text) {
  if (!held_back_) return hand_over(number, text);
  const auto late = held_back_->take(number, text);
  Result<void> done;
  if (!late) done = skip(number, late.error());
  if (late && *late) leave_out(number, **late);
  if (done) done = hand_over_due();
  return done ? look_around_if_due(Clock::now()) : done;
}

Result<void> Pipeline::hand_over_due() {
  while (const std::optional<watch::HeldLine> line = held_back_->next()) {
    const Result<void> done = hand_over(line->number, line->text);
    if (!done) return done;
  }
  return {};
}

void Pipeline::leave_out(std::size_t number, const watch::Reorder::Late& late) {
  if (++late_ > 1) return;
  complain(streams_,
           fmt::format("{}:{}: too late: it is about {}, and what happened at {} has been "
                       "dealt with; such lines are left out",
                       input_.name(), number, watch::seconds_text(late.time),
                       watch::seconds_text(late.after)));
}

Result<void> Pipeline::skip(std::size_t number, const Error& why) {
  wrong_.add(number, Error{input_.subject() + why.message});
  if (!call_.strict) return {};
  return failure(fmt::format("{}: stopped at line {}", input_.name(), number));
}

Result<void> Pipeline::hand_over(std::size_t number, std::string_view text) {
  const auto said = feed_.read(number, text);
  const auto end = Clock::now();
  durations_.add(end - free_since_);
  if (metrics_ != nullptr) histogram_.add(end - free_since_);
  free_since_ = end;
  if (!said) {
    const Result<void> skipped = skip(number, said.error());
    if (!skipped) return skipped;
  } else if (!said->empty()) {
    output_.write(*said);
    free_since_ = Clock::now();
  }
  return look_around_if_due(end);
}

Result<void> Pipeline::look_around_if_due(Clock::time_point now) {
  constexpr std::chrono::milliseconds kOften(20);
  if (now - looked_around_ <= kOften) return {};
  return look_around(now);
}

Result<void> Pipeline::look_around(Clock::time_point now) {
  looked_around_ = now;
  if (metrics_ != nullptr) {
    metrics_->serve([this] {
      return metrics_text(
          {.monitor = monitor_, .skipped = wrong_.count(), .late = late_, .times = histogram_});
    });
  }
  if (mqtt_ != nullptr) {
    mqtt_->work();
    if (mqtt_->error()) return Failure(*mqtt_->error());
  }
  const Result<void> done = output_.flush();
  free_since_ = Clock::now();
  return done;
}

Result<void> Pipeline::wait(const StopSignal& stop, const WatchInput* input) {
  const Result<void> done = output_.flush();
  if (!done) return done;
  if (keeping_ != nullptr && Clock::now() >= keeping_->next()) {
    const Result<void> kept = keep_state();
    if (!kept) return kept;
  }
  WaitSet waiting;
  if (input != nullptr) input->add_to(waiting);
  if (mqtt_ != nullptr) mqtt_->add_to(waiting);
  if (metrics_ != nullptr) metrics_->add_to(waiting);
  if (keeping_ != nullptr && changed_ && !inside_a_line_) waiting.not_after(keeping_->next());
  waiting.wait(stop);
  return look_around(Clock::now());
}

report::WatchSummary Pipeline::summary() const {
  wrong_.finish();
  if (const auto& unknown = feed_.lines().first_unknown()) {
    complain(streams_, fmt::format("{}:{}: the model does not know `{}`; what the log says about "
                                   "such names is left out",
                                   input_.name(), unknown->line, unknown->name));
  }
  return {.monitor = monitor_.summary(),
          .skipped = wrong_.count(),
          .late = held_back_ ? std::optional(late_) : std::nullopt,
          .unknown = feed_.lines().unknown_names(),
          .times = call_.untimed ? std::nullopt : durations_.times()};
}

// The keeper of the state; nothing without --state.
Result<std::optional<Keeping>> keeping_for(const WatchCall& call, const WatchSettings& settings,
                                           std::uint64_t model) {
  if (call.state.empty()) return std::nullopt;
  Result<StateFolder> folder = StateFolder::open(call.state);
  if (!folder) return Failure(folder.error());
  return Keeping(*std::move(folder), model, options_text(settings, call), settings.state_every);
}

Result<Status> print_plans(const model::Model& model, const WatchCall& call,
                           const Streams& streams) {
  Output output(streams.out, call.output);
  output.write(plan_text(model));
  const Result<void> done = output.finish();
  if (!done) return Failure(done.error());
  return Status::NothingFound;
}

// An error if the model calls an external function: the program has none; only users of the library
// can register them.
std::optional<Error> missing_function(const model::Model& model) {
  const std::vector<model::ExternId> called = watch::called_externs(model);
  if (called.empty()) return std::nullopt;
  const model::Extern& function = model.externs[called.front()];
  return Error{
      fmt::format("{}:{}:{}: rules call `{}`, which a program that embeds the monitor has "
                  "to give; `poise watch` has no such function",
                  model.file, function.at.line, function.at.column, function.name)};
}

}  // namespace

Result<Status> watch(const WatchCall& call, const Streams& streams) {
  const Result<WatchSettings> settings = watch_settings_from(call);
  if (!settings) return Failure(settings.error());
  if (const Result<void> right = check_mqtt(call.mqtt); !right) return Failure(right.error());
  Result<std::optional<MqttOptions>> broker = mqtt_options_from(call.mqtt, streams);
  if (!broker) return Failure(broker.error());
  const std::optional<ReadModel> read = read_model(call.model, streams, settings->color);
  if (!read) return Status::Wrong;
  const model::Model* const model = &read->model;
  if (call.plan) return print_plans(*model, call, streams);
  if (const std::optional<Error> missing = missing_function(*model)) return Failure(*missing);

  std::optional<MqttMap> map;
  if (!call.mqtt.map.empty()) {
    Result<std::optional<MqttMap>> mapped = mqtt_map_of(call.mqtt.map, *model, streams);
    if (!mapped) return Failure(mapped.error());
    if (!*mapped) return Status::Wrong;
    map = *std::move(mapped);
    (*broker)->subscriptions = topics_of(*map);
  }
  Result<std::optional<Keeping>> keeping = keeping_for(call, *settings, read->text);
  if (!keeping) return Failure(keeping.error());

  const StopSignal stop;
  std::unique_ptr<Mqtt> mqtt;
  if (*broker) {
    Result<std::unique_ptr<Mqtt>> opened =
        Mqtt::open(**broker, [&streams](const std::string& what) { complain(streams, what); });
    if (!opened) return Failure(opened.error());
    mqtt = *std::move(opened);
  }
  Result<std::unique_ptr<WatchInput>> input =
      map ? std::make_unique<MqttInput>(*mqtt, *std::move(map))
          : LogInput::open(call.input, streams,
                           call.follow ? LogInput::AtTheEnd::Follow : LogInput::AtTheEnd::Stop);
  if (!input) return Failure(input.error());
  WatchOutput output(*model, streams.out,
                     {.format = settings->format,
                      .color = color_of_out(streams.environment, settings->color, call.output),
                      .signs = streams.environment.signs,
                      .summary_only = call.quiet,
                      .file = call.output});
  Pipeline pipeline(*model, *settings, call, streams, **input, output,
                    *keeping ? &**keeping : nullptr);
  const Result<void> begun = pipeline.begin();
  if (!begun) return Failure(begun.error());

  std::optional<MetricsServer> metrics;
  if (settings->metrics) {
    Result<MetricsServer> server = MetricsServer::listen(*settings->metrics);
    if (!server) return Failure(server.error());
    complain(streams, fmt::format("metrics at {}", server->url()));
    metrics = *std::move(server);
  }

  if (mqtt) pipeline.work_with(*mqtt);
  if (!call.mqtt.publish.empty()) {
    output.publish_by([&mqtt](std::string line) { mqtt->publish(std::move(line)); });
  }
  if (metrics) pipeline.serve_metrics(*metrics);
  const Result<void> done = pipeline.run(stop);
  const report::WatchSummary summary = pipeline.summary();
  output.write(summary);
  const Result<void> written = output.flush();
  const Result<void> published = mqtt ? finish_publishing(*mqtt, stop) : Result<void>();
  if (!written) return Failure(written.error());
  if (!done) return Failure(done.error());
  if (!published) return Failure(published.error());
  const bool faults =
      std::ranges::any_of(summary.monitor.faults, [](std::size_t count) { return count > 0; });
  return faults ? Status::Found : Status::NothingFound;
}

}  // namespace poise::cli
