#pragma once

// A small chart as SVG: lines over a common axis, with the spread of each as a band.

#include <string>
#include <vector>

namespace poise::bench {

struct Series {
  std::string name;
  std::string color;
  std::vector<double> mean;
  std::vector<double> spread;  // above and below; may be empty
};

struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<double> x;
  std::vector<Series> series;
  double low = 0;  // of the other axis
  double high = 1;
};

// Charts side by side.
[[nodiscard]] std::string svg(const std::vector<Chart>& charts);

}  // namespace poise::bench
