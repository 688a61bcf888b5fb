#include "cli/cli.h"

#include <exception>
#include <new>
#include <ostream>
#include <variant>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "cli/options/command_line.h"
#include "cli/verbs/verbs.h"
#include "poise/base/hash.h"
#include "poise/lang/lang.h"

namespace poise::cli {

namespace {

Result<Status> say(const Say& what, const Streams& streams) {
  Output output(streams.out);
  output.write(what.text);
  const Result<void> done = output.finish();
  if (!done) return Failure(done.error());
  return Status::NothingFound;
}

Result<Status> status_of(const Call& call, const Streams& streams) {
  if (const auto* what = std::get_if<Say>(&call)) return say(*what, streams);
  if (const auto* files = std::get_if<FmtCall>(&call)) return fmt(*files, streams);
  if (const auto* sizes = std::get_if<GenerateCall>(&call)) return generate(*sizes, streams);
  if (const auto* model = std::get_if<GraphCall>(&call)) return graph(*model, streams);
  if (const auto* log = std::get_if<RankCall>(&call)) return rank(*log, streams);
  if (const auto* model = std::get_if<ShakeCall>(&call)) return shake(*model, streams);
  if (const auto* model = std::get_if<VerifyCall>(&call)) return verify(*model, streams);
  if (const auto* log = std::get_if<WatchCall>(&call)) return watch(*log, streams);
  return check(std::get<CheckCall>(call), streams);
}

Status status_of(std::span<const std::string> args, const Streams& streams) {
  if (args.empty()) {
    streams.err << general_help();
    return Status::Wrong;
  }
  const Result<Call> call = call_from(args);
  const Result<Status> status =
      call ? status_of(*call, streams) : Result<Status>(Failure(call.error()));
  if (status) return *status;
  complain(streams, status.error().message);
  return Status::Wrong;
}

}  // namespace

void complain(const Streams& streams, std::string_view message) {
  streams.err << "poise: " << message << '\n' << std::flush;
}

diag::Color color_of_err(const Streams& streams, ColorChoice choice) {
  const bool terminal = streams.environment.err_is_terminal && !streams.environment.no_color;
  const bool wanted = choice == ColorChoice::Always || (choice == ColorChoice::Auto && terminal);
  return wanted ? diag::Color::Yes : diag::Color::No;
}

diag::Color color_of_out(const Environment& environment, ColorChoice choice,
                         std::string_view file) {
  const bool terminal = environment.out_is_terminal && file.empty() && !environment.no_color;
  const bool wanted = choice == ColorChoice::Always || (choice == ColorChoice::Auto && terminal);
  return wanted ? diag::Color::Yes : diag::Color::No;
}

std::optional<model::Model> model_from(const std::string& path, const Streams& streams,
                                       ColorChoice color, report::SarifLog* log) {
  std::optional<ReadModel> read = read_model(path, streams, color, log);
  if (!read) return std::nullopt;
  return std::move(read->model);
}

std::optional<ReadModel> read_model(const std::string& path, const Streams& streams,
                                    ColorChoice color, report::SarifLog* log) {
  std::optional<ReadModel> read = read_model_or_policy(path, streams, color, log);
  if (!read || !read->model.states.empty()) return read;
  const std::string message = fmt::format(
      "{}: this is a policy, without states and rules; `poise shake` is the verb for it", path);
  complain(streams, message);
  if (log != nullptr) log->add_unreadable(path, message);
  return std::nullopt;
}

std::optional<ReadModel> read_model_or_policy(const std::string& path, const Streams& streams,
                                              ColorChoice color, report::SarifLog* log) {
  const Result<Source> source = read_source(path, streams.in);
  if (!source) {
    complain(streams, source.error().message);
    if (log != nullptr) log->add_unreadable(path, source.error().message);
    return std::nullopt;
  }
  lang::Parsed parsed = lang::parse(*source);
  if (!parsed.model) {
    streams.err << diag::render(*source, parsed.diagnostics, color_of_err(streams, color))
                << std::flush;
    if (log != nullptr) log->add(*source, parsed.diagnostics);
    return std::nullopt;
  }
  return ReadModel{.model = *std::move(parsed.model), .text = fnv1a(source->text)};
}

// We throw nothing; what the standard library throws ends here.
int run(std::span<const std::string> args, std::istream& in, std::ostream& out, std::ostream& err,
        const Environment& environment) {
  const Streams streams{.in = in, .out = out, .err = err, .environment = environment};
  try {
    return static_cast<int>(status_of(args, streams));
  } catch (const std::bad_alloc&) {
    complain(streams, "out of memory");
    return static_cast<int>(Status::LimitReached);
  } catch (const std::exception& error) {
    complain(streams, fmt::format("internal error: {}", error.what()));
    return static_cast<int>(Status::Wrong);
  }
}

}  // namespace poise::cli
