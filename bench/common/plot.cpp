#include "bench/common/plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace poise::bench {

namespace {

constexpr double kWidth = 520;
constexpr double kHeight = 300;
constexpr double kLeft = 62;
constexpr double kRight = 170;  // room for the names of the series
constexpr double kTop = 34;
constexpr double kBottom = 46;
constexpr double kLine = 14;  // between two lines of text

// As many decimals as the step between ticks needs, so that all have the same.
std::string tick_text(double value, const std::vector<double>& ticks) {
  const double step = ticks[1] - ticks[0];
  if (step < 0.99) {
    return fmt::format("{:.{}f}", value, static_cast<int>(std::ceil(-std::log10(step) - 0.01)));
  }
  const auto whole = static_cast<long>(std::lround(value));
  return whole < 1000 ? std::to_string(whole) : fmt::format("{},{:03}", whole / 1000, whole % 1000);
}

class Drawing {
 public:
  Drawing(const Chart& chart, double left, double top)
      : chart_(chart),
        left_(left),
        top_(top),
        x_ticks_(round_ticks(std::min(0.0, chart.x.front()), chart.x.back())),
        y_ticks_(round_ticks(chart.low, chart.high)) {}

  std::string svg() const {
    std::string text = frame();
    for (const Series& series : chart_.series) text += band(series);
    for (const Series& series : chart_.series) text += line(series);
    return text + names();
  }

 private:
  [[nodiscard]] double x(double value) const {
    const double share = (value - x_ticks_.front()) / (x_ticks_.back() - x_ticks_.front());
    return left_ + kLeft + share * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double y(double value) const {
    const double low = y_ticks_.front();
    const double high = y_ticks_.back();
    const double share = (std::clamp(value, low, high) - low) / (high - low);
    return top_ + kTop + (1 - share) * (kHeight - kTop - kBottom);
  }

  [[nodiscard]] std::string frame() const {
    const double bottom = y(y_ticks_.front());
    std::string text = fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n"
        "<text transform=\"translate({:.1f},{:.1f}) rotate(-90)\" "
        "text-anchor=\"middle\">{}</text>\n",
        left_ + kLeft, top_ + 20, chart_.title, left_ + (kLeft + kWidth - kRight) / 2,
        top_ + kHeight - 8, chart_.x_label, left_ + 14, top_ + (kTop + kHeight - kBottom) / 2,
        chart_.y_label);
    for (const double value : y_ticks_) {
      text += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>"
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
          x(x_ticks_.front()), y(value), x(x_ticks_.back()), y(value), x(x_ticks_.front()) - 8,
          y(value) + 4, tick_text(value, y_ticks_));
    }
    for (const double value : x_ticks_) {
      text += fmt::format(
          "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#666\"/>"
          "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
          x(value), bottom, bottom + 4, bottom + 17, tick_text(value, x_ticks_));
    }
    return text + fmt::format(
                      "<path d=\"M{:.1f},{:.1f} V{:.1f} H{:.1f}\" fill=\"none\" "
                      "stroke=\"#666\"/>\n",
                      x(x_ticks_.front()), y(y_ticks_.back()), bottom, x(x_ticks_.back()));
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
    std::string dots;
    for (std::size_t i = 0; i < chart_.x.size(); ++i) {
      const double across = x(chart_.x[i]);
      const double down = y(series.mean[i]);
      points += fmt::format("{:.1f},{:.1f} ", across, down);
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>", across,
                          down, series.color);
    }
    return fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>{}\n", points,
        series.color, dots);
  }

  // Each name at the height where its line ends, moved where two would overlap.
  [[nodiscard]] std::string names() const {
    struct Name {
      const Series* series;
      double end;
      double place;
    };
    std::vector<Name> names;
    for (const Series& series : chart_.series) {
      const double end = y(series.mean.back());
      names.push_back({&series, end, end});
    }
    std::ranges::stable_sort(names, {}, &Name::end);
    for (std::size_t i = 1; i < names.size(); ++i) {
      names[i].place = std::max(names[i].place, names[i - 1].place + kLine);
    }
    double lowest = top_ + kHeight - kBottom;
    for (std::size_t i = names.size(); i-- > 0; lowest -= kLine) {
      names[i].place = std::min(names[i].place, lowest);
    }
    std::string text;
    const double from = x(chart_.x.back());
    const double to = x(x_ticks_.back()) + 14;
    for (const Name& name : names) {
      text += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
          "stroke-dasharray=\"2,2\"/><text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n",
          from + 3, name.end, to, name.place, name.series->color, to + 3, name.place + 4,
          name.series->color, name.series->name);
    }
    return text;
  }

  const Chart& chart_;
  double left_;
  double top_;
  std::vector<double> x_ticks_;
  std::vector<double> y_ticks_;
};

}  // namespace

std::vector<double> round_ticks(double low, double high) {
  constexpr double kAbout = 5;
  constexpr double kLittle = 1e-9;  // of rounding, which must not cost a tick
  const double wanted = (high - low) / kAbout;
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  double step = 10 * power;
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= wanted * (1 - kLittle)) {
      step = times * power;
      break;
    }
  }
  std::vector<double> ticks;
  const auto first = static_cast<long>(std::floor(low / step + kLittle));
  const auto last = static_cast<long>(std::ceil(high / step - kLittle));
  for (long i = first; i <= last; ++i) ticks.push_back(static_cast<double>(i) * step);
  return ticks;
}

std::string svg(const std::vector<std::vector<Chart>>& rows) {
  std::size_t columns = 0;
  for (const std::vector<Chart>& row : rows) columns = std::max(columns, row.size());
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      kWidth * static_cast<double>(columns), kHeight * static_cast<double>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      text += Drawing(rows[i][j], kWidth * static_cast<double>(j), kHeight * static_cast<double>(i))
                  .svg();
    }
  }
  return text + "</svg>\n";
}

}  // namespace poise::bench
