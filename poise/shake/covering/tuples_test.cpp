#include "poise/shake/covering/tuples.h"

#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include "poise/shake/covering/coverage.h"
#include "poise/shake/covering/feasible.h"
#include "poise/shake/grid/grids_test.h"

namespace poise::shake {
namespace {

Grid alike(std::size_t count, std::size_t values) {
  Grid grid;
  for (std::size_t i = 0; i < count; ++i) grid.properties.push_back(whole_numbers("p", values));
  return grid;
}

// The independent check: all rows are valid and nothing that is feasible is missing.
void expect_complete(const Grid& grid, const Covering& covering, unsigned strength,
                     const CoverageOptions& options = {}) {
  const Coverage checked = coverage(grid, covering.rows, strength, options);
  EXPECT_TRUE(covering.complete());
  EXPECT_EQ(checked.invalid, 0U);
  EXPECT_EQ(checked.undecided, 0U);
  EXPECT_EQ(checked.feasible, covering.feasible);
  EXPECT_EQ(checked.infeasible, covering.infeasible);
  EXPECT_EQ(checked.covered, checked.feasible);
  EXPECT_TRUE(checked.missing.empty());
}

TEST(Covering, HasEveryFeasibleTupleOfRandomGrids) {
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    SCOPED_TRACE(seed);
    const Grid grid = random_grid(seed);
    for (unsigned strength = 1; strength <= std::min<std::size_t>(4, grid.properties.size());
         ++strength) {
      const Result<Covering> rows = covering(grid, {.strength = strength, .seed = seed});
      ASSERT_TRUE(rows.has_value());
      expect_complete(grid, *rows, strength);
    }
  }
}

TEST(Covering, HasEveryPairOfTheWebServer) {
  // Values; how many rows PICT needs on average, and pairs.
  const std::tuple<std::size_t, std::size_t, std::size_t> cases[] = {
      {5, 68, 125}, {10, 142, 275}, {15, 226, 450}, {20, 321, 650}, {30, 575, 1125}};
  for (const auto& [values, rows, pairs] : cases) {
    SCOPED_TRACE(values);
    const Grid grid = web_grid(values);
    const Result<Covering> found = covering(grid);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->feasible, pairs);
    EXPECT_LE(found->rows.size(), rows + 4);
    expect_complete(grid, *found, 2);
  }
}

TEST(Covering, HasEveryTripleOfTheWebServer) {
  const Grid grid = web_grid(20);
  const Result<Covering> found = covering(grid, {.strength = 3});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->feasible, 2310U);
  EXPECT_EQ(found->rows.size(), 2310U);
}

TEST(Covering, FollowsOrderingChains) {
  const Grid grid = chain_grid(10, 20);
  const Result<Covering> found = covering(grid);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->feasible, 45U * 210);
  EXPECT_LE(found->rows.size(), 1250U);
  expect_complete(grid, *found, 2);
}

TEST(Covering, IsAboutAsSmallAsThoseOfOthers) {
  const auto rows = [](const Grid& grid) { return covering(grid)->rows.size(); };
  EXPECT_LE(rows(alike(4, 3)), 13U);
  EXPECT_LE(rows(alike(13, 3)), 21U);
  EXPECT_LE(rows(alike(100, 2)), 17U);
  EXPECT_LE(rows(alike(20, 10)), 215U);
  Grid mixed = alike(15, 4);
  for (int i = 0; i < 17; ++i) mixed.properties.push_back(whole_numbers("p", 3));
  for (int i = 0; i < 29; ++i) mixed.properties.push_back(whole_numbers("p", 2));
  EXPECT_LE(rows(mixed), 39U);
}

TEST(Covering, NeedsOneRowForEachCombinationOfSoManyProperties) {
  const Grid grid = alike(3, 4);
  EXPECT_EQ(covering(grid, {.strength = 3})->rows.size(), 64U);
  EXPECT_EQ(covering(grid, {.strength = 4})->rows.size(), 64U);  // there are only three
  EXPECT_EQ(covering(grid, {.strength = 1})->rows.size(), 4U);
  EXPECT_TRUE(covering(Grid{})->rows.empty());
}

TEST(Covering, HasNoRowsWhereNothingIsValid) {
  Grid grid = alike(3, 4);
  grid.constraints.push_back(
      {.scope = {0, 1, 2}, .allows = [](auto) { return false; }, .text = {}});
  const Result<Covering> found = covering(grid);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->rows.empty());
  EXPECT_EQ(found->feasible, 0U);
  EXPECT_EQ(found->infeasible, 48U);
}

TEST(Covering, IsTheSameForTheSameSeed) {
  const Grid grid = web_grid(15);
  EXPECT_EQ(covering(grid, {.seed = 7})->rows, covering(grid, {.seed = 7})->rows);
  EXPECT_NE(covering(grid, {.seed = 7})->rows, covering(grid, {.seed = 8})->rows);
}

