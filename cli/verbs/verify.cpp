#include "poise/verify/verify.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "cli/io/progress.h"
#include "cli/options/words.h"
#include "cli/verbs/verbs.h"
#include "cli/verbs/verify_certificate.h"
#include "cli/verbs/verify_export.h"
#include "poise/base/text.h"
#include "poise/report/json/verify.h"
#include "poise/report/sarif/sarif.h"
#include "poise/report/svg/simulation.h"
#include "poise/report/text/verify.h"
#include "poise/report/vacuous_words.h"
#include "poise/verify/simulate/simulate.h"
#include "poise/verify/solver/remarks.h"

namespace poise::cli {

namespace {

Result<verify::Mode> mode_from(std::string_view word) {
  if (word == "naive") return verify::Mode::Naive;
  if (word == "ideal") return verify::Mode::Ideal;
  if (word == "actual") return verify::Mode::Actual;
  return failure(fmt::format("--mode is naive, ideal or actual, not `{}`", word));
}

Result<verify::Engine> verify_engine_from(std::string_view word) {
  if (word == "auto") return verify::Engine::Auto;
  if (word == "zones") return verify::Engine::Zones;
  if (word == "smt") return verify::Engine::Smt;
  return failure(fmt::format("--engine is auto, zones or smt, not `{}`", word));
}

Result<double> rate_from(std::string_view word) {
  double rate = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, rate);
  if (error == std::errc() && stop == end && rate > 0 && std::isfinite(rate)) return rate;
  return failure(fmt::format("--rate takes a number more than 0, not `{}`", word));
}

struct VerifySettings {
  verify::Options options;
  std::optional<verify::SimulationOptions> simulation;
  Format format = Format::Text;
  ColorChoice color = ColorChoice::Auto;
};

// What is asked of a certificate is in the certificate.
Result<void> check_alone(const VerifyCall& call, Format format) {
  std::string_view other;
  if (!call.certificate.empty()) other = "--certificate";
  if (call.export_format) other = "--export";
  if (call.simulate) other = "--simulate";
  if (call.bound) other = "--bound";
  if (call.as_printed) other = "--as-printed";
  if (call.mode != "actual") other = "--mode";
  if (format == Format::Sarif) other = "--format sarif";
  if (other.empty()) return {};
  return failure(fmt::format("--check goes without {}", other));
}

Result<VerifySettings> verify_settings_from(const VerifyCall& call) {
  VerifySettings settings;
  WordReader reader;
  reader.read(mode_from(call.mode), settings.options.mode);
  reader.read(verify_engine_from(call.engine), settings.options.engine);
  if (call.bound) {
    std::uint64_t bound = 0;
    reader.read(number_from("--bound", *call.bound), bound);
    settings.options.bound = bound;
  }
  std::optional<std::size_t> paths;
  reader.read(paths_from(call.paths), paths);
  settings.options.paths = paths.value_or(SIZE_MAX);
  if (call.seed) reader.read(number_from("--seed", *call.seed), settings.options.seed);
  read_limits(reader, call, settings.options.limits);
  settings.options.odds = !call.no_odds;
  if (call.rate) reader.read(rate_from(*call.rate), settings.options.decisions_per_hour);
  if (call.mission) {
    std::uint64_t decisions = 0;
    reader.read(number_from("--mission", *call.mission), decisions);
    settings.options.mission = decisions;
  }
  if (call.simulate) {
    settings.simulation.emplace();
    settings.simulation->bound = settings.options.bound.value_or(settings.simulation->bound);
    settings.simulation->seed = settings.options.seed;
    reader.read(number_from("--simulate", *call.simulate), settings.simulation->runs);
  }
  reader.read(format_from(call.format), settings.format);
  reader.read(color_from(call.color), settings.color);
  if (!reader.wrong().message.empty()) return Failure(reader.wrong());
  if (call.as_printed && settings.options.mode != verify::Mode::Actual) {
    return failure("--as-printed goes with --mode actual");
  }
  if (call.as_printed && call.mission) {
    return failure("--mission does not go with --as-printed, which ties readings to each other");
  }
  if (call.as_printed) settings.options.mode = verify::Mode::AsPrinted;
  if (!call.plot.empty() && !call.simulate) {
    return failure("--plot goes with --simulate N");
  }
  if (!call.certificate.empty() && (call.bound || call.as_printed || call.export_format)) {
    return failure(
        fmt::format("--certificate is for any number of steps of what is: it does not go with {}",
                    call.bound        ? "--bound"
                    : call.as_printed ? "--as-printed"
                                      : "--export"));
  }
  if (!call.check.empty()) {
    const Result<void> goes = check_alone(call, settings.format);
    if (!goes) return Failure(goes.error());
  }
  return settings;
}

void warn(const std::vector<verify::Remark>& remarks, const model::Model& model,
          const Streams& streams) {
  for (const verify::Remark& remark : remarks) {
    streams.err << fmt::format("{}:{}:{}: warning: {}\n", model.file, remark.at.line,
                               remark.at.column, remark.text)
                << std::flush;
  }
}

void warn(const std::vector<report::DepartureWarning>& warnings, const model::Model& model,
          const Streams& streams) {
  for (const report::DepartureWarning& one : warnings) {
    streams.err << fmt::format("{}:{}:{}: warning: {}\n", model.file, one.at.line, one.at.column,
                               one.text)
                << std::flush;
  }
}

// What never happens, without what a remark has said already.
void drop_what_was_said(const std::vector<verify::Remark>& remarks, verify::Report& report) {
  if (!report.vacuous) return;
  std::erase_if(*report.vacuous, [&](const verify::Vacuous& one) {
    return std::ranges::find(remarks, one.at, &verify::Remark::at) != remarks.end();
  });
}

std::string progress_text(const verify::Progress& progress) {
  const auto text = [&]() -> std::string {
    const std::string steps = counted(progress.steps, "step");
    switch (progress.of) {
      case verify::Progress::Of::Octagons:
        return fmt::format("{} at {}", counted(progress.count, "octagon"), steps);
      case verify::Progress::Of::Paths:
        return fmt::format("{} at {}", counted(progress.count, "path"), steps);
      case verify::Progress::Of::Proof: return "looking for an invariant";
      case verify::Progress::Of::Check: return "confirming the invariant";
      case verify::Progress::Of::Cures: return "looking for cures";
      case verify::Progress::Of::Mission: return "odds of a mission";
      case verify::Progress::Of::Odds:
        return fmt::format("odds of {}", counted(progress.count, "path"));
    }
    return "";
  };
  return fmt::format("verify: {}, {} s", text(), progress.elapsed.count());
}

Status verify_status(const verify::Report& report) {
  if (!report.extent.stopped.empty()) return Status::LimitReached;
  switch (report.verdict) {
    case verify::Verdict::Safe: return Status::NothingFound;
    case verify::Verdict::Unsafe: return Status::Found;
    case verify::Verdict::Unknown: return Status::LimitReached;
  }
  return Status::LimitReached;
}

}  // namespace

