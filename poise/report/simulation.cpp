#include "poise/report/simulation.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/json/writer.h"
#include "poise/report/text/layout.h"
#include "poise/report/verify_words.h"

namespace poise::report {

using model::Model;
using verify::Counterexample;
using verify::Observed;
using verify::Report;
using verify::Simulation;

namespace {

double frequency(const Simulation& simulation, std::uint64_t hits) {
  return simulation.runs == 0 ? 0
                              : static_cast<double>(hits) / static_cast<double>(simulation.runs);
}

// What is predicted is known only so well.
bool agrees(const Observed& observed, const verify::Likelihood& predicted) {
  return predicted.value + predicted.error >= observed.low &&
         predicted.value - predicted.error <= observed.high;
}

// ---- Text ----

// "r0 ×3, r1"; what does not fit is left out before its end, which is where it fails.
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

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return text + std::string(used < width ? width - used : 0, ' ');
}

std::string figure(double value) { return fmt::format("{:.3g}", value); }

std::string replays_text(const Model& model, const Report& report,
                         const SimulationTextOptions& options) {
  const Simulation& simulation = *report.simulation;
  constexpr std::size_t kFigures = 50;  // columns behind the path
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

// ---- JSON ----

std::string json_double(double value) { return fmt::format("{:.6g}", value); }

std::string json_replay(const Model& model, const Report& report, std::size_t i) {
  const Counterexample& example = report.counterexamples[i];
  const Simulation& simulation = *report.simulation;
  const Observed& observed = simulation.replays[i];
  json::Object object;
  object.add_number("counterexample", i);
  object.add_text("failure", model.world.failures[example.failure].name);
  object.add("predicted", example.probability ? json_double(example.probability->value) : "null");
  object.add_number("hits", observed.hits);
  object.add("observed",
             simulation.runs == 0 ? "null" : json_double(frequency(simulation, observed.hits)));
  object.add("low", json_double(observed.low));
  object.add("high", json_double(observed.high));
  return object.json();
}

std::string json_hit(const Model& model, const Simulation::Hit& hit) {
  json::Object object;
  object.add_text("failure", model.world.failures[hit.failure].name);
  object.add_text("state", model.states[hit.state].name);
  object.add_text("rule", model.rules[hit.rule].name);
  object.add_text("action", act_name(model, hit.rule, hit.act));
  object.add_number("occurrence", hit.act);
  object.add_number("runs", hit.runs);
  return object.json();
}

// ---- The picture ----

// Probabilities from 0 to `most` on both axes.
class Scatter {
 public:
  Scatter(const Model& model, const Report& report) : model_(model), report_(report) {
    double greatest = 0;
    for (std::size_t i = 0; i < report.counterexamples.size(); ++i) {
      if (!report.counterexamples[i].probability) continue;
      greatest = std::max({greatest, report.counterexamples[i].probability->value,
                           report.simulation->replays[i].high});
    }
    most_ = round_up(greatest);
  }

  [[nodiscard]] std::string svg() const {
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\" width=\"{0}\" "
        "height=\"{0}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0}\" height=\"{0}\" fill=\"#fff\"/>\n",
        kSize);
    text += axes();
    for (std::size_t i = 0; i < report_.counterexamples.size(); ++i) text += point(i);
    return text + "</svg>\n";
  }

 private:
  static constexpr double kSize = 480;
  static constexpr double kNear = 64;  // from the lower left corner to the axes
  static constexpr double kFar = 24;

  // 1, 2 or 5 times a power of ten.
  static double round_up(double value) {
    if (value <= 0) return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double times : {1.0, 2.0, 5.0}) {
      if (value <= times * power * (1 + 1e-9)) return std::min(1.0, times * power);
    }
    return std::min(1.0, 10 * power);
  }

  [[nodiscard]] double x(double probability) const {
    return kNear + std::clamp(probability / most_, 0.0, 1.0) * (kSize - kNear - kFar);
  }
  [[nodiscard]] double y(double probability) const { return kSize - x(probability); }

  [[nodiscard]] std::string line(double from_x, double from_y, double to_x, double to_y,
                                 std::string_view stroke) const {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n",
        x(from_x), y(from_y), x(to_x), y(to_y), stroke);
  }

  [[nodiscard]] std::string axes() const {
    std::string text;
    constexpr int kParts = 5;
    for (int i = 0; i <= kParts; ++i) {
      const double value = most_ * i / kParts;
      text += line(0, value, most_, value, "#ddd") + line(value, 0, value, most_, "#ddd");
      text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3g}</text>\n",
                          x(0) - 6, y(value) + 4, value);
      text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.3g}</text>\n",
                          x(value), y(0) + 18, value);
    }
    text += line(0, 0, most_, most_, "#888");
    const double middle = (kNear + kSize - kFar) / 2;
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">predicted</text>\n",
                        middle, kSize - 16);
    text += fmt::format(
        "<text transform=\"translate(16,{:.1f}) rotate(-90)\" text-anchor=\"middle\">observed in "
        "{} runs</text>\n",
        kSize - middle, report_.simulation->runs);
    return text;
  }

  // With its interval, and the path for whoever points at it.
  [[nodiscard]] std::string point(std::size_t i) const {
    const Counterexample& example = report_.counterexamples[i];
    if (!example.probability) return "";
    const Observed& observed = report_.simulation->replays[i];
    const double predicted = example.probability->value;
    std::vector<std::string> rules;
    for (const model::RuleId rule : example.path) rules.push_back(model_.rules[rule].name);
    return line(predicted, observed.low, predicted, observed.high, "#c0392b") +
           fmt::format(
               "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"#c0392b\"><title>{} "
               "{}</title></circle>\n",
               x(predicted), y(frequency(*report_.simulation, observed.hits)),
               escaped(model_.world.failures[example.failure].name), escaped(joined(rules, " ")));
  }

  static std::string escaped(std::string_view text) {
    std::string made;
    for (const char c : text) {
      switch (c) {
        case '&': made += "&amp;"; break;
        case '<': made += "&lt;"; break;
        case '>': made += "&gt;"; break;
        default: made += c;
      }
    }
    return made;
  }

  const Model& model_;
  const Report& report_;
  double most_ = 1;
};

}  // namespace

std::string simulation_text(const Model& model, const Report& report,
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
        "; {} ended early, since no values were found that the constraints or an action allow",
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

std::string simulation_json(const Model& model, const Report& report) {
  const Simulation& simulation = *report.simulation;
  std::vector<std::string> replays;
  for (std::size_t i = 0; i < simulation.replays.size(); ++i) {
    replays.push_back(json_replay(model, report, i));
  }
  std::vector<std::string> hits;
  for (const Simulation::Hit& hit : simulation.hits) hits.push_back(json_hit(model, hit));
  json::Object random;
  random.add_number("steps", simulation.bound);
  random.add_number("failed", simulation.failed);
  random.add_number("stuck", simulation.stuck);
  random.add("hazards", json::lines(hits, 8));
  std::string json = fmt::format("{{\n    \"runs\": {},\n    \"confidence\": {:g}", simulation.runs,
                                 simulation.confidence);
  json += fmt::format(",\n    \"replays\": {}", json::lines(replays, 6));
  json += fmt::format(",\n    \"random\": {}", random.json());
  return json + "\n  }";
}

std::string simulation_svg(const Model& model, const Report& report) {
  return Scatter(model, report).svg();
}

}  // namespace poise::report
