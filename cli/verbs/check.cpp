#include "poise/check/check.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "cli/options/words.h"
#include "cli/verbs/verbs.h"
#include "poise/report/json/check.h"
#include "poise/report/sarif/sarif.h"
#include "poise/report/text/check.h"

namespace poise::cli {

namespace {

using finding::FaultKind;

// The options of a call, as typed values.
struct CheckSettings {
  check::Options options;
  Format format = Format::Text;
  ColorChoice color = ColorChoice::Auto;
  report::TextOptions text;
};

bool asks_for(const check::Options& options, FaultKind kind) {
  return options.only.empty() || std::ranges::find(options.only, kind) != options.only.end();
}

report::TextOptions text_options(const CheckCall& call, const check::Options& options,
                                 ColorChoice choice, const Environment& environment) {
  report::TextOptions text;
  text.color = color_of_out(environment, choice, call.output);
  text.width = environment.width;
  text.detail = call.quiet ? report::Detail::Summary : report::Detail::Full;
  text.kinds = options.only;
  if (options.priorities == model::Priorities::Ignored) text.ignored.emplace_back("priorities");
  if (options.constraints == check::Constraints::Ignored) text.ignored.emplace_back("constraints");
  text.scope =
      options.show == check::Show::All ? report::Scope::AllStates : report::Scope::ReachableStates;
  text.paths = options.paths == 0U ? report::Paths::NotAsked : report::Paths::Listed;
  text.counted = options.count == check::Count::All ? report::Counted::OverAllAtoms
                                                    : report::Counted::OverItsAtoms;
  return text;
}

Result<CheckSettings> check_settings_from(const CheckCall& call, const Environment& environment) {
  CheckSettings settings;
  Ignored ignored;
  WordReader reader;
  reader.read(engine_from(call.engine), settings.options.engine);
  if (call.only) reader.read(kinds_from(*call.only), settings.options.only);
  if (call.ignore) reader.read(ignored_from(*call.ignore), ignored);
  read_search(reader, call, settings.options);
  reader.read(format_from(call.format), settings.format);
  reader.read(color_from(call.color), settings.color);
  if (std::ranges::count(call.models, "-") > 1) {
    return failure("standard input can be read only once");
  }
  if (!reader.wrong().message.empty()) return Failure(reader.wrong());

  settings.options.show = call.all ? check::Show::All : check::Show::Reachable;
  if (ignored.priorities) settings.options.priorities = model::Priorities::Ignored;
  if (ignored.constraints) settings.options.constraints = check::Constraints::Ignored;
  if (settings.format == Format::Text) {
    settings.options.explain = call.quiet ? check::Explain::Nothing : check::Explain::Examples;
    settings.options.cures = call.quiet ? check::Cures::NotSought : check::Cures::Sought;
  }
  settings.text = text_options(call, settings.options, settings.color, environment);
  return settings;
}

// Whether unstable rules count as faults: with `--paths none` they stand for races and cycles, if
// these were asked for.
bool unstable_counts(const check::Options& options) {
  return options.paths == 0U &&
         (asks_for(options, FaultKind::Race) || asks_for(options, FaultKind::Cycle));
}

report::SarifOptions sarif_options(const check::Options& options) {
  report::SarifOptions sarif{.version = POISE_VERSION};
  if (unstable_counts(options)) sarif.unstable = report::UnstableRules::AreResults;
  if (options.paths == 0U) sarif.overlaps = report::Overlaps::AreResults;
  return sarif;
}

// A harmless choice is a note, and no reason to fail. A choice that is not counts even if no sets
// of rules are listed.
bool found_something(const check::Report& report, const check::Options& options) {
  return !std::ranges::all_of(report.faults, &finding::Fault::harmless) ||
         std::ranges::any_of(report.overlaps,
                             [](const check::Overlap& overlap) {
                               return overlap.asked_for && !overlap.harmless;
                             }) ||
         (unstable_counts(options) && !report.unstable.empty());
}

Status check_status(const check::Report& report, const check::Options& options) {
  if (!report.extent.stopped.empty()) return Status::LimitReached;
  return found_something(report, options) ? Status::Found : Status::NothingFound;
}

}  // namespace

Result<Status> check(const CheckCall& call, const Streams& streams) {
  const Result<CheckSettings> settings = check_settings_from(call, streams.environment);
  if (!settings) return Failure(settings.error());

  Output output(streams.out, call.output);
  Status status = Status::NothingFound;
  const report::Sink sink = [&](std::string_view piece) { output.write(piece); };
  // Several models make an array; a single model is an object, or nothing if it was not readable.
  const bool array = settings->format == Format::Json && call.models.size() > 1;
  if (array) output.write("[");
  report::SarifLog log(sarif_options(settings->options));
  bool first = true;
  for (const std::string& path : call.models) {
    const std::optional<model::Model> model = model_from(path, streams, settings->color, &log);
    if (!model) {
      status = worse(status, Status::Wrong);
      continue;
    }
    const check::Report report = check::run(*model, settings->options);
    switch (settings->format) {
      case Format::Text: {
        const bool apart = !first && settings->text.detail == report::Detail::Full;
        output.write((apart ? "\n" : "") +
                     readable(report::check_text(*model, report, settings->text),
                              streams.environment.signs));
        break;
      }
      case Format::Json:
        if (array) output.write(first ? "\n" : ",\n");
        report::write_check_json(*model, report, sink);
        if (!array) output.write("\n");
        break;
      case Format::Sarif: log.add(*model, report); break;
    }
    first = false;
    if (!report.extent.stopped.empty())
      complain(streams, fmt::format("{}: {}", path, report.extent.stopped));
    status = worse(status, check_status(report, settings->options));
  }
  if (array) output.write("\n]\n");
  if (settings->format == Format::Sarif) log.write(sink);
  const Result<void> written = output.finish();
  if (!written) return Failure(written.error());
  return status;
}

}  // namespace poise::cli
