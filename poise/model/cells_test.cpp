#include "poise/model/cells.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "poise/base/budget.h"
#include "poise/lang/lang.h"

namespace poise::model {
namespace {

Model cells_model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = "state S initial\n" + text});
  EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
  return std::move(*parsed.model);
}

Result<Cells> try_cells(const Model& model) {
  Budget budget;
  return Cells::of(model, budget);
}

std::vector<Context> contexts_of(const Model& model) {
  std::vector<Context> contexts;
  const Result<Cells> cells = try_cells(model);
  cells->for_each_context([&](const Context& context) {
    contexts.push_back(context);
    return true;
  });
  EXPECT_EQ(cells->count(), Integer(static_cast<std::int64_t>(contexts.size())));
  return contexts;
}

// The distinct truths of all atoms over the contexts.
std::set<std::vector<bool>> situations_of(const Model& model) {
  std::set<std::vector<bool>> result;
  for (const Context& context : contexts_of(model)) result.insert(evaluate(model, context).atoms);
  return result;
}

std::string values(const Model& model, const std::string& name) {
  std::set<std::string> seen;
  std::string text;
  for (const Context& context : contexts_of(model)) {
    for (const Variable& variable : model.variables) {
      if (variable.name != name) continue;
      const std::string value =
          to_text(model, variable.first_slot, context[variable.first_slot.index]);
      if (seen.insert(value).second) text += (text.empty() ? "" : " ") + value;
    }
  }
  return text;
}

TEST(Cells, SplitANumberAtTheConstantsItIsComparedWith) {
  EXPECT_EQ(values(cells_model_of("sense x : int 0..100  constraint x > 5 and x <= 70"), "x"),
            "0 6 71");
  EXPECT_EQ(values(cells_model_of("sense x : real 0..100  constraint x > 5"), "x"), "0 6");
  EXPECT_EQ(values(cells_model_of("sense x : real 0..5  constraint x > 5 or x < 0"), "x"), "0");
  EXPECT_EQ(values(cells_model_of("sense x : real 0..5  constraint x == 5"), "x"), "0 5");
  EXPECT_EQ(values(cells_model_of("sense x : int 0..9  constraint 2 * x > 5"), "x"), "0 3");
  EXPECT_EQ(values(cells_model_of("sense x : int 0..9  constraint 3 * x == 6 or x == 11"), "x"),
            "0 2");
}

TEST(Cells, OneMemberStandsForAllThatNothingAsksFor) {
  EXPECT_EQ(values(cells_model_of("sense x : {a, b, c, d}  constraint x != c"), "x"), "a c");
  EXPECT_EQ(values(cells_model_of("sense x : {a, b, c, d}  constraint x in {a, b}"), "x"), "a c");
}

TEST(Cells, WhatNothingReadsHasOneValue) {
  const Model model = cells_model_of("sense x : int 3..1000000000  sense y : bool  constraint y");
  EXPECT_EQ(values(model, "x"), "3");
  EXPECT_EQ(contexts_of(model).size(), 2U);
}

TEST(Cells, AssignedLiteralsAreToldApart) {
  EXPECT_EQ(
      values(cells_model_of("sense x : int 0..100  rule r: S -> S when true do x := 50"), "x"),
      "0 50");
}

TEST(Cells, AGuardedVariableHasNoValueWhileItsGuardFails) {
  const Model model = cells_model_of(
      "sense g : bool  sense v : {a, b} if g  sense s : set {m, n} if g  sense w : bool "
      "constraint v == a or s has m or s has n or w");
  EXPECT_EQ(contexts_of(model).size(), 2U * (1 + 2 * 4));
  for (const Context& context : contexts_of(model)) {
    EXPECT_EQ(context[1].has_value(), context[0] == Value(1));
  }
}

TEST(Cells, CountIsExactBeyondSixtyFourBits) {
  std::string text;
  for (int i = 0; i < 80; ++i) text += "sense b" + std::to_string(i) + " : bool ";
  text += "constraint b0";
  for (int i = 1; i < 80; ++i) text += " or b" + std::to_string(i);
  const Model model = cells_model_of(text);
  EXPECT_EQ(try_cells(model)->count(), Integer::power(2, 80));
}

TEST(Cells, IntegersOfOneAtomAreEnumeratedTogether) {
  // Of the 2 * 2 truths, a < b and b < a exclude each other.
  const Model model =
      cells_model_of("sense a : int 0..9  sense b : int 0..9  constraint a < b or b < a");
  EXPECT_EQ(situations_of(model).size(), 3U);
  EXPECT_EQ(contexts_of(model).size(), 3U);
  // b <= 9 leaves nothing above it.
  const Model above = cells_model_of("sense a : int 10..12  sense b : int 0..9  constraint a <= b");
  EXPECT_EQ(situations_of(above).size(), 1U);
}

