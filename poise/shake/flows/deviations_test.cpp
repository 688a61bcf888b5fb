#include "poise/shake/flows/deviations.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/shake/flows/search.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {
namespace {

model::Model model_of(std::string_view text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = std::string(text)});
  for (const diag::Diagnostic& diagnostic : parsed.diagnostics) {
    ADD_FAILURE() << diagnostic.message;
  }
  return parsed.model ? std::move(*parsed.model) : model::Model{};
}

// What it does first is all that shows.
model::Model failsafe() {
  return model_of(R"(
    model Failsafe
    tick 1s
    sense voltage : int 0..20
    sense used : int 0..20
    variant mode : {fly, home, land} = fly
    option home: mode := home when mode == fly and (voltage < 8 held 5s or used >= 15)
    option land: mode := land when voltage < 4 held 5s
  )");
}

Flow held(const Grid& grid, std::initializer_list<double> values, std::size_t ticks) {
  Instance instance;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::vector<double>& all = grid.properties[k].values;
    const auto place = std::ranges::find(all, values.begin()[k]);
    EXPECT_NE(place, all.end());
    instance.push_back(static_cast<Index>(place - all.begin()));
  }
  return Flow(ticks, instance);
}

bool is_comparison(const Mutant& mutant) { return mutant.group == MutantGroup::Comparison; }

TEST(Deviations, AFlowOnTheBoundaryShowsTheComparison) {
  const model::Model model = failsafe();
  const Grid grid = grid_of(model);
  Deviations left;
  left.add(model, grid, is_comparison);
  const std::size_t all = left.left();
  ASSERT_GT(all, 2U);
  EXPECT_EQ(left.shown_by(held(grid, {9, 0}, 10)), 0U);
  const Flow at_eight = held(grid, {8, 0}, 6);  // < or <=
  EXPECT_EQ(left.shown_by(at_eight), 1U);
  EXPECT_EQ(left.shown_by(held(grid, {8, 0}, 5)), 0U) << "the wait is not over";
  EXPECT_EQ(left.left(), all) << "to ask takes nothing out";
  left.take_out(at_eight);
  EXPECT_EQ(left.left(), all - 1);
  EXPECT_EQ(left.shown_by(at_eight), 0U);
}

TEST(Deviations, WhatNoFlowShowsIsGivenUp) {
  const model::Model model = failsafe();
  const Grid grid = grid_of(model);
  Deviations left;
  left.add(model, grid, is_comparison);
  const Flow nothing = held(grid, {20, 0}, 2);
  for (int i = 0; i < 1000 && left.left() > 0; ++i) EXPECT_EQ(left.shown_by(nothing), 0U);
  EXPECT_EQ(left.left(), 0U);
}

TEST(Deviations, HaveTheNumbersOfTheirOwnGrid) {
  const model::Model model = failsafe();
  const Grid grid = grid_of(model);
  Grid other = grid;
  for (double& value : other.properties[0].values) value += 1;  // 8 reads as 9 there
  Deviations left;
  left.add(model, grid, is_comparison);
  left.add(model, other, is_comparison);
  EXPECT_EQ(left.shown_by(held(grid, {8, 0}, 6)), 1U);
}

// How many are left after some flows, found with and without knowing them.
std::size_t left_after(const model::Model& model, std::uint64_t seed, bool known) {
  const Grid grid = grid_of(model);
  Deviations guide;
  guide.add(model, grid);
  SearchOptions options{.flows = 12, .length = 30, .seed = seed, .dwells = {5}};
  options.behaviour = [](const Flow&) { return std::vector<std::uint64_t>{}; };
  if (known) options.deviations = &guide;
  Deviations left;
  left.add(model, grid);
  for (const Flow& flow : flows_of(grid, options).flows) left.take_out(flow);
  return left.left();
}

TEST(Deviations, GuideThePortfolio) {
  const model::Model model = failsafe();
  std::size_t guided = 0;
  std::size_t blind = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    guided += left_after(model, seed, true);
    blind += left_after(model, seed, false);
  }
  EXPECT_LT(2 * guided, blind);
}

TEST(Deviations, FlowsAreTheSameForAnyNumberOfThreads) {
  const model::Model model = failsafe();
  const Grid grid = grid_of(model);
  const auto made = [&](unsigned jobs) {
    Deviations guide;
    guide.add(model, grid);
    return flows_of(grid, {.flows = 40, .length = 30, .deviations = &guide, .jobs = jobs}).flows;
  };
  EXPECT_EQ(made(1), made(3));
}

}  // namespace
}  // namespace poise::shake
