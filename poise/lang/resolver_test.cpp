#include "poise/lang/resolver.h"

#include <string>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"

namespace poise::lang {
namespace {

using model::Model;

Parsed parsed(const std::string& text) { return parse({.name = "dir/test.poise", .text = text}); }

// The codes of all diagnostics, in order.
std::string codes(const std::string& text) {
  std::string result;
  for (const diag::Diagnostic& diagnostic : parsed(text).diagnostics) {
    result += (result.empty() ? "" : " ") + std::string(diag::info(diagnostic.code).code);
  }
  return result;
}

Model model_of(const std::string& text) {
  Parsed result = parsed("state S initial " + text);
  EXPECT_TRUE(result.model.has_value()) << result.diagnostics.front().message;
  return std::move(*result.model);
}

std::string atoms(const std::string& text) {
  std::string result;
  for (const model::Atom& atom : model_of(text).atoms) {
    result += (result.empty() ? "" : " | ") + atom.text;
  }
  return result;
}

TEST(Resolver, NamesAModelByItsFileUnlessItHasAName) {
  EXPECT_EQ(parsed("state A initial").model->name, "test");
  EXPECT_EQ(parsed("model M state A initial").model->name, "M");
}

TEST(Resolver, AnAtomIsTheSameWhereverItStandsTheSameWay) {
  EXPECT_EQ(atoms("sense x : int 0..9 constraint x > 5 or (x > 5) and x > 5.0"), "x > 5");
  EXPECT_EQ(atoms("sense x : int 0..9 constraint x > 5 or 5 < x or not x <= 5"),
            "x > 5 | 5 < x | x <= 5");
  EXPECT_EQ(atoms("sense x : int 0..9 let big = x > 5 constraint big or x > 5"), "x > 5");
}

TEST(Resolver, AtomsOfUnusedLetsDoNotCount) {
  EXPECT_EQ(atoms("sense x : bool sense y : bool let unused = y constraint x"), "x");
}

TEST(Resolver, LetsAreExpandedWhereTheyAreUsed) {
  EXPECT_EQ(atoms("sense a : int 0..9 sense b : int 0..9 "
                  "let near(p, q) = p - q < 5 constraint near(a, b + 1) and near(b, 2 * a)"),
            "a - (b + 1) < 5 | b - 2 * a < 5");
  EXPECT_EQ(atoms("sense d : set {m, n} let sees(x) = d has x constraint sees(m) or sees(n)"),
            "d has m | d has n");
  EXPECT_EQ(atoms("sense p : {m, n} let at(x) = p == x let twice(x) = at(x) constraint twice(n)"),
            "p == n");
  EXPECT_EQ(atoms("sense x : int 0..999 let limit = 5m constraint x > limit"), "x > 5m");
}

TEST(Resolver, AMemberComesBeforeAVariableOfThatName) {
  EXPECT_EQ(atoms("sense home : bool sense p : {home, away} constraint p == home and home"),
            "p == home | home");
  const Model model = model_of("sense home : bool sense p : {home, away} constraint p == home");
  EXPECT_EQ(model.atoms[model::AtomId{0}].slots.size(), 1U);
}

TEST(Resolver, ComparisonsOfConstantsAreNoAtoms) {
  EXPECT_EQ(atoms("sense x : bool constraint 1 < 2 and x and 60s == 1m"), "x");
}

TEST(Resolver, EnumerationsOfTheSameMembersCompare) {
  EXPECT_EQ(atoms("sense p : {a, b} sense q : {b, a} constraint p != q"), "p != q");
  EXPECT_EQ(codes("sense p : {a, b} sense q : {a, c} constraint p == q state S initial"),
            "type-mismatch");
}

TEST(Resolver, NumbersCompareWhateverTheirTypes) {
  EXPECT_EQ(atoms("sense i : int 0..9 sense r : real 0..9 constraint i < r + 0.5"), "i < r + 0.5");
}

TEST(Resolver, ReportsEveryMistakeOnce) {
  EXPECT_EQ(
      codes(R"(
    sense x : bool
    sense x : bool
    let moving = spede > 5 and spede < 7
    state A initial, A
    rule r: A -> C when moving
    rule r: A -> A when x and moving)"),
      "duplicate-name unknown-name unknown-name duplicate-state unknown-state duplicate-rule");
}

TEST(Resolver, WhatDependsOnABrokenDeclarationIsPassedOver) {
  EXPECT_EQ(codes("sense speed real 0..9  let fast = speed > 5  state A initial "
                  "rule r: A -> A when fast and speed > 7 do speed := 3"),
            "expected-symbol");
}

TEST(Resolver, LetsThatNeedThemselvesAreReported) {
  EXPECT_EQ(codes("let a = b let b = a state A initial rule r: A -> A when a"), "circular-let");
  EXPECT_EQ(codes("let f(x) = f(x) state A initial rule r: A -> A when f(1)"), "circular-let");
  EXPECT_EQ(codes("sense n : int 0..9 let f(x) = x + 1 state A initial "
                  "rule r: A -> A when f(f(n)) > 3"),
            "");
}

TEST(Resolver, ExplosiveExpansionsAreRefused) {
  std::string doubling = "sense b : bool let f0(x) = b and x > 0 ";
  for (int i = 1; i < 60; ++i) {
    const std::string previous = std::to_string(i - 1);
    const std::string now = std::to_string(i);
    doubling += "let f" + now + "(x) = f" + previous + "(2 * x) or f" + previous + "(2 * x + 1) ";
  }
  EXPECT_EQ(codes(doubling + "state A initial rule r: A -> A when f59(1)"), "expansion-too-large");
  const std::string digits(1000, '9');
  EXPECT_EQ(
      codes("state A initial rule r: A -> A when 3 < " + digits + " * " + digits + " * " + digits),
      "number-too-large");
}

TEST(Resolver, SharedLetsStaySmall) {
  std::string text = "sense b : bool sense c : bool let a0 = b ";
  for (int i = 1; i < 300; ++i) {
    const std::string previous = "a" + std::to_string(i - 1);
    text +=
        "let a" + std::to_string(i) + " = " + previous + " and b or not " + previous + " and c ";
  }
  const Parsed result = parsed(text + "state A initial rule r: A -> A when a299");
  ASSERT_TRUE(result.model.has_value());
  EXPECT_LT(result.model->formulas.size(), 1300U);
}

}  // namespace
}  // namespace poise::lang