TEST(Cells, RealsOfOneAtomAreSampledExactly) {
  // x + y > 1.9 with both at most 1 needs both above 0.9.
  const Model model = cells_model_of(
      "sense x : real 0..1  sense y : real 0..1 "
      "constraint x + y > 1.9 and x < 0.9 or x + y > 1.9 and y > 0.9 or x + y == 2");
  const std::set<std::vector<bool>> situations = situations_of(model);
  for (const std::vector<bool>& truth : situations) {
    const bool sum_large = truth[0];
    const bool x_small = truth[1];
    const bool y_large = truth[2];
    const bool corner = truth[3];
    EXPECT_FALSE(sum_large && x_small);
    EXPECT_FALSE(sum_large && !y_large);
    EXPECT_FALSE(corner && !sum_large);
  }
  // sum_large: corner or not; else x small or not, y large or not.
  EXPECT_EQ(situations.size(), 2U + 4U);
}

TEST(Cells, ThreeRealsInAChain) {
  // a < b, b < c, a < c: transitivity leaves 6 of 8, and equality of all is one more reason for
  // all three to fail.
  const Model model = cells_model_of(
      "sense a : real 0..1  sense b : real 0..1  sense c : real 0..1 "
      "constraint a < b or b < c or a < c");
  EXPECT_EQ(situations_of(model).size(), 6U);
}

TEST(Cells, RealAndIntegerTogether) {
  // x strictly between 0 and 1 is no integer, so n == x fails there.
  const Model model = cells_model_of(
      "sense n : int 0..1  sense x : real 0..1  constraint n == x or x > 0 or x < 1");
  const std::set<std::vector<bool>> situations = situations_of(model);
  for (const std::vector<bool>& truth : situations) EXPECT_FALSE(truth[0] && truth[1] && truth[2]);
  EXPECT_EQ(situations.size(), 5U);
}

TEST(Cells, ANonlinearAtomOverIntegersIsEnumerated) {
  const Model model =
      cells_model_of("sense a : int 0..9  sense b : int 0..9  constraint a * b == 49");
  EXPECT_EQ(situations_of(model).size(), 2U);
}

TEST(Cells, ANonlinearAtomOverRealsIsRefused) {
  const Result<Cells> cells =
      try_cells(cells_model_of("sense a : real 0..9  sense b : real 0..9  constraint a * b == 49"));
  ASSERT_FALSE(cells.has_value());
  EXPECT_NE(cells.error().message.find("`a * b == 49`"), std::string::npos);
}

TEST(Cells, TooManyCombinationsAreRefusedWithTheirNumber) {
  const Result<Cells> cells =
      try_cells(cells_model_of("sense a : int 0..99999  sense b : int 0..99999  sense c : int 0..9 "
                               "constraint a < b and 2 * b < c"));
  ASSERT_FALSE(cells.has_value());
  EXPECT_NE(cells.error().message.find("without `2 * b < c`"), std::string::npos)
      << cells.error().message;
  EXPECT_NE(cells.error().message.find("10000000000"), std::string::npos) << cells.error().message;
}

TEST(Cells, AContextCanBeFoundForItsAtoms) {
  const Model model =
      cells_model_of("sense g : bool  sense p : {a, b, c} if g  constraint p == a or p == b");
  const Result<Cells> cells = try_cells(model);
  EXPECT_FALSE(cells->context_with({true, true}).has_value());
  const std::optional<Context> context = cells->context_with({false, true});
  ASSERT_TRUE(context.has_value());
  EXPECT_EQ(evaluate(model, *context).atoms, (std::vector<bool>{false, true}));
}

TEST(Cells, AFreedVariableTakesEveryPartItsNeighboursLeaveIt) {
  const Model model = cells_model_of(
      "sense g : bool  sense v : real 0..10 if g  sense w : real 0..10 "
      "rule r: S -> S when not g do g := true  constraint v < w or not g");
  const Result<Cells> cells = try_cells(model);
  std::set<std::size_t> counts;
  cells->for_each_context([&](const Context& context) {
    if (context[0] == Value(0)) counts.insert(after(model, RuleId{0}, context, *cells).size());
    return true;
  });
  // w == 0: v == w or v > w; w == 10: v < w or v == w; between: all three.
  EXPECT_EQ(counts, (std::set<std::size_t>{2, 3}));
}

}  // namespace
}  // namespace poise::model
