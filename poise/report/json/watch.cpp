#include "poise/report/json/watch.h"

#include <span>
#include <vector>

#include <fmt/format.h>

#include "poise/json/writer.h"

namespace poise::report {

using model::Model;
using watch::Kind;
using watch::Occurrence;

namespace {

std::string names_json(const Model& model, std::span<const model::RuleId> rules) {
  std::vector<std::string> names;
  for (const model::RuleId rule : rules) names.push_back(json::quoted(model.rules[rule].name));
  return json::list(names);
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
  for (const Kind kind : kFaultKinds) {
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

}  // namespace poise::report
