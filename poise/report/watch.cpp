#include "poise/report/watch.h"

#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/json/writer.h"
#include "poise/report/text/layout.h"

namespace poise::report {

using model::Model;
using watch::Kind;
using watch::Occurrence;

namespace {

constexpr Kind kFaults[] = {Kind::Nondeterminism, Kind::Race, Kind::Cycle};

std::string names_json(const Model& model, std::span<const model::RuleId> rules) {
  std::vector<std::string> names;
  for (const model::RuleId rule : rules) names.push_back(json::quoted(model.rules[rule].name));
  return json::list(names);
}

std::string nanoseconds_text(double time) {
  if (time < 1e3) return fmt::format("{:.0f} ns", time);
  if (time < 1e6) return fmt::format("{:.1f} µs", time / 1e3);
  return fmt::format("{:.1f} ms", time / 1e6);
}

}  // namespace

std::string watch_jsonl(const Model& model, const Occurrence& what) {
  json::Object object(256);
  object.add("t", watch::seconds_text(what.time));
  object.add_text("app", what.app);
  object.add_text("kind", watch::name(what.kind));
  const std::string& state = model.states[what.state].name;
  switch (what.kind) {
    case Kind::Nondeterminism:
      object.add_text("state", state);
      object.add("rules", names_json(model, what.rules));
      object.add_text("chosen", model.rules[what.chosen].name);
      break;
    case Kind::Race:
      object.add_text("state", state);
      object.add("path", names_json(model, what.rules));
      object.add_text("ends", model.states[what.to].name);
      break;
    case Kind::Cycle:
      object.add_text("state", state);
      object.add("path", names_json(model, what.rules));
      object.add_number("loop", what.loop);
      break;
    case Kind::Adaptation:
      object.add_text("from", state);
      object.add_text("rule", model.rules[what.rules.front()].name);
      object.add_text("to", model.states[what.to].name);
      break;
  }
  return object.json() + "\n";
}

std::string watch_jsonl(const WatchSummary& summary) {
  json::Object object(256);
  object.add_text("kind", "summary");
  object.add_number("events", summary.monitor.events);
  object.add_number("expiries", summary.monitor.expiries);
  object.add_number("instances", summary.monitor.instances);
  object.add_number("adaptations", summary.monitor.adaptations);
  json::Object faults;
  for (const Kind kind : kFaults) {
    faults.add_number(watch::name(kind), summary.monitor.faults[static_cast<std::size_t>(kind)]);
  }
  object.add("faults", faults.json());
  object.add_number("skipped", summary.skipped);
  if (summary.late) object.add_number("late", *summary.late);
  object.add_number("unknown", summary.unknown);
  if (summary.times) {
    json::Object times;
    times.add("median", fmt::format("{:.0f}", summary.times->median));
    times.add("99%", fmt::format("{:.0f}", summary.times->most));
    times.add("maximum", fmt::format("{:.0f}", summary.times->longest));
    object.add("nanoseconds_per_event", times.json());
  }
  return object.json() + "\n";
}

std::string watch_text(const Model& model, const Occurrence& what, diag::Color color) {
  std::string text = fmt::format("{:>10}  ", watch::seconds_text(what.time));
  if (!what.app.empty()) text += fmt::format("{}  ", what.app);
  constexpr std::size_t kRoom = 200;
  if (what.kind == Kind::Adaptation) {
    return text + drawn_path(model, what.state, what.rules, kRoom, color) + "\n";
  }
  text += tinted(watch::name(what.kind), Tint::Serious, color) + "  ";
  if (what.kind == Kind::Nondeterminism) {
    std::vector<std::string> names;
    for (const model::RuleId rule : what.rules) names.push_back(model.rules[rule].name);
    text += fmt::format("in {}: {}; {} fires", model.states[what.state].name, enumerated(names),
                        model.rules[what.chosen].name);
  } else {
    text += drawn_path(model, what.state, what.rules, kRoom, color);
  }
  if (what.kind == Kind::Cycle) text += " ↺";
  return text + "\n";
}

std::string watch_text(const Model& model, const WatchSummary& summary) {
  const watch::Summary& of = summary.monitor;
  std::vector<std::string> faults;
  for (const Kind kind : kFaults) {
    const std::size_t count = of.faults[static_cast<std::size_t>(kind)];
    if (count == 0) continue;
    faults.push_back(kind == Kind::Nondeterminism ? counted(count, "nondeterministic choice")
                                                  : counted(count, watch::name(kind)));
  }
  std::string text = fmt::format(
      "{}: {} in {} and {}\n", model.name, faults.empty() ? "no fault" : joined(faults, ", "),
      counted(of.events, "event"), counted(of.adaptations, "adaptation"));
  std::vector<std::string> more;
  if (of.instances > 1) more.push_back(counted(of.instances, "instance"));
  if (of.expiries > 0) {
    more.push_back(counted(of.expiries, "instant when elements left windows",
                           "instants when elements left windows"));
  }
  if (summary.skipped > 0) {
    more.push_back(counted(summary.skipped, "line was skipped", "lines were skipped"));
  }
  if (summary.late.value_or(0) > 0) {
    more.push_back(counted(*summary.late, "line came too late", "lines came too late"));
  }
  if (summary.times) {
    more.push_back(fmt::format(
        "per event {} (median), {} (99 %), {} (longest)", nanoseconds_text(summary.times->median),
        nanoseconds_text(summary.times->most), nanoseconds_text(summary.times->longest)));
  }
  if (!more.empty()) text += "  " + joined(more, "; ") + "\n";
  return text;
}

}  // namespace poise::report
