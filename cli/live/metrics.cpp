#include "cli/live/metrics.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace poise::cli {

namespace {

void head(std::string& text, std::string_view name, std::string_view type, std::string_view help) {
  text += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

void single(std::string& text, std::string_view name, std::string_view type, std::size_t value,
            std::string_view help) {
  head(text, name, type, help);
  text += fmt::format("{} {}\n", name, value);
}

std::string escaped(std::string_view label) {
  std::string text;
  for (const char c : label) {
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text;
}

// "last 60s", as in a model.
std::string window_text(const watch::Collection& collection) {
  std::string seconds = watch::seconds_text(collection.length);
  if (seconds.ends_with(".0")) seconds.resize(seconds.size() - 2);
  switch (collection.kind) {
    case model::Window::Kind::Latest: return "latest";
    case model::Window::Kind::Last: return fmt::format("last {}s", seconds);
    case model::Window::Kind::Next: return fmt::format("next {}s", seconds);
  }
  return "";
}

double seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

}  // namespace

void Histogram::add(std::chrono::nanoseconds time) {
  const auto bound = std::ranges::lower_bound(kBounds, time.count());
  ++counts_[static_cast<std::size_t>(bound - kBounds.begin())];
  sum_ += time;
}

std::array<std::uint64_t, Histogram::kBounds.size() + 1> Histogram::counts() const {
  auto counts = counts_;
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
  return counts;
}

std::string metrics_text(const Metrics& metrics) {
  const watch::Summary& summary = metrics.monitor.summary();
  std::string text;
  single(text, "poise_events_total", "counter", summary.events, "Lines that were read well.");
  single(text, "poise_adaptations_total", "counter", summary.adaptations, "Rules that fired.");
  head(text, "poise_faults_total", "counter", "Faults, by their kind.");
  for (std::size_t kind = 0; kind < summary.faults.size(); ++kind) {
    text += fmt::format("poise_faults_total{{kind=\"{}\"}} {}\n",
                        watch::name(static_cast<watch::Kind>(kind)), summary.faults[kind]);
  }
  single(text, "poise_skipped_lines_total", "counter", metrics.skipped,
         "Lines that could not be read.");
  single(text, "poise_late_total", "counter", metrics.late, "Lines that came too late.");
  single(text, "poise_instances", "gauge", summary.instances, "Instances of the application.");

  head(text, "poise_event_seconds", "histogram", "How long reading and running a line took.");
  const auto counts = metrics.times.counts();
  for (std::size_t i = 0; i < Histogram::kBounds.size(); ++i) {
    text += fmt::format("poise_event_seconds_bucket{{le=\"{}\"}} {}\n",
                        seconds(Histogram::kBounds[i]), counts[i]);
  }
  text += fmt::format("poise_event_seconds_bucket{{le=\"+Inf\"}} {}\n", counts.back());
  text += fmt::format("poise_event_seconds_sum {}\n", seconds(metrics.times.sum().count()));
  text += fmt::format("poise_event_seconds_count {}\n", counts.back());

  const watch::WatchedModel& watched = metrics.monitor.watched();
  if (watched.collections().empty()) return text;
  head(text, "poise_window_elements", "gauge",
       "Elements in a window, in all instances together, at the time of their last lines.");
  for (const watch::CollectionId id : watched.collections().ids()) {
    const watch::Collection& collection = watched.collection(id);
    text += fmt::format("poise_window_elements{{stream=\"{}\",window=\"{}\"}} {}\n",
                        escaped(watched.model().streams[collection.stream].name),
                        window_text(collection), metrics.monitor.elements(id));
  }
  return text;
}

}  // namespace poise::cli