Result<Status> verify(const VerifyCall& call, const Streams& streams) {
  const Result<VerifySettings> settings = verify_settings_from(call);
  if (!settings) return Failure(settings.error());
  Budget whole(settings->options.limits);  // reading counts, too
  const auto limits_left = [&] {
    Limits left = settings->options.limits;
    left.time =
        whole.exhausted_now() == Exhausted::Time ? std::chrono::milliseconds(0) : whole.time_left();
    return left;
  };
  if (!call.check.empty()) {
    return check_certificate(call, {settings->format, settings->color, settings->options.limits},
                             streams);
  }
  const std::optional<ReadModel> read = read_model(call.model, streams, settings->color);
  if (!read) return Status::Wrong;
  const model::Model* const model = &read->model;
  if (model->world.failures.empty()) {
    return failure(
        fmt::format("{}: no `failure` is declared, so there is nothing to verify", call.model));
  }
  Watchdog watchdog(whole);
  const std::vector<verify::Remark> remarks = verify::remarks(*model, &watchdog);
  warn(remarks, *model, streams);
  verify::Options options = settings->options;
  options.limits = limits_left();
  if (call.export_format) return exported(call, options, *model, streams);
  if (settings->format == Format::Text && call.quiet) options.cures = 0;
  Budget budget(options.limits);
  ProgressLine line(streams.environment.err_is_terminal && !call.quiet ? &streams.err : nullptr);
  options.progress = [&](const verify::Progress& now) { line.show(progress_text(now)); };
  verify::Report report = verify::run(*model, options);
  line.clear();
  warn(report::departure_warnings(*model, report), *model, streams);
  if (settings->simulation) {
    verify::SimulationOptions simulation = *settings->simulation;
    simulation.limits = limits_left();
    Result<verify::Simulation> made = verify::simulate(*model, report, simulation);
    if (made) {
      report.simulation = std::move(*made);
    } else {
      report.extent = {.complete = false, .stopped = made.error().message};
    }
  }
  Output output(streams.out, call.output);
  if (settings->format == Format::Json) {
    output.write(report::verify_json(*model, report));
  } else if (settings->format == Format::Sarif) {
    report::SarifLog log({.version = POISE_VERSION, .verb = report::SarifVerb::Verify});
    log.add(*model, report);
    output.write(log.json());
  } else {
    drop_what_was_said(remarks, report);
    std::string text = report::verify_text(
        *model, report,
        {.color = color_of_out(streams.environment, settings->color, call.output),
         .width = streams.environment.width,
         .detail = call.quiet ? report::Detail::Summary : report::Detail::Full});
    output.write(readable(std::move(text), streams.environment.signs));
  }
  const Result<void> written = output.finish();
  if (!written) return Failure(written.error());
  if (!call.plot.empty() && report.simulation) {
    const Result<void> drawn = write_file(call.plot, report::simulation_svg(*model, report));
    if (!drawn) return Failure(drawn.error());
  }
  Status status = verify_status(report);
  if (!call.certificate.empty()) {
    Limits left = options.limits;
    left.time = budget.time_left();
    const Result<Status> certified = write_certificate(
        call, {.name = call.model, .text = read->source}, *model, report, left, streams);
    if (!certified) return Failure(certified.error());
    status = worse(status, *certified);
  }
  if (!report.extent.stopped.empty())
    complain(streams, fmt::format("{}: {}", call.model, report.extent.stopped));
  return status;
}

}  // namespace poise::cli
