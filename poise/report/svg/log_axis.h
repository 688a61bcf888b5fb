#pragma once

// A logarithmic axis of probabilities: from one power of ten to another, with ticks at round ones.

#include <string>
#include <vector>

namespace poise::report {

struct LogAxis {
  int from = -3;  // exponents of ten
  int to = 0;     // more than `from`
};

// The least axis that has these values and labels at both ends; values that are not positive are
// left out. It has at least a decade and at most kMostDecades, of which the greatest values decide.
inline constexpr int kMostDecades = 18;
[[nodiscard]] LogAxis log_axis(const std::vector<double>& values);

// Where a value stands: 0 is the lower end, 1 the upper one. What is beyond, or not positive,
// stands at an end.
[[nodiscard]] double place_on(const LogAxis& axis, double value);

struct LogTick {
  int exponent = 0;
  std::string label;  // "1e-6"; empty where labels would be too many
};
// One for each decade. At most seven have labels: all of them, or every second, third and so on.
[[nodiscard]] std::vector<LogTick> ticks_of(const LogAxis& axis);

}  // namespace poise::report
