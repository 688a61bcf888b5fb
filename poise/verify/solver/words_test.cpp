// Invariants as text: complete, and in the language.

#include "poise/verify/system/words.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/model/polynomial.h"
#include "poise/verify/solver/clauses.h"
#include "poise/verify/verify.h"
#include "tests/support/models.h"

namespace poise::verify {
namespace {

// The condition of each state; "never" for those that are not reached.
std::vector<std::string> invariants_of(const std::string& text, Engine engine = Engine::Zones) {
  const model::Model model = test::model_of(text);
  const Report report = run(model, {.engine = engine});
  EXPECT_EQ(report.verdict, Verdict::Safe) << report.reason;
  std::vector<std::string> conditions;
  for (const Invariant& invariant : report.invariants) {
    conditions.push_back(condition_of(invariant).value_or("never"));
  }
  std::vector<std::string> said = conditions;
  std::erase(said, "never");
  const lang::ParsedConditions read =
      lang::parse_with_conditions({.name = "m.poise", .text = text}, said);
  EXPECT_TRUE(read.model.has_value());
  return conditions;
}

using Texts = std::vector<std::string>;

TEST(InvariantWords, HaveBoundsThatAreThoseOfTheRange) {
  EXPECT_EQ(invariants_of("sense x : real 0..10\n"
                          "sense y : real 0..10\n"
                          "action grow: x' >= x and y' == y\n"
                          "action keep: x' == x and y' == y\n"
                          "failure f: x < 0 after keep\n"
                          "state A initial\n"
                          "state B, C\n"
                          "rule r: A -> B when true do grow\n"
                          "rule s: B -> B when true do keep\n"),
            (Texts{"x >= 0 and x <= 10 and y >= 0 and y <= 10", "x >= 0 and y >= 0 and y <= 10",
                   "never"}));
}

TEST(InvariantWords, NameOwnVariablesAndMembers) {
  EXPECT_EQ(invariants_of("sense x : real 0..10\n"
                          "sense bag : set {key, rule}\n"
                          "sense phase : {low, state, high}\n"
                          "var unit : real = 2.5\n"
                          "var lamp : bool = false\n"
                          "action a: x' == x and phase' in {state} and bag' has rule\n"
                          "failure f: x < 0 after a\n"
                          "state A initial\n"
                          "state B\n"
                          "rule r: A -> B when true do a, lamp := true\n"),
            (Texts{"unit == 2.5 and x >= 0 and x <= 10 and not lamp",
                   "unit == 2.5 and x >= 0 and x <= 10 and bag has rule and phase in {state} and "
                   "lamp"}));
}

TEST(InvariantWords, SayNothingOfVariablesWithoutAValue) {
  const std::string text =
      "sense on : bool\n"
      "sense x : real 0..10 if on\n"
      "action a: (on' iff on) and (on implies x' == x)\n"
      "action b: not on'\n"
      "failure f: x < 0 after a\n"
      "state A initial\n"
      "state B\n"
      "rule r: A -> A when true do a\n"
      "rule s: A -> B when true do b\n";
  EXPECT_EQ(invariants_of(text),
            (Texts{"not on or (on implies x >= 0) and (on implies x <= 10)", "not on"}));
  EXPECT_EQ(invariants_of(text, Engine::Smt).size(), 2U);
}

TEST(InvariantWords, TellMembersApart) {
  EXPECT_EQ(invariants_of("sense a : bool\n"
                          "sense b : bool\n"
                          "sense x : real 0..10\n"
                          "action link: (a' iff b') and x' == x\n"
                          "failure f: a and not b after link\n"
                          "state A initial\n"
                          "state B\n"
                          "rule r: A -> B when true do link\n")
                .back(),
            "not a and not b and x >= 0 and x <= 10 or a and b and x >= 0 and x <= 10");
}

TEST(InvariantWords, MultiplyOutWhatIsNoDecimal) {
  const model::Model model =
      test::model_of("sense x : real 0..1\nsense y : real 0..1\nstate A initial\n");
  const auto words = [&](const Rational& x, const Rational& y, const Rational& number,
                         model::Relation relation) {
    model::Polynomial value = model::scaled(model::slot_value(model::SlotId{0}), x);
    value = model::sum(value, model::scaled(model::slot_value(model::SlotId{1}), y));
    return comparison_words(model, model::sum(value, model::constant(number)), relation);
  };
  EXPECT_EQ(words(1, 0, Rational(-1, 3), model::Relation::LessEqual), "3 * x <= 1");
  EXPECT_EQ(words(1, 0, Rational(-1, 4), model::Relation::LessEqual), "x <= 0.25");
  EXPECT_EQ(words(-1, 0, Rational(-1, 6), model::Relation::Less), "6 * x > -1");
  EXPECT_EQ(words(Rational(1, 3), Rational(-1, 7), 1, model::Relation::Equal),
            "7 * x == 3 * y - 21");
  EXPECT_EQ(words(0, 0, 1, model::Relation::Less), "false");
}

TEST(InvariantWords, CanBeReadWhateverSpacerFinds) {
  // Products and sums of three are beyond zones.
  invariants_of(
      "sense on : bool\n"
      "sense lit : bool if on\n"
      "sense x : real 0..10 if lit\n"
      "sense y : real 0..10\n"
      "sense mode : {slow, fast, still}\n"
      "var n : int 0..3 = 0\n"
      "action a: y' == 0.5 * y and mode' == mode and (on' iff on) and (lit' iff lit) and\n"
      "  (lit implies x' == x)\n"
      "action b: (mode' in {fast} iff y > 3) and y' == y and (lit implies x' <= 3 * y)\n"
      "failure f: y < 0 after a, x < -1 and y > 20 after b, mode in {slow} and y > 12 after a\n"
      "state A initial\n"
      "state B\n"
      "rule r: A -> B when y > 1 do a, n := 1\n"
      "rule s: B -> A when x < 3 or mode in {fast} do b, n := 2\n",
      Engine::Smt);
}

// Each failure alone has an invariant; together these exclude both.
TEST(Conjunction, OfInvariantsExcludesWhatEachExcludes) {
  const model::Model model = test::model_of(
      "sense x : real 0..10\n"
      "sense y : real 0..10\n"
      "action a: x' == 0.5 * x and y' == 0.5 * y\n"
      "failure f: x > 10 after a\n"
      "failure g: y > 10 after a\n"
      "state A initial\n"
      "rule r: A -> A when true do a\n");
  const System system = system_of(model, Mode::Actual);
  const std::vector<Place> places = places_to_fail(system);
  ASSERT_EQ(places.size(), 2U);
  std::vector<smt::Invariant> each;
  for (const Place& place : places) {
    smt::Reachability one = smt::reachability(clauses_of(system, {place}));
    ASSERT_EQ(one.reachable, smt::Answer::No);
    each.push_back(std::move(one.invariant));
  }
  const smt::System all = clauses_of(system, places);
  EXPECT_EQ(smt::check_invariant(all, conjunction(each)).holds, smt::Answer::Yes);
  EXPECT_EQ(smt::check_invariant(all, each.front()).holds, smt::Answer::No);
}

}  // namespace
}  // namespace poise::verify
