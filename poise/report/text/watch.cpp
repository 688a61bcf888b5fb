#include "poise/report/text/watch.h"

#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/report/text/layout.h"

namespace poise::report {

using model::Model;
using watch::Kind;
using watch::Occurrence;

namespace {

std::string nanoseconds_text(double time) {
  if (time < 1e3) return fmt::format("{:.0f} ns", time);
  if (time < 1e6) return fmt::format("{:.1f} µs", time / 1e3);
  return fmt::format("{:.1f} ms", time / 1e6);
}

}  // namespace

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
  for (const Kind kind : kFaultKinds) {
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
