#include "poise/shake/covering/planned.h"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "poise/shake/grid/pict.h"

namespace poise::shake {
namespace {

using Rows = std::vector<Instance>;

Rows rows_of(const ImportedGrid& read, unsigned strength = 2) {
  const Result<Covering> made = planned_covering(*read.grid, read.plan, {.strength = strength});
  EXPECT_TRUE(made.has_value() && made->complete());
  for (const Instance& row : made->rows) EXPECT_TRUE(is_valid(*read.grid, row));
  return made->rows;
}

// The combinations of values that some row has.
std::set<Instance> had(const Rows& rows, const std::vector<std::size_t>& properties) {
  std::set<Instance> found;
  for (const Instance& row : rows) {
    Instance part;
    for (const std::size_t property : properties) part.push_back(row[property]);
    found.insert(part);
  }
  return found;
}

TEST(PlannedCovering, ASubModelIsCombinedLikeOneParameter) {
  const ImportedGrid read =
      read_pict("a: 1, 2, 3\nb: 1, 2, 3\nc: 1, 2, 3\nd: 1, 2, 3, 4\ne: 1, 2\n{ a, b, c } @ 3\n");
  ASSERT_TRUE(read.grid.has_value());
  const Rows rows = rows_of(read);
  // All triples, each with every value outside, and the pairs outside.
  EXPECT_EQ(had(rows, {0, 1, 2}).size(), 27U);
  EXPECT_EQ(had(rows, {0, 1, 2, 3}).size(), 27U * 4);
  EXPECT_EQ(had(rows, {0, 1, 2, 4}).size(), 27U * 2);
  EXPECT_EQ(had(rows, {3, 4}).size(), 8U);
  EXPECT_EQ(rows.size(), 27U * 4);
}

TEST(PlannedCovering, ASubModelOfOrderOneHasEachValueOnce) {
  const ImportedGrid read = read_pict("a: 1, 2, 3\nb: 1, 2, 3\nc: 1, 2\n{ a, b } @ 1\n");
  ASSERT_TRUE(read.grid.has_value());
  const Rows rows = rows_of(read);
  EXPECT_EQ(rows.size(), 6U);
  EXPECT_EQ(had(rows, {0, 1}).size(), 3U);
  EXPECT_EQ(had(rows, {0, 2}).size(), 6U);
  EXPECT_EQ(had(rows, {1, 2}).size(), 6U);
}

TEST(PlannedCovering, SubModelsMayOverlap) {
  const ImportedGrid read =
      read_pict("a: 1, 2\nb: 1, 2\nc: 1, 2, 3\nd: 1, 2\n{ a, b }\n{ b, c }\n[a] <= [c];\n");
  ASSERT_TRUE(read.grid.has_value());
  const Rows rows = rows_of(read);
  EXPECT_EQ(had(rows, {0, 1, 2}).size(), 2U * 5);  // a <= c leaves five of six
  EXPECT_EQ(had(rows, {0, 3}).size(), 4U);
}

// The rows of a sub-model are few, and a constraint may need one that is not among them.
TEST(PlannedCovering, NothingBetweenSubModelsIsMissing) {
  const ImportedGrid read = read_pict(
      "a: 1, 2, 3\nb: 1, 2, 3\nc: 1, 2, 3\n{ a, b } @ 1\nIF [a] = 1 AND [c] = 1 THEN [b] = 3;\n"
      "IF [a] = 1 AND [c] = 2 THEN [b] = 1;\nIF [a] = 1 AND [c] = 3 THEN [b] = 2;\n");
  ASSERT_TRUE(read.grid.has_value());
  const Rows rows = rows_of(read);
  EXPECT_EQ(had(rows, {0, 2}).size(), 9U);
  EXPECT_EQ(had(rows, {1, 2}).size(), 9U);
}

TEST(PlannedCovering, ARowHasOneNegativeValueAtMost) {
  const ImportedGrid read =
      read_pict("a: 1, 2, ~-1\nb: x, y, ~z\nc: 1, 2, 3\nIF [b] = \"z\" THEN [c] <> 3;\n");
  ASSERT_TRUE(read.grid.has_value());
  const Rows rows = rows_of(read);
  const auto negative = [&](const Instance& row) {
    return std::size_t{read.plan.negative[0][row[0]]} + std::size_t{read.plan.negative[1][row[1]]};
  };
  Rows positive;
  Rows others;
  for (const Instance& row : rows) {
    EXPECT_LE(negative(row), 1U);
    (negative(row) == 0 ? positive : others).push_back(row);
  }
  // What is right is covered by rows in which nothing is wrong.
  EXPECT_EQ(had(positive, {0, 1}).size(), 4U);
  EXPECT_EQ(had(positive, {0, 2}).size(), 6U);
  EXPECT_EQ(had(positive, {1, 2}).size(), 6U);
  const Index wrong_a = 0;  // numbers are in order
  const Index wrong_b = 2;
  const std::set<Instance> pairs = had(others, {0, 1});
  for (const Index b : std::vector<Index>{0, 1}) EXPECT_TRUE(pairs.contains({wrong_a, b}));
  for (const Index a : std::vector<Index>{1, 2}) EXPECT_TRUE(pairs.contains({a, wrong_b}));
  const std::set<Instance> of_a = had(others, {0, 2});
  for (const Index c : std::vector<Index>{0, 1, 2}) EXPECT_TRUE(of_a.contains({wrong_a, c}));
  EXPECT_FALSE(had(others, {1, 2}).contains({wrong_b, 2}));
}

TEST(PlannedCovering, WithoutAPlanItIsTheUsualOne) {
  const ImportedGrid read = read_pict("a: 1, 2, 3\nb: 1, 2, 3\nc: 1, 2\n[a] <= [b];\n");
  ASSERT_TRUE(read.grid.has_value());
  EXPECT_EQ(rows_of(read), covering(*read.grid, {.strength = 2})->rows);
}

}  // namespace
}  // namespace poise::shake
