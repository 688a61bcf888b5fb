#pragma once

// Grids for tests, made by hand.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "poise/base/random.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {
// Other test headers have the same names.
inline namespace grids {

inline Property numbers(std::string name, std::vector<double> values) {
  Property property{.name = std::move(name), .values = std::move(values), .texts = {}};
  property.low = property.values.front();
  property.high = property.values.back();
  for (const double value : property.values) {
    property.texts.push_back(std::to_string(value));
    property.cells.push_back(0);
  }
  property.cell_names = {"any"};
  return property;
}

inline Property whole_numbers(std::string name, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i));
  return numbers(std::move(name), std::move(values));
}

inline Property truth(std::string name) {
  return {.name = std::move(name),
          .kind = Property::Kind::Boolean,
          .values = {0, 1},
          .texts = {"false", "true"},
          .cells = {0, 1},
          .cell_names = {"false", "true"}};
}

inline GridConstraint at_most(std::size_t small, std::size_t large) {
  const bool turned = small > large;
  return {.scope = turned ? std::vector{large, small} : std::vector{small, large},
          .allows =
              [turned](std::span<const double> v) { return turned ? v[1] <= v[0] : v[0] <= v[1]; },
          .text = {}};
}

// The grid of the paper's web server: density, files <= density, dispersion. `count` values of the
// first two, by equal ratios, and eleven of the third.
inline Grid web_grid(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(std::pow(1000.0, static_cast<double>(i) / static_cast<double>(count - 1)));
  }
  std::vector<double> tenths;
  for (int i = 0; i <= 10; ++i) tenths.push_back(i / 10.0);
  return {.properties = {numbers("density", values), numbers("files", values),
                         numbers("dispersion", tenths)},
          .constraints = {at_most(1, 0)}};
}

// A chain p0 >= p1 >= p2 ...
inline Grid chain_grid(std::size_t count, std::size_t values) {
  Grid grid;
  for (std::size_t i = 0; i < count; ++i) {
    grid.properties.push_back(whole_numbers("p" + std::to_string(i), values));
    if (i > 0) grid.constraints.push_back(at_most(i, i - 1));
  }
  return grid;
}

// A small random grid, with guards, and with constraints on one to four properties that forbid a
// random tenth to six tenths of all combinations.
inline Grid random_grid(std::uint64_t seed) {
  Random random(seed);
  Grid grid;
  const std::size_t count = 2 + random.below(5);
  for (std::size_t i = 0; i < count; ++i) {
    std::string name = "p" + std::to_string(i);
    grid.properties.push_back(random.below(3) == 0 ? truth(name)
                                                   : whole_numbers(name, 1 + random.below(4)));
    std::vector<std::size_t> truths;
    for (std::size_t g = 0; g < i; ++g) {
      if (grid.properties[g].kind == Property::Kind::Boolean) truths.push_back(g);
    }
    if (!truths.empty() && random.below(2) == 0) {
      grid.properties.back().guard = truths[random.below(truths.size())];
    }
  }
  for (std::uint64_t left = random.below(5); left > 0; --left) {
    std::vector<std::size_t> scope;
    for (std::size_t i = 0; i < count; ++i) {
      if (scope.size() < 4 && random.below(2) == 0) scope.push_back(i);
    }
    if (scope.empty()) continue;
    const std::uint64_t salt = random.next();
    const std::uint64_t share = 1 + random.below(6);  // of ten are forbidden
    grid.constraints.push_back({.scope = std::move(scope),
                                .allows =
                                    [salt, share](std::span<const double> values) {
                                      std::uint64_t key = salt;
                                      for (const double v : values) {
                                        key = key * 31 +
                                              (std::isnan(v) ? 17 : static_cast<std::uint64_t>(v));
                                      }
                                      return Random(key).below(10) >= share;
                                    },
                                .text = {}});
  }
  return grid;
}

// All valid instances, by trying every combination.
inline std::vector<Instance> all_valid(const Grid& grid) {
  std::vector<Instance> found;
  Instance instance(grid.properties.size(), 0);
  const auto fill = [&](auto&& self, std::size_t place) -> void {
    if (place == instance.size()) {
      if (is_valid(grid, instance)) found.push_back(instance);
      return;
    }
    for (std::size_t v = 0; v < grid.properties[place].values.size(); ++v) {
      instance[place] = static_cast<Index>(v);
      self(self, place + 1);
    }
    instance[place] = kNoValue;
    self(self, place + 1);
  };
  fill(fill, 0);
  return found;
}

}  // namespace grids
}  // namespace poise::shake
