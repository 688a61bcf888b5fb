#include "poise/shake/covering/coverage.h"

#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "poise/shake/grid/grids_test.h"

namespace poise::shake {
namespace {

// The web server with words: low, medium and high of each property. A small density has few files,
// so it never has many: 24 of 27 cells.
Grid web_grid_with_cells() {
  Grid grid = web_grid(20);
  const auto cut = [](Property& property, double medium, double high) {
    property.cell_names = {"low", "medium", "high"};
    for (std::size_t i = 0; i < property.values.size(); ++i) {
      property.cells[i] = property.values[i] < medium ? 0 : property.values[i] < high ? 1 : 2;
    }
  };
  cut(grid.properties[0], 150, 500);
  cut(grid.properties[1], 20, 180);
  cut(grid.properties[2], 0.35, 0.65);
  return grid;
}

using Tuple = std::vector<std::pair<std::size_t, Index>>;

std::set<Tuple> tuples_of(const std::vector<Instance>& instances, unsigned strength) {
  std::set<Tuple> tuples;
  for (const Instance& instance : instances) {
    const auto choose = [&](auto&& self, std::size_t next, Tuple tuple) -> void {
      if (tuple.size() == strength) {
        tuples.insert(tuple);
        return;
      }
      for (std::size_t i = next; i < instance.size(); ++i) {
        if (instance[i] == kNoValue) continue;
        Tuple longer = tuple;
        longer.emplace_back(i, instance[i]);
        self(self, i + 1, longer);
      }
    };
    choose(choose, 0, {});
  }
  return tuples;
}

TEST(Coverage, CountsTheElementsOfTheWebServer) {
  const Grid grid = web_grid_with_cells();
  EXPECT_EQ(coverage(grid, std::vector<Instance>{}, 1).feasible, 51U);
  EXPECT_EQ(coverage(grid, std::vector<Instance>{}, 2).feasible, 650U);
  EXPECT_EQ(coverage(grid, std::vector<Instance>{}, 2).infeasible, 190U);
  EXPECT_EQ(coverage(grid, std::vector<Instance>{}, 3).feasible, 2310U);
  for (const std::uint64_t enumerated : {std::uint64_t{200'000}, std::uint64_t{0}}) {
    const FlowCoverage all =
        coverage(grid, std::vector<Flow>{{{0, 0, 0}, {19, 19, 10}}}, {.enumerated = enumerated});
    EXPECT_EQ(all.values.feasible, 51U);
    EXPECT_EQ(all.values.covered, 6U);
    EXPECT_EQ(all.pairs.feasible, 650U);
    EXPECT_EQ(all.pairs.covered, 6U);
    EXPECT_EQ(all.cells.feasible, 24U);
    EXPECT_EQ(all.cells.covered, 2U);
    EXPECT_EQ(all.transitions.feasible, 576U);
    EXPECT_EQ(all.transitions.covered, 1U);
    EXPECT_EQ(all.orders.feasible, 576U);
    EXPECT_EQ(all.orders.covered, 1U);
    EXPECT_EQ(all.cells.missing.front(), "density low, files low, dispersion medium");
    EXPECT_EQ(all.transitions.missing.front(),
              "density low, files low, dispersion low -> density low, files low, dispersion low");
    EXPECT_FALSE(all.cells.complete());
  }
}

// An Eulerian tour of the graph of cells, found by taking at each cell the last way not yet gone.
TEST(Coverage, IsCompleteForATourOfAllTransitions) {
  const Grid grid = web_grid_with_cells();
  std::map<std::vector<std::uint32_t>, Instance> corner;
  for (const Instance& instance : all_valid(grid)) {
    corner.emplace(std::vector<std::uint32_t>{grid.properties[0].cells[instance[0]],
                                              grid.properties[1].cells[instance[1]],
                                              grid.properties[2].cells[instance[2]]},
                   instance);
  }
  std::vector<Instance> cells;
  for (const auto& [cell, instance] : corner) cells.push_back(instance);
  ASSERT_EQ(cells.size(), 24U);
  std::vector<std::size_t> next(cells.size(), 0);
  std::vector<std::size_t> open{0};
  Flow tour;
  while (!open.empty()) {
    const std::size_t at = open.back();
    if (next[at] < cells.size()) {
      open.push_back(next[at]++);
    } else {
      tour.push_back(cells[at]);
      open.pop_back();
    }
  }
  EXPECT_EQ(tour.size(), 577U);
  const FlowCoverage all = coverage(grid, std::vector<Flow>{tour});
  EXPECT_TRUE(all.cells.complete());
  EXPECT_TRUE(all.transitions.complete());
  EXPECT_TRUE(all.orders.complete());
  EXPECT_EQ(all.transitions.covered, 576U);
  tour.pop_back();
  EXPECT_EQ(coverage(grid, std::vector<Flow>{tour}).transitions.covered, 575U);
}

TEST(Coverage, OfOrdersDoesNotAskForNeighbours) {
  const Grid grid{.properties = {truth("a"), truth("b")}, .constraints = {}};
  const Flow flow{{0, 0}, {0, 1}, {1, 1}, {0, 1}};
  const FlowCoverage all = coverage(grid, std::vector<Flow>{flow});
  EXPECT_EQ(all.cells.covered, 3U);
  EXPECT_EQ(all.transitions.covered, 3U);
  // Of 00: 01 and 11; of 01: 11 and 01; of 11: 01.
  EXPECT_EQ(all.orders.covered, 5U);
  // Cells of different flows do not follow each other.
  const FlowCoverage apart = coverage(grid, std::vector<Flow>{{{0, 0}}, {{1, 1}}});
  EXPECT_EQ(apart.transitions.covered, 0U);
  EXPECT_EQ(apart.orders.covered, 0U);
}

TEST(Coverage, IsThatOfPlainEnumeration) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Grid grid = random_grid(seed);
    const std::vector<Instance> all = all_valid(grid);
    std::vector<Instance> some;
    Random random(seed);
    for (const Instance& instance : all) {
      if (random.below(5) == 0) some.push_back(instance);
    }
    for (unsigned strength = 1; strength <= 3; ++strength) {
      const std::size_t feasible = tuples_of(all, strength).size();
      const std::size_t covered = tuples_of(some, strength).size();
      for (const std::uint64_t enumerated : {std::uint64_t{200'000}, std::uint64_t{0}}) {
        const Coverage found =
            coverage(grid, some, strength, {.listed = 100'000, .enumerated = enumerated});
        EXPECT_EQ(found.feasible, feasible) << seed << " " << strength;
        EXPECT_EQ(found.covered, covered) << seed << " " << strength;
        EXPECT_EQ(found.missing.size(), feasible - covered);
        EXPECT_EQ(found.undecided, 0U);
      }
    }
    const FlowCoverage plain = coverage(grid, std::vector<Flow>{some});
    const FlowCoverage searched = coverage(grid, std::vector<Flow>{some}, {.enumerated = 0});
    EXPECT_EQ(plain.cells.feasible, searched.cells.feasible) << seed;
    EXPECT_EQ(plain.cells.missing, searched.cells.missing) << seed;
    EXPECT_EQ(plain.orders.covered, searched.orders.covered) << seed;
  }
}

TEST(Coverage, CountsNothingForWhatCannotBe) {
  const Grid grid = web_grid(5);
  const std::vector<Instance> instances{{0, 4, 0}, {4, 0, 0}, {4, 0}, {9, 0, 0}};
  const Coverage found = coverage(grid, instances, 2);
  EXPECT_EQ(found.invalid, 3U);
  EXPECT_EQ(found.covered, 3U);
  EXPECT_EQ(found.feasible, 125U);
  EXPECT_EQ(found.missing.size(), 20U);
  EXPECT_EQ(found.missing.front(), "density = 1.000000, files = 1.000000");
}

TEST(Coverage, SaysSoWhereCellsAreTooMany) {
  Grid grid;
  for (int i = 0; i < 30; ++i) grid.properties.push_back(truth("p"));
  const FlowCoverage all = coverage(grid, std::vector<Flow>{{Instance(30, 0), Instance(30, 1)}});
  EXPECT_FALSE(all.cells.counted);
  EXPECT_FALSE(all.transitions.complete());
  EXPECT_EQ(all.pairs.feasible, 435U * 4);
  EXPECT_EQ(all.pairs.covered, 435U * 2);
  EXPECT_EQ(coverage(Grid{}, std::vector<Flow>{}).pairs.feasible, 0U);
}

}  // namespace
}  // namespace poise::shake
