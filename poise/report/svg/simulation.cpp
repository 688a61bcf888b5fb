#include "poise/report/svg/simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/report/svg/log_axis.h"
#include "poise/report/verify_words.h"
#include "poise/report/xml.h"

namespace poise::report {

using model::FailureId;
using model::Model;
using verify::Counterexample;
using verify::Observed;

namespace {

// Colours that colour-blind people can tell apart too (Okabe and Ito); more failures than that
// share the last one.
constexpr std::array<std::string_view, 6> kColours = {"#0072b2", "#d55e00", "#009e73",
                                                      "#cc79a7", "#e69f00", "#555555"};

// The plot is square, with the same axis on both sides, so that the diagonal is one; the legend
// stands to the right of it.
class Scatter {
 public:
  Scatter(const Model& model, const verify::Report& report) : model_(model), report_(report) {
    std::vector<double> values;
    for (std::size_t i = 0; i < report.counterexamples.size(); ++i) {
      const Counterexample& example = report.counterexamples[i];
      if (!example.probability) continue;
      shown_.push_back(i);
      const Observed& observed = report.simulation->replays[i];
      values.insert(values.end(), {example.probability->value, observed.high, observed.low,
                                   frequency(*report.simulation, observed.hits)});
      note_failure(example.failure);
    }
    axis_ = log_axis(values);
  }

  [[nodiscard]] std::string svg() const {
    const double height = std::max(kHeight, kTop + kLine * static_cast<double>(legend_lines()));
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
        kWidth, height);
    text += axes();
    for (const std::size_t i : shown_) text += point(i);
    if (shown_.empty()) {
      text += words(kLeft + kSide / 2, kTop + kSide / 2, "middle", "no probabilities to compare");
    }
    return text + legend() + "</svg>\n";
  }

 private:
  static constexpr double kWidth = 720;
  static constexpr double kHeight = 480;
  static constexpr double kLeft = 84;  // of the plot, in pixels
  static constexpr double kTop = 20;
  static constexpr double kSide = 396;
  static constexpr double kLegend = 508;
  static constexpr double kLine = 20;  // of the legend

  void note_failure(FailureId failure) {
    if (std::ranges::find(failures_, failure) == failures_.end()) failures_.push_back(failure);
    std::ranges::sort(failures_);
  }

  [[nodiscard]] std::string_view colour(FailureId failure) const {
    const auto at = std::ranges::find(failures_, failure) - failures_.begin();
    return kColours[std::min(static_cast<std::size_t>(at), kColours.size() - 1)];
  }

  [[nodiscard]] double x(double probability) const {
    return kLeft + place_on(axis_, probability) * kSide;
  }
  [[nodiscard]] double y(double probability) const {
    return kTop + (1 - place_on(axis_, probability)) * kSide;
  }

  static std::string line(double from_x, double from_y, double to_x, double to_y,
                          std::string_view stroke, std::string_view more = "") {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"{}/>\n", from_x,
        from_y, to_x, to_y, stroke, more);
  }

  // From its lower to its upper end, which has a bar.
  static std::string interval(double x, double low, double high, std::string_view colour) {
    constexpr std::string_view kFaint = " stroke-opacity=\"0.55\"";
    return line(x, low, x, high, colour, kFaint) + line(x - 3, high, x + 3, high, colour, kFaint);
  }

