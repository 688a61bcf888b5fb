#include "cli/verbs/verbs.h"

#include <ostream>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "poise/base/hash.h"
#include "poise/diag/render.h"
#include "poise/lang/lang.h"

namespace poise::cli {

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
  Result<Source> source = read_source(path, streams.in);
  if (!source) {
    complain(streams, source.error().message);
    if (log != nullptr) log->add_unreadable(path, source.error().message);
    return std::nullopt;
  }
  lang::Parsed parsed = lang::parse(*source);
  if (!parsed.model) {
    streams.err << rendered(*source, parsed.diagnostics, streams, color) << std::flush;
    if (log != nullptr) log->add(*source, parsed.diagnostics);
    return std::nullopt;
  }
  const std::uint64_t hash = fnv1a(source->text);
  return ReadModel{
      .model = *std::move(parsed.model), .source = std::move(source->text), .text = hash};
}

}  // namespace poise::cli
