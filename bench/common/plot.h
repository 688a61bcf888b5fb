#pragma once

// Small charts as SVG: lines over a common axis, each with its name beside its end and with its
// spread as a band. Axes begin and end at round numbers.

#include <string>
#include <vector>

namespace poise::bench {

struct Series {
  std::string name;
  std::string color;
  std::vector<double> mean;
  std::vector<double> spread;  // the band is mean ± spread; may be empty
};

struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<double> x;  // common to all series
  std::vector<Series> series;
  // Ends of the y axis, moved outwards to round numbers; values beyond are cut.
  double low = 0;
  double high = 1;
};

// About four round numbers (1, 2 or 5 times a power of ten apart) that reach from `low` or below it
// to `high` or beyond.
[[nodiscard]] std::vector<double> round_ticks(double low, double high);

// One picture with the charts of each row side by side.
[[nodiscard]] std::string svg(const std::vector<std::vector<Chart>>& rows);

}  // namespace poise::bench