// No two neighbours alike, and the last unlike the first: with two values and an odd number of
// properties there is no instance, which no pair of neighbours shows.
TEST(Covering, SearchesWherePropagationDoesNotTell) {
  for (const std::size_t count : {7U, 8U}) {
    Grid grid = alike(count, 2);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t next = (i + 1) % count;
      grid.constraints.push_back({.scope = {std::min(i, next), std::max(i, next)},
                                  .allows = [](std::span<const double> v) { return v[0] != v[1]; },
                                  .text = {}});
    }
    const Result<Covering> found = covering(grid);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->rows.size(), count % 2 == 0 ? 2U : 0U);
    expect_complete(grid, *found, 2);
  }
}

// n things in n - 1 places, all different: a search cannot see in time that it is impossible.
TEST(Covering, SaysSoWhereItsBudgetEnds) {
  Grid grid = alike(12, 11);
  for (std::size_t b = 1; b < 12; ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      grid.constraints.push_back({.scope = {a, b},
                                  .allows = [](std::span<const double> v) { return v[0] != v[1]; },
                                  .text = {}});
    }
  }
  const Result<Covering> found = covering(grid, {.budget = 2000});
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->complete());
  EXPECT_GT(found->undecided, 0U);
  const Coverage checked = coverage(grid, found->rows, 2, {.enumerated = 0, .steps = 100});
  EXPECT_FALSE(checked.complete());
  EXPECT_GT(checked.undecided, 0U);
}

// Beside things without enough places, a switch that has nothing to do with them. Nobody knows in
// time whether any instance is valid, so no tuple is called infeasible, and none feasible.
TEST(Covering, ATupleWithAnUndecidedPartIsUndecided) {
  Grid grid = alike(12, 11);
  for (std::size_t b = 1; b < 12; ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      grid.constraints.push_back({.scope = {a, b},
                                  .allows = [](std::span<const double> v) { return v[0] != v[1]; },
                                  .text = {}});
    }
  }
  grid.properties.push_back(whole_numbers("switch", 2));
  grid.properties.push_back(whole_numbers("lamp", 2));
  const ConstraintSpace space(grid);
  const Result<FeasibleTuples> pairs = feasible_tuples(space, 2, 2000);
  ASSERT_TRUE(pairs.has_value());
  const auto bits = [&](std::vector<std::size_t> properties) {
    const std::size_t first = pairs->numbers.offset(pairs->numbers.rank(properties));
    return std::pair<bool, bool>(pairs->feasible[first], pairs->open[first]);
  };
  EXPECT_EQ(bits({3, 12}), std::pair(false, true));
  EXPECT_EQ(bits({12, 13}), std::pair(false, true));
  EXPECT_EQ(pairs->count, 0U);
  // Only two things in one place are known to be impossible.
  EXPECT_EQ(pairs->infeasible, 66U * 11);
  EXPECT_EQ(pairs->undecided, pairs->numbers.size() - 66U * 11);
}

TEST(Covering, CoversOnlyWhatIsWanted) {
  const Grid grid = alike(4, 3);
  const Result<Covering> found =
      covering(grid, {.wanted = [](std::span<const std::size_t> properties, auto) {
                 return properties[0] == 0 && properties[1] == 1;
               }});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->rows.size(), 9U);
  EXPECT_EQ(found->feasible, 9U);
  EXPECT_EQ(found->infeasible, 0U);
  const Result<Covering> more = covering(grid, {.given = found->rows});
  ASSERT_TRUE(more.has_value());
  EXPECT_TRUE(std::equal(found->rows.begin(), found->rows.end(), more->rows.begin()));
  expect_complete(grid, *more, 2);
}

TEST(Covering, RefusesMoreTuplesThanMemoryHolds) {
  EXPECT_FALSE(covering(alike(40, 100), {.strength = 4}).has_value());
}

TEST(TupleNumbers, FindsItsWayBack) {
  const Grid grid = random_grid(11);
  const ConstraintSpace space(grid);
  for (unsigned strength = 1; strength <= 3; ++strength) {
    const TupleNumbers numbers(space, strength);
    for (std::size_t number = 0; number < numbers.size(); ++number) {
      const TupleNumbers::Tuple tuple = numbers.tuple(number);
      std::size_t at = 0;
      for (std::size_t i = 0; i < strength; ++i) {
        at = at * space.values(tuple.properties[i]) + tuple.values[i];
      }
      EXPECT_EQ(numbers.offset(numbers.rank(tuple.properties)) + at, number);
    }
  }
}

}  // namespace
}  // namespace poise::shake
