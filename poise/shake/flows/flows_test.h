#pragma once

// Grids for the tests of flows.

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "poise/base/random.h"
#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake::stand_ins {

inline Property number(std::string name, double low, double high, std::vector<double> values) {
  Property property{.name = std::move(name), .low = low, .high = high, .values = std::move(values)};
  property.boundary.resize(property.values.size());
  property.boundary.front() = property.boundary.back() = true;
  return property;
}

inline Property boolean(std::string name) {
  return {.name = std::move(name),
          .kind = Property::Kind::Boolean,
          .values = {0, 1},
          .texts = {"false", "true"},
          .boundary = {true, true}};
}

inline std::vector<double> evenly(double low, double high, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    // Decimals as they are written, not sums of rounding errors.
    const double value =
        low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1);
    values.push_back(std::round(value * 1e6) / 1e6);
  }
  return values;
}

// Marks a constant and its neighbours.
inline void mark(Property& property, double constant) {
  for (std::size_t i = 0; i < property.values.size(); ++i) {
    if (std::abs(property.values[i] - constant) > 1e-9) continue;
    property.boundary[i] = true;
    if (i > 0) property.boundary[i - 1] = true;
    if (i + 1 < property.values.size()) property.boundary[i + 1] = true;
  }
}

// The grid of the paper's web server: density and files with `count` values each, dispersion by
// tenths; files <= density.
inline Grid web_grid(std::size_t count = 20, bool log = false) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double value =
        std::round(std::pow(1000.0, static_cast<double>(i) / static_cast<double>(count - 1)));
    values.push_back(i > 0 ? std::max(value, values.back() + 1) : value);
  }
  Grid grid;
  grid.properties = {number("density", 1, 1000, values), number("files", 1, 1000, values),
                     number("dispersion", 0, 1, evenly(0, 1, 11))};
  grid.properties[0].log = grid.properties[1].log = log;
  // The terms of the policy: low, medium, high.
  for (std::size_t k = 0; k < 3; ++k) {
    Property& property = grid.properties[k];
    const double low = k == 2 ? 0.35 : 150;
    const double high = k == 2 ? 0.65 : 500;
    for (std::size_t i = 0; i < property.values.size(); ++i) {
      property.cells.push_back(property.values[i] < low ? 0 : property.values[i] < high ? 1 : 2);
      if (i > 0 && property.cells[i] != property.cells[i - 1]) {
        property.boundary[i] = property.boundary[i - 1] = true;
      }
    }
  }
  grid.constraints.push_back(
      {.scope = {0, 1},
       .allows = [](std::span<const double> values_of) { return values_of[1] <= values_of[0]; },
       .text = "files <= density"});
  return grid;
}

// One property from 0 to 1, so that distances are differences of values.
inline Grid line_grid(std::size_t count = 101) {
  Grid grid;
  grid.properties = {number("x", 0, 1, evenly(0, 1, count))};
  return grid;
}

inline Instance any_instance(const Grid& grid, Random& random) {
  while (true) {
    Instance instance;
    for (const Property& property : grid.properties) {
      instance.push_back(static_cast<Index>(random.below(property.values.size())));
    }
    if (is_valid(grid, instance)) return instance;
  }
}

inline Flow any_flow(const Grid& grid, std::size_t length, Random& random) {
  Flow flow;
  while (flow.size() < length) flow.push_back(any_instance(grid, random));
  return flow;
}

}  // namespace poise::shake::stand_ins
