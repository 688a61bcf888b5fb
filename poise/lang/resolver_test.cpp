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

// ---- The world ----

constexpr std::string_view kRobot = R"(
    sense disF : real 0..400 error -6..6 gauss 2
    sense disB : real 0..400 error -6..6
    sense bag : set {a, b}
    sense on : bool
    sense place : {home, office}
    stream S { v: int 0..9 }
    var unit : real = 10 error -5..5 table 1 4 6 4 1
    let moved(a, b) = a - b < 5
    let far = disF > 100
    let opened(s) = s has b
    action walkF: disF' == disF - unit and disB' == disB + unit
    action drop: not bag' has a and opened(bag') and on' and (far implies place' == home)
    action creep: moved(disF, disF') and disF' in {1, 2}
    failure bump: disF <= 0 after walkF, far and (disB <= 0) after drop
    rule r: S -> S when disF < 20 and exists s in S: s.v > 3 do walkF, unit := 3, beep, drop
)";

std::string world_atoms(const Model& model) {
  std::string result;
  for (const model::Atom& atom : model.world.atoms) {
    result += (result.empty() ? "" : " | ") + atom.text;
  }
  return result;
}

std::string numbers(const std::vector<model::SlotId>& slots) {
  std::string result;
  for (const model::SlotId slot : slots) {
    result += (result.empty() ? "" : " ") + std::to_string(slot.index);
  }
  return result;
}

TEST(Resolver, TheWorldHasTablesOfItsOwn) {
  const Model model = model_of(std::string(kRobot));
  EXPECT_EQ(model.atoms.size(), 2U);  // those of the rule
  EXPECT_EQ(world_atoms(model),
            "disF' == disF - unit | disB' == disB + unit | bag' has a | bag' has b | on' | "
            "disF > 100 | place' == home | disF - disF' < 5 | disF' in {1, 2} | disF <= 0 | "
            "disB <= 0");
  for (const model::FormulaId id : model.world.formulas.ids()) {
    const model::Formula& formula = model.world.formulas[id];
    for (const model::FormulaId part : formula.parts) EXPECT_LT(part, id);
    if (formula.op != model::Op::Atom) continue;
    EXPECT_LT(formula.atom.index, model.world.atoms.size());
  }
}

TEST(Resolver, LaterValuesHaveTheSlotsBehindAllOthers) {
  const Model model = model_of(std::string(kRobot));
  ASSERT_EQ(model.slots.size(), 8U);  // with the one of the query
  const Table<model::WorldActionId, model::WorldAction>& actions = model.world.actions;
  ASSERT_EQ(actions.size(), 3U);
  EXPECT_EQ(numbers(actions[{0}].primed), "0 1");
  EXPECT_EQ(numbers(actions[{1}].primed), "2 3 4 5");
  EXPECT_EQ(numbers(actions[{2}].primed), "0");
  const model::Atom& walk = model.world.atoms[model::AtomId{0}];
  EXPECT_EQ(numbers(walk.slots), "0 6 8");
  ASSERT_EQ(walk.value.terms.size(), 3U);
  EXPECT_EQ(numbers(walk.value.terms[0].slots), "0");
  EXPECT_EQ(walk.value.terms[0].coefficient, Rational(-1));
  EXPECT_EQ(numbers(walk.value.terms[2].slots), "8");
  EXPECT_EQ(walk.value.terms[2].coefficient, Rational(1));
  EXPECT_EQ(numbers(model.world.atoms[model::AtomId{3}].slots), "11");  // bag' has b
}

TEST(Resolver, ARuleDoesTheActionsThatAreDeclared) {
  const Model model = model_of(std::string(kRobot));
  const std::vector<model::Action>& actions = model.rules[model::RuleId{0}].actions;
  ASSERT_EQ(actions.size(), 4U);
  EXPECT_EQ(actions[0].world, model::WorldActionId{0});
  EXPECT_EQ(actions[1].world, std::nullopt);
  EXPECT_EQ(actions[2].world, std::nullopt);
  EXPECT_EQ(actions[3].world, model::WorldActionId{1});
  EXPECT_TRUE(actions[3].effects.empty());
}

