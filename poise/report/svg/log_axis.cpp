#include "poise/report/svg/log_axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace poise::report {

namespace {

// The logarithm, where a power of ten that was rounded is still one.
double decades(double value) {
  const double log = std::log10(value);
  return std::abs(log - std::round(log)) < 1e-9 ? std::round(log) : log;
}

// Which decades have labels, so that there are at most seven: multiples of this.
int labelled(const LogAxis& axis) {
  constexpr int kMostLabels = 7;
  int every = 1;
  while ((axis.to - axis.from) / every + 1 > kMostLabels) ++every;
  return every;
}

// The greatest multiple of `step` that is not above the number.
int floor_to(int number, int step) {
  const int rest = number % step;
  return rest < 0 ? number - rest - step : number - rest;
}

std::string power_text(int exponent) { return exponent == 0 ? "1" : fmt::format("1e{}", exponent); }

}  // namespace

LogAxis log_axis(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) {
    if (value > 0) logs.push_back(decades(value));
  }
  if (logs.empty()) return {};
  const auto [least, greatest] = std::ranges::minmax(logs);
  LogAxis axis{.from = static_cast<int>(std::floor(least)),
               .to = static_cast<int>(std::ceil(greatest))};
  if (axis.from == axis.to) --axis.from;
  axis.from = std::max(axis.from, axis.to - kMostDecades);
  const int every = labelled(axis);
  return {.from = floor_to(axis.from, every), .to = -floor_to(-axis.to, every)};
}

double place_on(const LogAxis& axis, double value) {
  if (value <= 0) return 0;
  return std::clamp((decades(value) - axis.from) / (axis.to - axis.from), 0.0, 1.0);
}

std::vector<LogTick> ticks_of(const LogAxis& axis) {
  const int every = labelled(axis);
  std::vector<LogTick> ticks;
  for (int exponent = axis.from; exponent <= axis.to; ++exponent) {
    ticks.push_back({exponent, exponent % every == 0 ? power_text(exponent) : ""});
  }
  return ticks;
}

}  // namespace poise::report
