#include "poise/report/text/simulation.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/report/text/layout.h"
#include "poise/report/verify_words.h"

namespace poise::report {

using model::Model;
using verify::Counterexample;
using verify::Observed;
using verify::Simulation;

namespace {

// Whether the interval of the observation and that of the prediction overlap.
bool agrees(const Observed& observed, const verify::Likelihood& predicted) {
  return predicted.value + predicted.error >= observed.low &&
         predicted.value - predicted.error <= observed.high;
}

// "r0 ×3, r1". If it does not fit, parts before the last are left out: the last one is where it
// fails.
std::string path_text(const Model& model, const std::vector<model::RuleId>& path,
                      std::size_t room) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < path.size();) {
    std::size_t same = 1;
    while (i + same < path.size() && path[i + same] == path[i]) ++same;
    const std::string& rule = model.rules[path[i]].name;
    parts.push_back(same == 1 ? rule : fmt::format("{} ×{}", rule, same));
    i += same;
  }
  std::string text = joined(parts, ", ");
  for (std::size_t left = parts.size(); display_width(text) > room && left > 2; --left) {
    const std::vector<std::string> kept(parts.begin(),
                                        parts.begin() + static_cast<std::ptrdiff_t>(left - 2));
    text = fmt::format("{}{}…, {}", joined(kept, ", "), kept.empty() ? "" : ", ", parts.back());
  }
  return text;
}

std::string replays_text(const Model& model, const verify::Report& report,
                         const SimulationTextOptions& options) {
  const Simulation& simulation = *report.simulation;
  constexpr std::size_t kFigures = 50;  // columns to the right of the path
  const std::size_t room = std::max<std::size_t>(20, options.width - kFigures - 6);
  std::vector<std::string> paths;
  std::size_t widest = 4;
  for (const Counterexample& example : report.counterexamples) {
    paths.push_back(path_text(model, example.path, room));
    widest = std::max(widest, display_width(paths.back()));
  }
  std::string text = fmt::format("    {}  predicted  observed   {:g} %\n", padded("path", widest),
                                 simulation.confidence * 100);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto& predicted = report.counterexamples[i].probability;
    const Observed& observed = simulation.replays[i];
    text += fmt::format("    {}  {:<9}  {:<9}  {} to {}", padded(paths[i], widest),
                        predicted ? figure(predicted->value) : "-",
                        figure(frequency(simulation, observed.hits)), figure(observed.low),
                        figure(observed.high));
    if (predicted && !agrees(observed, *predicted)) {
      text += "  " + tinted("not as predicted", Tint::Mild, options.color);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string simulation_text(const Model& model, const verify::Report& report,
                            const SimulationTextOptions& options) {
  const Simulation& simulation = *report.simulation;
  const auto many = [](std::uint64_t count) {
    return with_commas(Integer(static_cast<std::int64_t>(count)));
  };
  std::string text;
  if (!report.counterexamples.empty()) {
    text += fmt::format("{}, {} runs each\n",
                        tinted("counterexamples in simulation", Tint::Strong, options.color),
                        many(simulation.runs));
    text += replays_text(model, report, options) + "\n";
  }
  text += fmt::format("{}: {} of {} fail within {}",
                      tinted("random runs", Tint::Strong, options.color), many(simulation.failed),
                      many(simulation.runs), counted(simulation.bound, "step"));
  if (simulation.stuck > 0) {
    text += fmt::format(
        "; {} ended early, since no values were found that an action allows, or since constraints "
        "ruled them out",
        many(simulation.stuck));
  }
  text += "\n";
  for (const Simulation::Hit& hit : simulation.hits) {
    text += fmt::format("    {} after {} of {} in {}: {}\n", model.world.failures[hit.failure].name,
                        act_words(model, hit.rule, hit.act), model.rules[hit.rule].name,
                        model.states[hit.state].name, many(hit.runs));
  }
  return text + "\n";
}

}  // namespace poise::report