  static std::string words(double x, double y, std::string_view anchor, std::string_view text) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                       anchor, xml_escaped(std::string(text)));
  }

  // A point is filled if it was seen, and a ring at the lower edge if it never was.
  static std::string mark(double x, double y, std::string_view colour, bool seen,
                          const std::string& title) {
    return fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\" stroke=\"{}\" "
        "stroke-width=\"1.5\"{}\n",
        x, y, seen ? colour : "#fff", colour,
        title.empty() ? "/>" : fmt::format("><title>{}</title></circle>", xml_escaped(title)));
  }

  [[nodiscard]] std::string axes() const {
    const double bottom = kTop + kSide;
    std::string text;
    for (const LogTick& tick : ticks_of(axis_)) {
      const double value = std::pow(10, tick.exponent);
      const std::string_view stroke = tick.label.empty() ? "#eee" : "#ccc";
      text += line(kLeft, y(value), kLeft + kSide, y(value), stroke);
      text += line(x(value), kTop, x(value), bottom, stroke);
      if (tick.label.empty()) continue;
      text += words(kLeft - 8, y(value) + 4.5, "end", tick.label);
      text += words(x(value), bottom + 19, "middle", tick.label);
    }
    text += line(kLeft, bottom, kLeft + kSide, kTop, "#999", " stroke-dasharray=\"5 4\"");
    text +=
        words(kLeft + kSide / 2, bottom + 46, "middle", "predicted probability of a path, per run");
    text += fmt::format(
        "<text transform=\"translate(20,{:.1f}) rotate(-90)\" text-anchor=\"middle\">observed "
        "share "
        "of {} runs</text>\n",
        kTop + kSide / 2, report_.simulation->runs);
    return text;
  }

  [[nodiscard]] std::string point(std::size_t i) const {
    const Counterexample& example = report_.counterexamples[i];
    const Observed& observed = report_.simulation->replays[i];
    const double predicted = example.probability->value;
    const double share = frequency(*report_.simulation, observed.hits);
    std::vector<std::string> rules;
    for (const model::RuleId rule : example.path) rules.push_back(model_.rules[rule].name);
    const std::string title =
        fmt::format("{}: {}; predicted {:.3g}, observed {:.3g} ({:.2g} to {:.2g})",
                    model_.world.failures[example.failure].name, joined(rules, " "), predicted,
                    share, observed.low, observed.high);
    const std::string_view of = colour(example.failure);
    return interval(x(predicted), y(observed.low), y(observed.high), of) +
           mark(x(predicted), y(share), of, observed.hits > 0, title);
  }

  // ---- The legend ----

  [[nodiscard]] std::size_t legend_lines() const { return failures_.size() + kExplained; }
  static constexpr std::size_t kExplained = 8;  // lines below the names of failures, with a gap

  // A name that is too long for its place is cut.
  static std::string fitting(const std::string& name) {
    constexpr std::size_t kMost = 24;
    return name.size() <= kMost ? name : name.substr(0, kMost - 1) + "…";
  }

  [[nodiscard]] std::string legend() const {
    std::string text;
    double at = kTop + 10;
    for (const FailureId failure : failures_) {
      text += mark(kLegend, at - 4, colour(failure), true, "");
      text += words(kLegend + 16, at, "start", fitting(model_.world.failures[failure].name));
      at += kLine;
    }
    at += kLine / 2;
    const auto explain = [&](std::string_view first, std::string_view second = "") {
      text += words(kLegend + 16, at, "start", first);
      at += kLine;
      if (second.empty()) return;
      text += words(kLegend + 16, at - 4, "start", second);
      at += kLine;
    };
    text += interval(kLegend, at + 4, at - 12, "#555");
    explain(fmt::format("{:g} % interval", 100 * report_.simulation->confidence));
    text += mark(kLegend, at - 4, "#555", false, "");
    explain("never seen in these runs:", "drawn at the lower edge");
    text += line(kLegend - 8, at - 4, kLegend + 8, at - 4, "#999", " stroke-dasharray=\"5 4\"");
    explain("as often as predicted");
    return text;
  }

  const Model& model_;
  const verify::Report& report_;
  std::vector<std::size_t> shown_;  // counterexamples with a probability
  std::vector<FailureId> failures_;
  LogAxis axis_;
};

}  // namespace

std::string simulation_svg(const Model& model, const verify::Report& report) {
  return Scatter(model, report).svg();
}

}  // namespace poise::report
