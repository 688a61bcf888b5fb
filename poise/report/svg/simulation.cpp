#include "poise/report/svg/simulation.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/report/verify_words.h"
#include "poise/report/xml.h"

namespace poise::report {

using model::Model;
using verify::Counterexample;
using verify::Observed;

namespace {

// Both axes go from 0 to `most_`, a probability.
class Scatter {
 public:
  Scatter(const Model& model, const verify::Report& report) : model_(model), report_(report) {
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
  static constexpr double kNear = 64;  // from the lower left corner to the axes, in pixels
  static constexpr double kFar = 24;

  // The next 1, 2 or 5 times a power of ten, at most 1.
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

  // With its confidence interval as a line, and its path as a tooltip.
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
               xml_escaped(model_.world.failures[example.failure].name),
               xml_escaped(joined(rules, " ")));
  }

  const Model& model_;
  const verify::Report& report_;
  double most_ = 1;
};

}  // namespace

std::string simulation_svg(const Model& model, const verify::Report& report) {
  return Scatter(model, report).svg();
}

}  // namespace poise::report
