#include "poise/check/engines/cover.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace poise::check {
namespace {

using finding::Conjunction;
using Condition = std::vector<Conjunction>;

std::vector<model::AtomId> atoms(std::size_t count) {
  std::vector<model::AtomId> result;
  for (std::uint32_t i = 0; i < count; ++i) result.push_back({i});
  return result;
}

bool holds(const Condition& condition, const TruthRow& truth) {
  return std::ranges::any_of(condition, [&](const Conjunction& conjunction) {
    return std::ranges::all_of(conjunction, [&](const finding::Literal& literal) {
      return (truth[literal.atom.index] == '1') == literal.holds;
    });
  });
}

Condition condition_for(const std::vector<model::AtomId>& over, const std::vector<TruthRow>& on,
                        const std::vector<TruthRow>& off) {
  Effort effort;
  return check::condition_for(over, on, off, effort).value();
}

TEST(ConditionFor, GivesUpWhereTheEffortIsSpent) {
  Effort effort{.left = 3};
  EXPECT_EQ(check::condition_for(atoms(2), {"10", "11"}, {"00", "01"}, effort), std::nullopt);
}

TEST(ConditionFor, NothingIsFalseAndEverythingIsTrue) {
  EXPECT_EQ(condition_for(atoms(2), {}, {"00", "01"}), Condition{});
  EXPECT_EQ(condition_for(atoms(2), {"00", "11"}, {}), Condition{Conjunction{}});
}

TEST(ConditionFor, LeavesOutWhatDoesNotMatter) {
  EXPECT_EQ(condition_for(atoms(2), {"10", "11"}, {"00", "01"}),
            (Condition{{{model::AtomId{0}, true}}}));
}

TEST(ConditionFor, WhatCannotBeMayGoEitherWay) {
  // 11 is infeasible, so the first atom alone says it.
  EXPECT_EQ(condition_for(atoms(2), {"10"}, {"00", "01"}), (Condition{{{model::AtomId{0}, true}}}));
}

TEST(ConditionFor, IsExactAndIrredundantOnRandomTables) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const std::size_t size = 1 + random() % 6;
    std::vector<TruthRow> on;
    std::vector<TruthRow> off;
    for (std::size_t bits = 0; bits < (std::size_t{1} << size); ++bits) {
      TruthRow truth;
      for (std::size_t i = 0; i < size; ++i) truth += ((bits >> i) & 1U) != 0 ? '1' : '0';
      const auto kind = random() % 3;
      if (kind == 0) on.push_back(truth);
      if (kind == 1) off.push_back(truth);
    }
    std::ranges::sort(on);
    std::ranges::sort(off);
    const Condition condition = condition_for(atoms(size), on, off);
    for (const TruthRow& truth : on) EXPECT_TRUE(holds(condition, truth));
    for (const TruthRow& truth : off) EXPECT_FALSE(holds(condition, truth));
    const auto still_right = [&](const Condition& smaller) {
      return std::ranges::all_of(on, [&](const TruthRow& t) { return holds(smaller, t); }) &&
             std::ranges::none_of(off, [&](const TruthRow& t) { return holds(smaller, t); });
    };
    for (std::size_t i = 0; i < condition.size(); ++i) {
      Condition without = condition;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(still_right(without));
      for (std::size_t j = 0; j < condition[i].size(); ++j) {
        Condition shorter = condition;
        shorter[i].erase(shorter[i].begin() + static_cast<std::ptrdiff_t>(j));
        EXPECT_FALSE(still_right(shorter));
      }
    }
  }
}

}  // namespace
}  // namespace poise::check