TEST(Resolver, AFailureIsAfterItsActions) {
  const Model model = model_of(std::string(kRobot));
  ASSERT_EQ(model.world.failures.size(), 1U);
  const model::WorldFailure& bump = model.world.failures[model::FailureId{0}];
  EXPECT_EQ(bump.name, "bump");
  ASSERT_EQ(bump.cases.size(), 2U);
  EXPECT_EQ(bump.cases[0].after, model::WorldActionId{0});
  EXPECT_EQ(bump.cases[1].after, model::WorldActionId{1});
  EXPECT_EQ(bump.at.line, bump.cases[0].at.line);
  EXPECT_LT(bump.cases[0].at.column, bump.cases[1].at.column);
}

// Else `check` would count situations of atoms that no rule asks about.
TEST(Resolver, StartConditionsAreOfTheWorld) {
  const Model model = model_of(
      "sense x : int 0..9 var v : bool = true let low = x < 3 start low or v start s: x != 2 "
      "rule r: S -> S when x > 5");
  EXPECT_EQ(model.atoms.size(), 1U);
  EXPECT_EQ(world_atoms(model), "x < 3 | v | x != 2");
  ASSERT_EQ(model.world.starts.size(), 2U);
  EXPECT_EQ(model.world.starts[model::StartId{0}].name, "");
  EXPECT_EQ(model.world.starts[model::StartId{1}].name, "s");
  const model::Formula& second =
      model.world.formulas[model.world.starts[model::StartId{1}].condition];
  EXPECT_EQ(second.op, model::Op::Atom);
  EXPECT_EQ(second.atom, model::AtomId{2});
}

TEST(Resolver, ErrorsHaveARangeAndALaw) {
  const Model model = model_of(std::string(kRobot));
  using Law = model::WorldError::Law;
  const model::WorldError& gauss = *model.variables[model::VariableId{0}].error;
  EXPECT_EQ(gauss.low, Rational(-6));
  EXPECT_EQ(gauss.high, Rational(6));
  EXPECT_EQ(gauss.law, Law::Gauss);
  EXPECT_EQ(gauss.deviation, Rational(2));
  EXPECT_EQ(model.variables[model::VariableId{1}].error->law, Law::Uniform);
  EXPECT_FALSE(model.variables[model::VariableId{2}].error.has_value());
  const model::WorldError& table = *model.variables[model::VariableId{5}].error;
  EXPECT_EQ(table.law, Law::Table);
  EXPECT_EQ(table.weights, (std::vector<Rational>{1, 4, 6, 4, 1}));
}

TEST(Resolver, AVariableWithoutARangeHasTheValuesItIsGiven) {
  const Model model = model_of(
      "var x : real = 10 var n : int = 7 var y : real 0..9 = 1 "
      "rule r: S -> S when x > 3 do x := -2.5, x := 12, x := 3");
  const model::Variable& x = model.variables[model::VariableId{0}];
  EXPECT_TRUE(x.unbounded);
  EXPECT_EQ(x.type.low, Rational::from_decimal("-2.5"));
  EXPECT_EQ(x.type.high, Rational(12));
  EXPECT_EQ(x.initial, std::vector<Rational>{10});
  const model::Variable& n = model.variables[model::VariableId{1}];
  EXPECT_EQ(n.type.low, Rational(7));
  EXPECT_EQ(n.type.high, Rational(7));
  EXPECT_FALSE(model.variables[model::VariableId{2}].unbounded);
  EXPECT_EQ(codes("state S initial var n : int = 0.5"), "out-of-range");
  EXPECT_EQ(codes("state S initial var n : int = 1 rule r: S -> S when true do n := 1.5"),
            "out-of-range");
}

TEST(Resolver, PrimesAreForActions) {
  const std::string context = "state S initial sense x : int 0..9 let twice = 2 * x ";
  EXPECT_EQ(codes(context + "rule r: S -> S when x' > 3"), "misplaced-prime");
  EXPECT_EQ(codes(context + "constraint x' > 3"), "misplaced-prime");
  EXPECT_EQ(codes(context + "let later = x' > 3"), "misplaced-prime");
  EXPECT_EQ(codes(context + "let later(a) = a' > 3 action act: later(x)"), "misplaced-prime");
  EXPECT_EQ(codes(context + "let later(a) = x' > a action act: later(x) and later(x')"),
            "misplaced-prime");
  EXPECT_EQ(codes(context + "action act: x' > 3 failure f: x' > 3 after act"), "misplaced-prime");
  EXPECT_EQ(codes(context + "action act: twice' > 3"), "misplaced-prime");
  EXPECT_EQ(codes(context + "action act: y' > 3"), "unknown-name");
  EXPECT_EQ(codes(context + "action act: x' > true"), "type-mismatch");
  EXPECT_EQ(codes(context + "stream T { v: int 0..9 } "
                            "rule r: S -> S when exists t in T: t.v < x'"),
            "misplaced-prime");
}

