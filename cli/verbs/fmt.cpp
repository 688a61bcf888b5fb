#include <algorithm>
#include <optional>
#include <ostream>
#include <string>

#include "cli/io/files.h"
#include "cli/options/words.h"
#include "cli/verbs/verbs.h"
#include "poise/lang/format.h"
#include "poise/lang/lang.h"
#include "poise/lang/parser.h"

namespace poise::cli {

namespace {

// Only syntax errors: a file that uses an unknown name can be laid out all the same.
diag::Diagnostics mistakes(const Source& source) {
  if (source.text.size() > lang::kMaxFileSize) return lang::parse(source).diagnostics;
  return lang::parse_tree(source.text).diagnostics;
}

// A file and its canonical text.
struct Laid {
  Source source;
  std::string canonical;
};

std::optional<Laid> laid_out(const std::string& path, const Streams& streams, ColorChoice color) {
  Result<Source> source = read_source(path, streams.in);
  if (!source) {
    complain(streams, source.error().message);
    return std::nullopt;
  }
  const diag::Diagnostics wrong = mistakes(*source);
  std::optional<std::string> canonical;
  if (wrong.empty()) canonical = lang::format(source->text);
  if (!canonical) {
    streams.err << rendered(*source, wrong, streams, color) << std::flush;
    return std::nullopt;
  }
  return Laid{.source = std::move(*source), .canonical = std::move(*canonical)};
}

// Prints, rewrites or compares one file, as the call asks.
Status treat(const FmtCall& call, const Streams& streams, const Laid& laid, Output& output) {
  const bool changed = laid.source.text != laid.canonical;
  if (call.check) {
    if (!changed) return Status::NothingFound;
    output.write(laid.source.name + "\n");
    return Status::Found;
  }
  if (!call.write) {
    output.write(laid.canonical);
  } else if (changed) {
    const Result<void> written = replace_file(laid.source.name, laid.canonical);
    if (!written) {
      complain(streams, written.error().message);
      return Status::Wrong;
    }
  }
  return Status::NothingFound;
}

}  // namespace

Result<Status> fmt(const FmtCall& call, const Streams& streams) {
  const Result<ColorChoice> color = color_from(call.color);
  if (!color) return Failure(color.error());
  const auto inputs = std::ranges::count(call.files, "-");
  if (inputs > 1) return failure("standard input can be read only once");
  if (inputs > 0 && call.write) return failure("--write cannot rewrite standard input");

  Output output(streams.out);
  Status status = Status::NothingFound;
  for (const std::string& path : call.files) {
    const std::optional<Laid> laid = laid_out(path, streams, *color);
    status = worse(status, laid ? treat(call, streams, *laid, output) : Status::Wrong);
  }
  const Result<void> written = output.finish();
  if (!written) return Failure(written.error());
  return status;
}

}  // namespace poise::cli
