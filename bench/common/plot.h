#pragma once

// A small chart as SVG: lines over a common axis, with the spread of each as a band.

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
  double low = 0;  // ends of the y axis; values beyond are cut
  double high = 1;
};

// One picture with the charts side by side.
[[nodiscard]] std::string svg(const std::vector<Chart>& charts);

}  // namespace poise::bench