TEST(Resolver, TheWorldKnowsNoStreams) {
  const std::string context =
      "state S initial sense x : int 0..9 stream T { v: int 0..9 } extern e(a: int) "
      "let seen = exists t in T: t.v > 3 let again = not seen or x > 3 let call(a) = e(a) "
      "action act: x' > 3 ";
  EXPECT_EQ(codes(context), "");
  EXPECT_EQ(codes(context + "action a: x' > 3 or exists t in T: t.v > 3"), "stream-in-world");
  EXPECT_EQ(codes(context + "action a: x' > 3 or all t in T[last 5s]: t.v > x'"),
            "stream-in-world");
  EXPECT_EQ(codes(context + "action a: x' > 3 or seen"), "stream-in-world");
  EXPECT_EQ(codes(context + "action a: x' > 3 or again"), "stream-in-world");
  EXPECT_EQ(codes(context + "action a: e(x)"), "stream-in-world");
  EXPECT_EQ(codes(context + "failure f: call(x) after act"), "stream-in-world");
  EXPECT_EQ(codes(context + "failure f: again after act"), "stream-in-world");
}

TEST(Resolver, ActionsAreDeclaredOnceAndApart) {
  const std::string context = "state S initial sense walk : bool let turn = walk ";
  EXPECT_EQ(codes(context + "action S: walk' rule S: S -> S when walk do S"), "");
  EXPECT_EQ(codes(context + "action walk: walk'"), "duplicate-name");
  EXPECT_EQ(codes("action turn: true " + context), "duplicate-name");
  EXPECT_EQ(codes(context + "action a: walk' action a: not walk'"), "duplicate-action");
  EXPECT_EQ(codes(context + "action a: walk' failure f: walk after a failure f: walk after a"),
            "duplicate-failure");
}

TEST(Resolver, ActionsThatAreNotDeclared) {
  const std::string context = "state S initial sense x : bool action walkF: x' ";
  EXPECT_EQ(codes(context + "rule r: S -> S when x do beep, connect"), "");
  EXPECT_EQ(codes(context + "rule r: S -> S when x do walkf, beep"), "unknown-action");
  EXPECT_EQ(codes("state S initial sense x : bool rule r: S -> S when x do walkf"), "");
  EXPECT_EQ(codes(context + "failure f: x after walkf"), "unknown-action");
  EXPECT_EQ(codes(context + "failure f: x after beep"), "unknown-action");
  EXPECT_EQ(codes(context + "action turnL: y ' failure f: x after turnL "
                            "rule r: S -> S when x do turnL, turnLL"),
            "misplaced-prime");
  EXPECT_EQ(codes(context + "rule r: S -> S when walkF"), "unknown-name");
}

TEST(Resolver, MistakesInErrors) {
  const std::string context = "state S initial ";
  EXPECT_EQ(codes(context + "sense x : bool error -1..1"), "bad-error");
  EXPECT_EQ(codes(context + "var x : {a, b} = a error -1..1"), "bad-error");
  EXPECT_EQ(codes(context + "sense x : real 0..9 error 1..-1"), "empty-range");
  EXPECT_EQ(codes(context + "sense x : real 0..9 error 1..1"), "");
  EXPECT_EQ(codes(context + "sense x : int 0..9 error -1.5..1"), "fractional-bound");
  EXPECT_EQ(codes(context + "sense x : real 0..9 error -1..1 gauss 0"), "bad-error");
  EXPECT_EQ(codes(context + "sense x : real 0..9 error -1..1 gauss -2"), "bad-error");
  EXPECT_EQ(codes(context + "sense x : int 0..9 error -1..1 gauss 0.5"), "");
  EXPECT_EQ(codes(context + "sense x : real 0..9 error -1..1 table 0 0"), "bad-error");
  EXPECT_EQ(codes(context + "sense x : real 0..9 error -1..1 table 0 0 -1"), "bad-error");
}

}  // namespace
}  // namespace poise::lang
