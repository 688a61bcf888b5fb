#include "bench/common/plot.h"

#include <algorithm>

#include <fmt/format.h>

namespace poise::bench {

namespace {

constexpr double kWidth = 420;
constexpr double kHeight = 300;
constexpr double kLeft = 52;
constexpr double kRight = 16;
constexpr double kTop = 34;
constexpr double kBottom = 44;

class Drawing {
 public:
  Drawing(const Chart& chart, double offset) : chart_(chart), offset_(offset) {}

  std::string svg() const {
    std::string text = frame();
    for (const Series& series : chart_.series) text += band(series);
    for (const Series& series : chart_.series) text += line(series);
    return text + legend();
  }

 private:
  [[nodiscard]] double x(double value) const {
    const auto [low, high] = std::ranges::minmax(chart_.x);
    return offset_ + kLeft + (value - low) / (high - low) * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double y(double value) const {
    const double share =
        (std::clamp(value, chart_.low, chart_.high) - chart_.low) / (chart_.high - chart_.low);
    return kTop + (1 - share) * (kHeight - kTop - kBottom);
  }

  [[nodiscard]] std::string frame() const {
    std::string text = fmt::format(
        "<text x=\"{:.1f}\" y=\"20\" font-weight=\"bold\">{}</text>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n"
        "<text transform=\"translate({:.1f},{:.1f}) rotate(-90)\" "
        "text-anchor=\"middle\">{}</text>\n",
        offset_ + kLeft, chart_.title, offset_ + (kLeft + kWidth - kRight) / 2, kHeight - 8,
        chart_.x_label, offset_ + 14, (kTop + kHeight - kBottom) / 2, chart_.y_label);
    constexpr int kSteps = 5;
    for (int i = 0; i <= kSteps; ++i) {
      const double value = chart_.low + (chart_.high - chart_.low) * i / kSteps;
      text += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>"
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.2f}</text>\n",
          x(chart_.x.front()), y(value), x(chart_.x.back()), y(value), x(chart_.x.front()) - 6,
          y(value) + 4, value);
    }
    for (const double value : chart_.x) {
      text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:g}</text>\n",
                          x(value), kHeight - kBottom + 16, value);
    }
    return text;
  }

  [[nodiscard]] std::string band(const Series& series) const {
    if (series.spread.empty()) return "";
    std::string points;
    for (std::size_t i = 0; i < chart_.x.size(); ++i) {
      points += fmt::format("{:.1f},{:.1f} ", x(chart_.x[i]), y(series.mean[i] + series.spread[i]));
    }
    for (std::size_t i = chart_.x.size(); i-- > 0;) {
      points += fmt::format("{:.1f},{:.1f} ", x(chart_.x[i]), y(series.mean[i] - series.spread[i]));
    }
    return fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.12\"/>\n", points,
                       series.color);
  }

  [[nodiscard]] std::string line(const Series& series) const {
    std::string points;
    for (std::size_t i = 0; i < chart_.x.size(); ++i) {
      points += fmt::format("{:.1f},{:.1f} ", x(chart_.x[i]), y(series.mean[i]));
    }
    return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                       points, series.color);
  }

  [[nodiscard]] std::string legend() const {
    std::string text;
    double place = kHeight - kBottom - 8 - 16.0 * static_cast<double>(chart_.series.size() - 1);
    for (const Series& series : chart_.series) {
      const double left = offset_ + kWidth - kRight - 150;
      text += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
          "stroke-width=\"2\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
          left, place - 4, left + 18, place - 4, series.color, left + 24, place, series.name);
      place += 16;
    }
    return text;
  }

  const Chart& chart_;
  double offset_;
};

}  // namespace

std::string svg(const std::vector<Chart>& charts) {
  const double width = kWidth * static_cast<double>(charts.size());
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, kHeight);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    text += Drawing(charts[i], kWidth * static_cast<double>(i)).svg();
  }
  return text + "</svg>\n";
}

}  // namespace poise::bench
