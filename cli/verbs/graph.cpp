#include <chrono>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "cli/io/graphviz.h"
#include "cli/options/words.h"
#include "cli/verbs/verbs.h"
#include "poise/check/check.h"
#include "poise/report/dot/dot.h"

namespace poise::cli {

namespace {

constexpr std::chrono::milliseconds kTimeToDraw = std::chrono::minutes(1);

// The options of a call, as typed values.
struct GraphSettings {
  GraphFormat format = GraphFormat::Dot;
  ColorChoice color = ColorChoice::Auto;
  std::optional<std::chrono::milliseconds> time_limit;
};

Result<GraphFormat> format_of(const GraphCall& call) {
  if (call.format) return graph_format_from(*call.format);
  if (call.output.empty()) return GraphFormat::Dot;
  return graph_format_of_file(call.output);
}

Result<GraphSettings> graph_settings_from(const GraphCall& call) {
  const Result<GraphFormat> format = format_of(call);
  if (!format) return Failure(format.error());
  const Result<ColorChoice> color = color_from(call.color);
  if (!color) return Failure(color.error());
  GraphSettings settings{.format = *format, .color = *color, .time_limit = std::nullopt};
  if (call.time_limit) {
    const Result<std::chrono::milliseconds> limit = duration_from("--time-limit", *call.time_limit);
    if (!limit) return Failure(limit.error());
    settings.time_limit = *limit;
  }
  return settings;
}

}  // namespace

Result<Status> graph(const GraphCall& call, const Streams& streams) {
  const Result<GraphSettings> settings = graph_settings_from(call);
  if (!settings) return Failure(settings.error());
  const std::optional<model::Model> model = model_from(call.model, streams, settings->color);
  if (!model) return Status::Wrong;

  Status status = Status::NothingFound;
  std::string text;
  if (call.faults) {
    check::Options options;
    options.limits.time = settings->time_limit;
    options.explain = check::Explain::Nothing;
    const check::Report report = check::run(*model, options);
    if (!report.extent.stopped.empty()) {
      complain(streams, fmt::format("{}: {}", call.model, report.extent.stopped));
      status = Status::LimitReached;
    }
    text = report::graph_dot(*model, report);
  } else {
    text = report::graph_dot(*model);
  }

  if (settings->format == GraphFormat::Svg) {
    Result<std::optional<std::string>> svg =
        svg_of(text, settings->time_limit.value_or(kTimeToDraw));
    if (!svg) return Failure(svg.error());
    if (!*svg) {
      complain(streams,
               "the time was not enough to draw the model\n"
               "`--time-limit` gives more, and `--format dot` leaves the drawing to you");
      return Status::LimitReached;
    }
    text = **std::move(svg);
  }
  Output output(streams.out, call.output);
  output.write(text);
  const Result<void> written = output.finish();
  if (!written) return Failure(written.error());
  return status;
}

}  // namespace poise::cli
