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

bool found_something(const check::Report& report, const check::Options& options) {
  return !report.faults.empty() || (unstable_counts(options) && !report.unstable.empty());
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
  std::vector<std::string> objects;  // one JSON report for each model
  report::SarifLog log({.version = POISE_VERSION,
                        .unstable = unstable_counts(settings->options)
                                        ? report::UnstableRules::AreResults
                                        : report::UnstableRules::LeftOut});
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
        output.write((apart ? "\n" : "") + report::check_text(*model, report, settings->text));
        break;
      }
      case Format::Json: objects.push_back(report::check_json(*model, report)); break;
      case Format::Sarif: log.add(*model, report); break;
    }
    first = false;
    if (!report.extent.stopped.empty())
      complain(streams, fmt::format("{}: {}", path, report.extent.stopped));
    status = worse(status, check_status(report, settings->options));
  }
  if (settings->format == Format::Json) {
    // Several models make an array; a single model is an object, or nothing if it was not readable.
    if (call.models.size() > 1) output.write(report::json_array(objects));
    if (call.models.size() == 1 && !objects.empty()) output.write(objects.front());
  }
  if (settings->format == Format::Sarif) output.write(log.json());
  const Result<void> written = output.finish();
  if (!written) return Failure(written.error());
  return status;
}

}  // namespace poise::cli
