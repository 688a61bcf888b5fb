#include "poise/shake/covering/pairs.h"

#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "poise/shake/grid/grids_test.h"

namespace poise::shake {
namespace {

using Key = std::tuple<std::size_t, Index, std::size_t, Index>;

Key key(const PairTable::Pair& pair) {
  return {pair.first, pair.first_value, pair.second, pair.second_value};
}

TEST(PairTable, CountsTheValidPairsOfTheWebServer) {
  const std::pair<std::size_t, std::size_t> expected[] = {{5, 125},  {10, 275},  {15, 450},
                                                          {20, 650}, {30, 1125}, {50, 2375}};
  for (const auto& [values, pairs] : expected) {
    EXPECT_EQ(PairTable(web_grid(values)).size(), pairs) << values;
  }
}

TEST(PairTable, HasThePairsOfAllValidInstancesAndNoOthers) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Grid grid = random_grid(seed);
    const PairTable table(grid);
    std::set<Key> expected;
    std::set<Key> visited;
    for (const Instance& instance : all_valid(grid)) {
      for (std::size_t b = 0; b < instance.size(); ++b) {
        for (std::size_t a = 0; a < b; ++a) {
          if (instance[a] == kNoValue || instance[b] == kNoValue) continue;
          expected.insert({a, instance[a], b, instance[b]});
        }
      }
      table.for_each(instance,
                     [&](std::uint32_t number) { visited.insert(key(table.pair(number))); });
    }
    std::set<Key> numbered;
    for (std::uint32_t i = 0; i < table.size(); ++i) numbered.insert(key(table.pair(i)));
    EXPECT_EQ(numbered, expected) << seed;
    EXPECT_EQ(visited, expected) << seed;
    EXPECT_EQ(table.undecided(), 0U);
  }
}

TEST(PairTable, GivesThePairsOfOneProperty) {
  const PairTable table(web_grid(5));
  const Instance instance{3, 1, 7};
  std::set<Key> pairs;
  table.for_each_with(instance, 1,
                      [&](std::uint32_t number) { pairs.insert(key(table.pair(number))); });
  EXPECT_EQ(pairs, (std::set<Key>{{0, 3, 1, 1}, {1, 1, 2, 7}}));
}

TEST(PairTable, RefusesGridsThatAreTooLarge) {
  Grid grid;
  for (int i = 0; i < 20; ++i) grid.properties.push_back(whole_numbers("p", 1000));
  EXPECT_FALSE(PairTable::of(grid).has_value());
  EXPECT_TRUE(PairTable::of(web_grid(5)).has_value());
}

}  // namespace
}  // namespace poise::shake
