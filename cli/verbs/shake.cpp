#include "poise/shake/shake.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "cli/io/process.h"
#include "cli/options/words.h"
#include "cli/verbs/shake_files.h"
#include "cli/verbs/verbs.h"
#include "poise/base/parallel.h"
#include "poise/base/text.h"
#include "poise/report/flow_export.h"
#include "poise/report/json/mutation.h"
#include "poise/report/json/shake.h"
#include "poise/report/junit/shake.h"
#include "poise/report/sarif/sarif.h"
#include "poise/report/shake_words.h"
#include "poise/report/text/shake.h"
#include "poise/shake/covering/planned.h"
#include "poise/shake/mutants/subject_of.h"

namespace poise::cli {

namespace {

constexpr std::string_view kExportFormats[] = {"csv", "k6", "locust", "junit"};

Result<shake::Generator> generator_from(std::string_view word) {
  std::vector<std::string_view> names;
  for (const shake::Generator generator : shake::kGenerators) {
    if (shake::name_of(generator) == word) return generator;
    names.push_back(shake::name_of(generator));
  }
  const auto guess = closest(word, names);
  return failure(fmt::format("unknown generator `{}`{}", word,
                             guess ? fmt::format("; did you mean `{}`?", *guess) : ""));
}

Result<ProgramOptions::Reset> reset_from(std::string_view word) {
  if (word == "restart") return ProgramOptions::Reset::Restart;
  if (word == "line") return ProgramOptions::Reset::Line;
  return failure(fmt::format("--reset is restart or line, not `{}`", word));
}

// "all", or "F1,threshold".
Result<shake::MutantOptions> mutants_from(std::string_view words) {
  shake::MutantOptions options;
  if (words == "all") return options;
  options.groups.clear();
  while (true) {
    const std::size_t comma = words.find(',');
    const std::string_view word = words.substr(0, comma);
    const std::optional<shake::MutantGroup> group = shake::mutant_group(word);
    if (!group) {
      std::vector<std::string> names;
      for (const shake::MutantGroup one : shake::kMutantGroups) {
        names.emplace_back(shake::to_text(one));
      }
      return failure(
          fmt::format("--mutants is all, or some of {}, not `{}`", joined(names, ", "), word));
    }
    options.groups.push_back(*group);
    if (comma == std::string_view::npos) return options;
    words.remove_prefix(comma + 1);
  }
}

Result<std::size_t> count_from(std::string_view option, std::string_view word, std::uint64_t most) {
  const Result<std::uint64_t> number = number_from(option, word);
  if (!number) return Failure(number.error());
  if (*number == 0 || *number > most) {
    return failure(fmt::format("{} takes a number from 1 to {}, not {}", option, most, word));
  }
  return static_cast<std::size_t>(*number);
}

struct ShakeSettings {
  shake::Options options;
  ProgramOptions program;
  std::optional<double> min_score;
  std::optional<double> min_coverage;
  std::optional<unsigned> tuples;
  Format format = Format::Text;
  ColorChoice color = ColorChoice::Auto;
};

void read_bars(WordReader& reader, const ShakeCall& call, ShakeSettings& settings) {
  if (call.min_score) reader.read(share_from("--min-score", *call.min_score), settings.min_score);
  if (call.min_coverage) {
    reader.read(share_from("--min-coverage", *call.min_coverage), settings.min_coverage);
  }
}

Result<ShakeSettings> shake_settings_from(const ShakeCall& call) {
  ShakeSettings settings;
  WordReader reader;
  shake::SearchOptions& search = settings.options.search;
  reader.read(generator_from(call.generator), search.generator);
  if (call.flows) reader.read(count_from("--flows", *call.flows, 100'000), search.flows);
  if (call.length) reader.read(count_from("--length", *call.length, 100'000), search.length);
  reader.read(count_from("--values", call.values, 1'000), settings.options.values);
  if (call.seed) reader.read(number_from("--seed", *call.seed), search.seed);
  std::size_t jobs = hardware_threads();
  if (call.jobs) reader.read(jobs_from(*call.jobs), jobs);
  search.jobs = static_cast<unsigned>(jobs);
  if (call.mutants) reader.read(mutants_from(*call.mutants), settings.options.mutants);
  settings.program.command = call.program;
  reader.read(duration_from("--timeout", call.timeout), settings.program.timeout);
  reader.read(reset_from(call.reset), settings.program.reset);
  if (call.tuples) {
    std::size_t strength = 2;
    reader.read(count_from("--tuples", *call.tuples, 4), strength);
    settings.tuples = static_cast<unsigned>(strength);
  }
  read_limits(reader, call, settings.options.limits);
  read_bars(reader, call, settings);
  reader.read(format_from(call.format), settings.format);
  reader.read(color_from(call.color), settings.color);
  if (!reader.wrong().message.empty()) return Failure(reader.wrong());
  const bool mutation = call.min_score || !call.mutation_file.empty() || !call.matrix_file.empty();
  if (mutation && !call.mutants) {
    return failure("--min-score, --mutation-report and --matrix go with --mutants");
  }
  if (!call.program.empty() && (call.mutants || !call.replay.empty())) {
    return failure("--program has no mutants, and --replay shows policies and rules");
  }
  if (call.export_format &&
      std::ranges::find(kExportFormats, *call.export_format) == std::end(kExportFormats)) {
    return failure(
        fmt::format("--export is csv, k6, locust or junit, not `{}`", *call.export_format));
  }
  if ((call.export_flow || !call.load.empty()) && !call.export_format) {
    return failure("--flow and --load go with --export");
  }
  return settings;
}

// ---- Other things than a report ----

std::string tuples_text(const shake::Grid& grid, const shake::Covering& covering) {
  std::vector<std::string> names;
  for (const shake::Property& property : grid.properties) names.push_back(property.name);
  std::string text = joined(names, "\t") + "\n";
  for (const shake::Instance& row : covering.rows) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(row[i] == shake::kNoValue ? "" : grid.properties[i].texts[row[i]]);
    }
    text += joined(cells, "\t") + "\n";
  }
  return text;
}

Result<Status> written(const ShakeCall& call, const Streams& streams, const std::string& text) {
  Output output(streams.out, call.output);
  output.write(text);
  const Result<void> done = output.finish();
  if (!done) return Failure(done.error());
  return Status::NothingFound;
}

Result<Status> print_tuples(const ShakeCall& call, const ShakeSettings& settings,
                            const shake::Grid& grid, const shake::CombinationPlan& plan,
                            const Streams& streams) {
  const Result<shake::Covering> covering = shake::planned_covering(
      grid, plan, {.strength = *settings.tuples, .seed = settings.options.search.seed});
  if (!covering) return Failure(covering.error());
  if (covering->rows.empty() && covering->complete()) {
    return failure(fmt::format("{}: no context satisfies the constraints", call.model));
  }
  const Result<Status> status = written(call, streams, tuples_text(grid, *covering));
  if (!status || covering->complete()) return status;
  complain(streams, fmt::format("{}: not all tuples are covered", call.model));
  return Status::LimitReached;
}

// "f1" is the smallest flow of the first failure, "1" the first flow.
Result<shake::Flow> flow_of(const shake::Report& report, std::string_view word) {
  const bool failing = word.starts_with('f');
  const std::size_t count = failing ? report.failures.size() : report.flows.size();
  const Result<std::uint64_t> number = number_from("--flow", failing ? word.substr(1) : word);
  if (!number) return Failure(number.error());
  if (*number == 0 || *number > count) {
    return failure(fmt::format("there is no {} {}: there are {}", failing ? "failure" : "flow",
                               *number, count));
  }
  return failing ? report.failures[*number - 1].smallest : report.flows[*number - 1];
}

Result<std::size_t> load_of(const shake::Grid& grid, const std::string& name) {
  for (std::size_t i = 0; i < grid.properties.size(); ++i) {
    const bool number = grid.properties[i].kind == shake::Property::Kind::Number;
    if (number && (name.empty() || grid.properties[i].name == name)) return i;
  }
  return failure(name.empty() ? "no number is sensed that could be a load"
                              : fmt::format("no number `{}` is sensed", name));
}

Result<Status> print_export(const ShakeCall& call, const shake::Report& report,
                            const Streams& streams) {
  const Result<shake::Flow> flow = flow_of(report, call.export_flow.value_or("1"));
  if (!flow) return Failure(flow.error());
  if (*call.export_format == "csv") {
    return written(call, streams, report::flow_csv(report.grid, *flow, report.tick));
  }
  const Result<std::size_t> load = load_of(report.grid, call.load);
  if (!load) return Failure(load.error());
  if (*call.export_format == "k6") {
    return written(call, streams, report::flow_k6(report.grid, *flow, report.tick, *load));
  }
  return written(call, streams, report::flow_locust(report.grid, *flow, report.tick, *load));
}

Result<Status> print_replay(const ShakeCall& call, const model::Model& model,
                            const std::optional<model::Model>& reference,
                            const shake::Options& options, const Streams& streams) {
  shake::Options replaying = options;
  replaying.search.flows = 0;
  const Result<shake::Report> report =
      shake::run({.model = model, .reference = reference ? &*reference : nullptr}, replaying);
  if (!report) return Failure(report.error());
  std::string text;
  const Result<shake::Replay> replay = shake::replay_of(options.quakes.front(), report->grid);
  if (!replay) return Failure(replay.error());
  const std::unique_ptr<shake::Subject> subject = shake::subject_of(model, replay->grid);
  shake::Report shown = *report;
  shown.grid = replay->grid;
  text += report::flow_table(shown, shake::shown(*subject, replay->grid, replay->flow).ticks, 0);
  for (const shake::Failing& failing : report->failures) {
    text += fmt::format("{}: {}\n", failing.name, failing.text);
  }
  const Result<Status> status = written(call, streams, text);
  if (!status) return status;
  return report->failures.empty() ? Status::NothingFound : Status::Found;
}

// ---- The report ----

double share_of(std::size_t some, std::size_t all) {
  return all == 0 ? 1 : static_cast<double>(some) / static_cast<double>(all);
}

// Whether a threshold (--min-score, --min-coverage) is missed; says which.
bool falls_short(const ShakeSettings& settings, const shake::Report& report,
                 const Streams& streams) {
  bool short_of = false;
  if (settings.min_score && report.mutation) {
    const shake::MutationReport& mutation = *report.mutation;
    const double score = share_of(mutation.killed, mutation.mutants.size() - mutation.equivalent);
    if (score < *settings.min_score) {
      complain(streams,
               fmt::format("the score is {:.4g}, less than {:g}", score, *settings.min_score));
      short_of = true;
    }
  }
  for (const shake::Criterion& one : report.coverage) {
    if (!settings.min_coverage || one.what != "pairs") continue;
    const double share = share_of(one.covered, one.feasible);
    if (share < *settings.min_coverage) {
      complain(streams, fmt::format("of all pairs {:.4g} are covered, less than {:g}", share,
                                    *settings.min_coverage));
      short_of = true;
    }
  }
  return short_of;
}

std::string report_text(const ShakeCall& call, const ShakeSettings& settings,
                        const model::Model& model, const shake::Report& report,
                        const Streams& streams) {
  if (call.export_format == "junit") return report::shake_junit(model, report);
  if (settings.format == Format::Json) return report::shake_json(model, report);
  if (settings.format == Format::Sarif) {
    report::SarifLog log({.version = POISE_VERSION, .verb = report::SarifVerb::Shake});
    log.add(model, report);
    return log.json();
  }
  report::ShakeTextOptions options{
      .color = color_of_out(streams.environment, settings.color, call.output),
      .width = streams.environment.width,
      .detail = call.quiet ? report::Detail::Summary : report::Detail::Full,
      .replays = {}};
  for (std::size_t i = 0; i < report.failures.size(); ++i) {
    if (call.quakes.empty() || !call.program.empty()) break;
    options.replays.push_back(fmt::format("poise shake --replay {} {}",
                                          quake_path(call.quakes, model, report, i), call.model));
  }
  return readable(report::shake_text(model, report, options), streams.environment.signs);
}

Result<void> keep(const ShakeCall& call, const model::Model& model, const std::string& source,
                  const shake::Report& report) {
  if (!call.quakes.empty()) {
    if (auto kept = keep_quakes(call.quakes, model, report); !kept) return kept;
  }
  if (!call.pictures.empty()) {
    if (auto drawn = draw_pictures(call.pictures, report); !drawn) return drawn;
  }
  if (!call.mutation_file.empty() && report.mutation) {
    const std::string text = report::mutation_json(model, report, source);
    if (auto kept = write_file(call.mutation_file, text); !kept) return kept;
  }
  if (!call.matrix_file.empty() && report.mutation) {
    if (auto kept = write_file(call.matrix_file, matrix_csv(report)); !kept) return kept;
  }
  return {};
}

}  // namespace

Result<Status> shake(const ShakeCall& call, const Streams& streams) {
  Result<ShakeSettings> settings = shake_settings_from(call);
  if (!settings) return Failure(settings.error());
  if (call.model.ends_with(".pict")) {
    if (!settings->tuples) return failure("a PICT file has no policy: take --tuples T");
    const std::optional<PictFile> file = pict_file(call.model, streams);
    if (!file) return Status::Wrong;
    return print_tuples(call, *settings, file->grid, file->plan, streams);
  }
  const std::optional<ShakenModel> shaken = shaken_model(call.model, streams, settings->color);
  if (!shaken) return Status::Wrong;
  const model::Model& model = shaken->model;
  const shake::Grid grid = shake::grid_of(model, settings->options.values);
  if (settings->tuples) return print_tuples(call, *settings, grid, {}, streams);
  std::optional<model::Model> reference;
  if (!call.reference.empty()) {
    std::optional<ShakenModel> read = shaken_model(call.reference, streams, settings->color);
    if (!read) return Status::Wrong;
    reference = std::move(read->model);
  }
  Result<std::vector<shake::KeptFailure>> quakes =
      call.replay.empty() ? kept_quakes(call.quakes, grid) : quakes_in({call.replay}, grid);
  if (!quakes) return Failure(quakes.error());
  settings->options.quakes = std::move(*quakes);
  if (!call.trace.empty()) {
    Result<std::vector<std::vector<double>>> recorded = recorded_contexts(call.trace, model, grid);
    if (!recorded) return Failure(recorded.error());
    settings->options.recorded = std::move(*recorded);
  }
  if (!call.replay.empty()) return print_replay(call, model, reference, settings->options, streams);
  shake::Task task{.model = model, .reference = reference ? &*reference : nullptr};
  if (!call.program.empty()) {
    task.program = [&](const shake::Grid& shown) {
      return std::make_unique<ProgramSubject>(model, shown, settings->program);
    };
  } else if (model.policy.empty() && model.states.empty()) {
    return failure(
        fmt::format("{}: no option is declared, so there is nothing to shake; "
                    "--program shakes a program",
                    call.model));
  }
  const Result<shake::Report> report = shake::run(task, settings->options);
  if (!report) return failure(fmt::format("{}: {}", call.model, report.error().message));
  if (call.export_format && *call.export_format != "junit") {
    return print_export(call, *report, streams);
  }
  const Result<Status> status =
      written(call, streams, report_text(call, *settings, model, *report, streams));
  if (!status) return status;
  if (auto kept = keep(call, model, shaken->source, *report); !kept) return Failure(kept.error());
  if (!report->extent.complete) {
    complain(streams, fmt::format("{}: {}", call.model, report->extent.stopped));
    return Status::LimitReached;
  }
  // Without any oracle, "nothing failed" would sound like more than it is.
  if (report->failures.empty() && model.policy.expectations.empty() && !reference &&
      !settings->options.mutants) {
    complain(streams, fmt::format("{}: nothing is expected of it and there is no reference, so "
                                  "only ranges were looked at",
                                  call.model));
  }
  const bool found = falls_short(*settings, *report, streams) || !report->failures.empty();
  if (found) return Status::Found;
  return report::not_judged(*report) > 0 ? Status::LimitReached : Status::NothingFound;
}

}  // namespace poise::cli
