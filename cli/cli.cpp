#include "cli/cli.h"

#include <exception>
#include <new>
#include <ostream>
#include <variant>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "cli/options/command_line.h"
#include "cli/verbs/verbs.h"

namespace poise::cli {

namespace {

Result<Status> say(const Say& what, const Streams& streams) {
  Output output(streams.out);
  output.write(readable(what.text, streams.environment.signs));
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

// Poise itself throws nothing; exceptions of the standard library are caught here.
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
