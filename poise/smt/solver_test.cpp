#include "poise/smt/solver.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/model/polynomial.h"
#include "poise/model/step.h"
#include "tests/support/conditions.h"

namespace poise::smt {
namespace {

using model::Atom;
using model::AtomId;
using model::Formula;
using model::FormulaId;
using model::Op;
using model::Polynomial;
using model::Relation;
using model::SlotId;
using test::holds;
using test::minus;
using test::plus;
using test::said_by_z3;
using test::slot;
using test::Texts;
using test::Z3Output;

constexpr std::array kRelations = {Relation::Equal,     Relation::NotEqual, Relation::Less,
                                   Relation::LessEqual, Relation::Greater,  Relation::GreaterEqual};

Rational random_between(Random& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

Polynomial random_linear(Random& random, std::uint32_t slots) {
  Polynomial value = model::constant(random_between(random, -4, 4));
  for (std::uint32_t i = 0; i < slots; ++i) {
    const Rational coefficient = random_between(random, -3, 3) / random_between(random, 1, 2);
    if (coefficient.sign() != 0) value = model::sum(value, model::scaled(slot(i), coefficient));
  }
  return value;
}

Polynomial random_polynomial(Random& random, std::uint32_t slots) {
  const Polynomial linear = random_linear(random, slots);
  if (random.below(3) != 0) return linear;
  return model::sum(linear, model::product(slot(static_cast<std::uint32_t>(random.below(slots))),
                                           random_linear(random, slots)));
}

FormulaId random_connective(Texts& texts, Random& random, const std::vector<FormulaId>& known) {
  const auto any = [&] { return known[random.below(known.size())]; };
  switch (random.below(6)) {
    case 0: return texts.join(Op::Not, {any()});
    case 1: return texts.join(Op::And, {any(), any(), any()});
    case 2: return texts.join(Op::Or, {any(), any()});
    case 3: return texts.join(Op::Implies, {any(), any()});
    case 4: return texts.join(Op::Iff, {any(), any()});
    default: return texts.join(random.coin() ? Op::And : Op::Or, {});
  }
}

FormulaId random_formula(Texts& texts, Random& random, std::uint32_t slots, bool linear) {
  std::vector<FormulaId> known;
  for (int i = 0; i < 4; ++i) {
    Polynomial value = linear ? random_linear(random, slots) : random_polynomial(random, slots);
    if (!linear && random.below(4) == 0) {
      known.push_back(texts.membership(std::move(value), {-1, Rational(1, 2), 2}));
    } else {
      known.push_back(texts.comparison(std::move(value), kRelations[random.below(6)]));
    }
  }
  for (int i = 0; i < 4; ++i) known.push_back(random_connective(texts, random, known));
  return texts.join(Op::And, {known[random.below(8)], known[random.below(8)], known.back()});
}

model::Context context_of(const Values& values) {
  return {values.numbers.begin(), values.numbers.end()};
}

std::string word_for(Answer answer) {
  return answer == Answer::Yes ? "sat" : answer == Answer::No ? "unsat" : "unknown";
}

// ---- Fourier and Motzkin: is there a point for linear inequalities? ----

struct Inequality {
  std::vector<Rational> coefficients;
  Rational constant;
  bool strict = false;  // sum + constant < 0, else <= 0
};

bool feasible(std::vector<Inequality> system, std::size_t unknowns) {
  for (std::size_t x = 0; x < unknowns; ++x) {
    std::vector<Inequality> next;
    for (const Inequality& one : system) {
      if (one.coefficients[x].sign() == 0) next.push_back(one);
    }
    for (const Inequality& above : system) {
      if (above.coefficients[x].sign() <= 0) continue;
      for (const Inequality& below : system) {
        if (below.coefficients[x].sign() >= 0) continue;
        const Rational by = -below.coefficients[x] / above.coefficients[x];
        Inequality both = below;
        for (std::size_t i = 0; i < unknowns; ++i) {
          both.coefficients[i] = both.coefficients[i] + by * above.coefficients[i];
        }
        both.constant = both.constant + by * above.constant;
        both.strict = both.strict || above.strict;
        next.push_back(std::move(both));
      }
    }
    system = std::move(next);
  }
  return std::ranges::all_of(system, [](const Inequality& one) {
    return one.strict ? one.constant.sign() < 0 : one.constant.sign() <= 0;
  });
}

Inequality less(const Polynomial& value, int sign, bool strict, std::size_t unknowns) {
  Inequality made{.coefficients = std::vector<Rational>(unknowns), .strict = strict};
  for (std::uint32_t i = 0; i < unknowns; ++i) {
    made.coefficients[i] = model::coefficient(value, SlotId{i}) * Rational(sign);
  }
  made.constant = value.constant * Rational(sign);
  return made;
}

// The atom, or its negation, as alternatives, each a conjunction.
std::vector<std::vector<Inequality>> alternatives(const Atom& atom, bool truth, std::size_t n) {
  const Polynomial& value = atom.value;
  const bool equal = (atom.relation == Relation::Equal) == truth;
  switch (atom.relation) {
    case Relation::Equal:
    case Relation::NotEqual:
      if (equal) return {{less(value, 1, false, n), less(value, -1, false, n)}};
      return {{less(value, 1, true, n)}, {less(value, -1, true, n)}};
    case Relation::Less: return {{less(value, truth ? 1 : -1, truth, n)}};
    case Relation::LessEqual: return {{less(value, truth ? 1 : -1, !truth, n)}};
    case Relation::Greater: return {{less(value, truth ? -1 : 1, truth, n)}};
    case Relation::GreaterEqual: return {{less(value, truth ? -1 : 1, !truth, n)}};
  }
  return {};
}

// All ways to choose one alternative for each atom from `next` on.
bool feasible_choice(const Texts& texts, unsigned truths, std::uint32_t next,
                     const std::vector<Inequality>& system, std::size_t n) {
  if (next == texts.atoms.size()) return feasible(system, n);
  const bool truth = ((truths >> next) & 1U) != 0;
  const auto choices = alternatives(texts.atoms[AtomId{next}], truth, n);
  return std::ranges::any_of(choices, [&](const std::vector<Inequality>& choice) {
    std::vector<Inequality> more = system;
    more.insert(more.end(), choice.begin(), choice.end());
    return feasible_choice(texts, truths, next + 1, more, n);
  });
}

bool holds_with(const Texts& texts, FormulaId id, unsigned truths) {
  const Formula& formula = texts.formulas[id];
  const auto part = [&](FormulaId one) { return holds_with(texts, one, truths); };
  switch (formula.op) {
    case Op::False: return false;
    case Op::True: return true;
    case Op::Atom: return ((truths >> formula.atom.index) & 1U) != 0;
    case Op::Not: return !part(formula.parts[0]);
    case Op::And: return std::ranges::all_of(formula.parts, part);
    case Op::Or: return std::ranges::any_of(formula.parts, part);
    case Op::Implies: return !part(formula.parts[0]) || part(formula.parts[1]);
    case Op::Iff: return part(formula.parts[0]) == part(formula.parts[1]);
  }
  return false;
}

bool satisfiable_by_elimination(const Texts& texts, FormulaId formula, std::size_t n) {
  for (unsigned truths = 0; truths < (1U << texts.atoms.size()); ++truths) {
    if (holds_with(texts, formula, truths) && feasible_choice(texts, truths, 0, {}, n)) return true;
  }
  return false;
}

// ---- Tests ----

TEST(Solver, AgreesWithAllPointsOfASmallGrid) {
  constexpr std::int64_t kEdge = 3;
  Random random(1);
  int yes = 0;
  for (int round = 0; round < 200; ++round) {
    Texts texts;
    const FormulaId formula = random_formula(texts, random, 3, false);
    const Polarity truth = random.coin() ? Polarity::Holds : Polarity::Fails;
    Solver solver;
    std::vector<UnknownId> slots;
    for (int i = 0; i < 3; ++i) {
      slots.push_back(solver.add_unknown(Sort::Whole, fmt::format("x{}", i)));
      solver.require_between(slots.back(), -kEdge, kEdge);
    }
    solver.require(texts.conditions(), formula, slots, truth);
    bool expected = false;
    for (std::int64_t a = -kEdge; a <= kEdge; ++a) {
      for (std::int64_t b = -kEdge; b <= kEdge; ++b) {
        for (std::int64_t c = -kEdge; c <= kEdge; ++c) {
          const model::Context point = {Rational(a), Rational(b), Rational(c)};
          expected =
              expected || holds(texts.conditions(), formula, point) == (truth == Polarity::Holds);
        }
      }
    }
    ASSERT_EQ(solver.check(), expected ? Answer::Yes : Answer::No) << solver.smtlib();
    if (!expected) continue;
    ++yes;
    const Values values = solver.values();
    EXPECT_TRUE(values.exact);
    EXPECT_EQ(holds(texts.conditions(), formula, context_of(values)), truth == Polarity::Holds);
    for (const Rational& number : values.numbers) EXPECT_TRUE(number.is_integer());
  }
  EXPECT_GT(yes, 25);
  EXPECT_LT(yes, 175);
}

TEST(Solver, AgreesWithFourierMotzkinOnRealNumbers) {
  Random random(2);
  int yes = 0;
  for (int round = 0; round < 200; ++round) {
    Texts texts;
    const FormulaId formula = random_formula(texts, random, 3, true);
    Solver solver;
    std::vector<UnknownId> slots;
    for (int i = 0; i < 3; ++i) slots.push_back(solver.add_unknown(Sort::Real, "x"));
    solver.require(texts.conditions(), formula, slots);
    const bool expected = satisfiable_by_elimination(texts, formula, 3);
    ASSERT_EQ(solver.check(), expected ? Answer::Yes : Answer::No) << solver.smtlib();
    if (!expected) continue;
    ++yes;
    const Values values = solver.values();
    EXPECT_TRUE(values.exact);
    EXPECT_TRUE(holds(texts.conditions(), formula, context_of(values)));
  }
  EXPECT_GT(yes, 25);
  EXPECT_LT(yes, 175);
}

TEST(Solver, AgreesWithFreshSolversWhileRequirementsComeAndGo) {
  struct Required {
    FormulaId formula;
    std::vector<UnknownId> slots;
  };
  struct Level {
    std::size_t unknowns;
    std::size_t required;
  };
  Random random(3);
  Texts texts;
  std::vector<FormulaId> formulas;
  for (int i = 0; i < 12; ++i) {
    formulas.push_back(texts.comparison(random_linear(random, 2), kRelations[random.below(6)]));
  }
  for (int i = 0; i < 12; ++i) formulas.push_back(random_connective(texts, random, formulas));
  const auto sort_of = [](std::size_t unknown) {
    return unknown % 3 == 0 ? Sort::Whole : Sort::Real;
  };

  Solver solver;
  std::vector<Required> required;
  std::vector<Level> levels;
  std::size_t unknowns = 0;
  std::array<int, 2> answers{};
  for (int step = 0; step < 600; ++step) {
    const std::uint64_t act = random.below(10);
    if (act < 2 || unknowns < 2) {
      const UnknownId id = solver.add_unknown(sort_of(unknowns), fmt::format("u{}", unknowns));
      ASSERT_EQ(id.index, unknowns);
      ++unknowns;
    } else if (act < 5 && !levels.empty()) {
      const auto any = [&] {
        return UnknownId{static_cast<std::uint32_t>(random.below(unknowns))};
      };
      required.push_back({formulas[random.below(formulas.size())], {any(), any()}});
      solver.require(texts.conditions(), required.back().formula, required.back().slots);
    } else if (act < 7 && levels.size() < 8) {
      levels.push_back({unknowns, required.size()});
      solver.push();
    } else if (act < 8 && !levels.empty()) {
      solver.pop();
      unknowns = levels.back().unknowns;
      required.resize(levels.back().required);
      levels.pop_back();
      ASSERT_EQ(solver.unknown_count(), unknowns);
    } else {
      Solver fresh;
      for (std::size_t i = 0; i < unknowns; ++i) fresh.add_unknown(sort_of(i), "x");
      for (const Required& one : required)
        fresh.require(texts.conditions(), one.formula, one.slots);
      const Answer answer = solver.check();
      ASSERT_EQ(answer, fresh.check());
      ASSERT_NE(answer, Answer::Unknown);
      ++answers[answer == Answer::Yes ? 1 : 0];
      if (answer == Answer::No) continue;
      const Values values = solver.values();
      ASSERT_TRUE(values.exact);
      for (const Required& one : required) {
        model::Context context;
        for (const UnknownId id : one.slots) context.emplace_back(values.numbers[id.index]);
        EXPECT_TRUE(holds(texts.conditions(), one.formula, context));
      }
    }
  }
  EXPECT_GT(answers[0], 20);
  EXPECT_GT(answers[1], 20);
}

TEST(Solver, TellsStrictInequalitiesFromWeakOnes) {
  Texts texts;
  const FormulaId less = texts.comparison(minus(slot(0), slot(1)), Relation::Less);
  const FormulaId at_least = texts.comparison(minus(slot(0), slot(1)), Relation::GreaterEqual);
  const FormulaId at_most = texts.comparison(minus(slot(0), slot(1)), Relation::LessEqual);
  Solver solver;
  const std::array slots = {solver.add_unknown(Sort::Real, "a"),
                            solver.add_unknown(Sort::Real, "b")};
  solver.require(texts.conditions(), at_least, slots);
  solver.push();
  solver.require(texts.conditions(), at_most, slots);
  EXPECT_EQ(solver.check(), Answer::Yes);
  solver.pop();
  solver.require(texts.conditions(), less, slots);
  EXPECT_EQ(solver.check(), Answer::No);
}

TEST(Solver, FindsRealNumbersBetweenWholeOnesAndNoWholeOnes) {
  Texts texts;
  const FormulaId above = texts.comparison(slot(0), Relation::Greater);
  const FormulaId below = texts.comparison(plus(slot(0), -1), Relation::Less);
  for (const Sort sort : {Sort::Real, Sort::Whole}) {
    Solver solver;
    const std::array slots = {solver.add_unknown(sort, "x")};
    solver.require(texts.conditions(), above, slots);
    solver.require(texts.conditions(), below, slots);
    EXPECT_EQ(solver.check(), sort == Sort::Real ? Answer::Yes : Answer::No);
  }
}

TEST(Solver, MixesRealAndWholeUnknowns) {
  Texts texts;
  // 2a = b and 1 < b < 4, b != 2, of which a is whole: none; real: some.
  const FormulaId twice =
      texts.comparison(minus(model::scaled(slot(0), 2), slot(1)), Relation::Equal);
  const FormulaId not_two = texts.comparison(plus(slot(1), -2), Relation::NotEqual);
  for (const Sort sort : {Sort::Real, Sort::Whole}) {
    Solver solver;
    const std::array slots = {solver.add_unknown(sort, "a"), solver.add_unknown(Sort::Real, "b")};
    solver.require_between(slots[1], Rational(11, 10), Rational(39, 10));
    solver.require(texts.conditions(), twice, slots);
    solver.require(texts.conditions(), not_two, slots);
    EXPECT_EQ(solver.check(), sort == Sort::Real ? Answer::Yes : Answer::No);
  }
}

TEST(Solver, TakesFractionsForWholeUnknowns) {
  Solver solver;
  const UnknownId a = solver.add_unknown(Sort::Whole, "a");
  const UnknownId b = solver.add_unknown(Sort::Whole, "b");
  solver.require_between(a, Rational(5, 2), Rational(7, 2));
  solver.require_difference(a, b, Rational(-1, 2), Rational(1, 2));
  ASSERT_EQ(solver.check(), Answer::Yes);
  EXPECT_EQ(solver.values().numbers, (std::vector<Rational>{3, 3}));
  solver.require_equal(b, Rational(1, 3));
  EXPECT_EQ(solver.check(), Answer::No);
}

TEST(Solver, KeepsNumbersOfAnySize) {
  const Rational huge(Integer::power(10, 60) + Integer(7), Integer::power(3, 50));
  const std::vector<Rational> numbers = {huge,
                                         -huge,
                                         Integer::power(7, 80),
                                         -Rational(Integer::power(7, 80)),
                                         INT64_MIN,
                                         INT64_MAX,
                                         Rational(INT64_MIN, INT64_MAX),
                                         Rational(1, 3),
                                         Rational(-5, 2),
                                         0};
  Solver solver;
  for (const Rational& number : numbers) {
    solver.require_equal(solver.add_unknown(Sort::Real, "n"), number);
  }
  ASSERT_EQ(solver.check(), Answer::Yes);
  EXPECT_EQ(solver.values().numbers, numbers);
  EXPECT_TRUE(solver.values().exact);
  EXPECT_EQ(said_by_z3(solver.smtlib()).answer, "sat");
}

TEST(Solver, SaysWhereASolutionIsNotRational) {
  Texts texts;
  const FormulaId square_is_two =
      texts.comparison(plus(model::product(slot(0), slot(0)), -2), Relation::Equal);
  Solver solver;
  const std::array slots = {solver.add_unknown(Sort::Real, "x")};
  solver.require_between(slots[0], 0, 10);
  solver.require(texts.conditions(), square_is_two, slots);
  ASSERT_EQ(solver.check(), Answer::Yes);
  const Values values = solver.values();
  EXPECT_FALSE(values.exact);
  const Rational off = values.numbers[0] * values.numbers[0] - 2;
  EXPECT_LT(off, Rational(1, 100'000'000'000));
  EXPECT_GT(off, Rational(-1, 100'000'000'000));
}

TEST(Solver, DecidesPolynomialsOfRealNumbers) {
  Texts texts;
  const Polynomial x = slot(0);
  const Polynomial y = slot(1);
  const Polynomial circle =
      plus(model::sum(model::product(x, x), model::product(y, y)), Rational(-1));
  const FormulaId inside = texts.comparison(circle, Relation::Less);
  const FormulaId on_curve = texts.comparison(
      plus(model::product(x, model::product(x, y)), Rational(-1, 3)), Relation::GreaterEqual);
  const FormulaId far =
      texts.comparison(plus(model::product(x, y), Rational(-6, 10)), Relation::Greater);
  Solver solver;
  const std::array slots = {solver.add_unknown(Sort::Real, "x"),
                            solver.add_unknown(Sort::Real, "y")};
  solver.require(texts.conditions(), inside, slots);
  solver.push();
  solver.require(texts.conditions(), on_curve, slots);
  ASSERT_EQ(solver.check(), Answer::Yes) << solver.why();  // the most is 2 / (3 sqrt 3) = 0.38
  const Values values = solver.values();
  EXPECT_TRUE(!values.exact || holds(texts.conditions(), on_curve, context_of(values)));
  solver.pop();
  solver.require(texts.conditions(), far, slots);
  EXPECT_EQ(solver.check(), Answer::No) << solver.why();  // the most is 1/2
}

TEST(Solver, HoldsAtomsFalseWhereAGuardIsNotOne) {
  Texts texts;
  const FormulaId cold = texts.comparison(plus(slot(0), -10), Relation::Less);
  const FormulaId not_cold = texts.join(Op::Not, {cold});
  Solver solver;
  const UnknownId outer = solver.add_unknown(Sort::Whole, "power");
  const UnknownId inner = solver.add_unknown(Sort::Whole, "valid", outer);
  const std::array slots = {solver.add_unknown(Sort::Real, "temperature", inner)};
  solver.require_equal(slots[0], 5);
  for (const auto& [power, valid] : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 1}}) {
    const bool value = power == 1 && valid == 1;
    solver.push();
    solver.require_equal(outer, power);
    solver.require_equal(inner, valid);
    solver.push();
    solver.require(texts.conditions(), cold, slots);
    EXPECT_EQ(solver.check(), value ? Answer::Yes : Answer::No);
    solver.pop();
    solver.require(texts.conditions(), not_cold, slots);
    EXPECT_EQ(solver.check(), value ? Answer::No : Answer::Yes);
    solver.pop();
  }
}

TEST(Solver, WritesProblemsThatTheProgramZ3AnswersAlike) {
  Random random(4);
  for (int round = 0; round < 40; ++round) {
    // Products of real and whole numbers can take for ever.
    const bool mixed = random.coin();
    Texts texts;
    const FormulaId formula = random_formula(texts, random, 3, mixed);
    Solver solver;
    std::vector<UnknownId> slots;
    for (int i = 0; i < 3; ++i) {
      slots.push_back(
          solver.add_unknown(!mixed || random.coin() ? Sort::Whole : Sort::Real, "a value"));
      solver.require_between(slots.back(), Rational(-7, 3), 3);
    }
    solver.push();
    solver.require(texts.conditions(), formula, slots);
    const Answer answer = solver.check();
    const Z3Output output = said_by_z3(solver.smtlib());
    EXPECT_EQ(output.answer, word_for(answer)) << solver.smtlib() << output.rest;
    if (answer == Answer::Yes) {
      EXPECT_EQ(output.rest.find("error"), std::string::npos) << output.rest;
    }
  }
}

TEST(Solver, TakesAnyNamesAndTellsEqualOnesApart) {
  Solver solver;
  std::vector<UnknownId> unknowns;
  for (const char* name :
       {"disF.3", "a b",     "a|b",  "a\\b", "x",     "x",   "x~2", "x",   "",
        "_",      "!",       "let",  "and",  "true",  "if",  "as",  "par", "match",
        "lambda", "to_real", "+",    "-",    "12",    "-3",  "1.5", "\n",  "k!1",
        ";",      "\"",      ":key", "#x1",  "Größe", "Int", "pi",  "bv2", "assert"}) {
    unknowns.push_back(solver.add_unknown(Sort::Real, name));
    solver.require_equal(unknowns.back(), static_cast<std::int64_t>(unknowns.size()));
  }
  EXPECT_EQ(solver.check(), Answer::Yes);
  const Z3Output output = said_by_z3(solver.smtlib());
  EXPECT_EQ(output.answer, "sat") << solver.smtlib();
  EXPECT_EQ(output.rest.find("error"), std::string::npos) << output.rest;
}

TEST(Solver, GivesUpWhenItsTimeIsOver) {
  // x^3 + y^3 + z^3 = 114: nobody knows.
  Texts texts;
  Polynomial cubes = model::constant(-114);
  for (std::uint32_t i = 0; i < 3; ++i) {
    cubes = model::sum(cubes, model::product(slot(i), model::product(slot(i), slot(i))));
  }
  const FormulaId formula = texts.comparison(cubes, Relation::Equal);
  Solver solver({.time_limit = std::chrono::milliseconds(200)});
  const std::array slots = {solver.add_unknown(Sort::Whole, "x"),
                            solver.add_unknown(Sort::Whole, "y"),
                            solver.add_unknown(Sort::Whole, "z")};
  solver.push();
  solver.require(texts.conditions(), formula, slots);
  EXPECT_EQ(solver.check(), Answer::Unknown);
  EXPECT_EQ(solver.why(), "the time limit was reached");
  solver.pop();
  EXPECT_EQ(solver.check(), Answer::Yes);  // and goes on
}

TEST(Solver, GivesUpWhenItsMemoryIsUsedUp) {
  // Fourteen numbers between 0 and 12, no two of them closer than 1.
  Texts texts;
  const FormulaId apart = texts.join(
      Op::Or, {texts.comparison(plus(minus(slot(0), slot(1)), -1), Relation::GreaterEqual),
               texts.comparison(plus(minus(slot(1), slot(0)), -1), Relation::GreaterEqual)});
  Solver solver({.time_limit = std::chrono::seconds(60), .memory_bytes = 22'000'000});
  std::vector<UnknownId> numbers;
  for (int i = 0; i < 14; ++i) {
    const UnknownId number = solver.add_unknown(Sort::Real, "n");
    solver.require_between(number, 0, 12);
    for (const UnknownId other : numbers) {
      solver.require(texts.conditions(), apart, std::array{number, other});
    }
    numbers.push_back(number);
  }
  EXPECT_EQ(solver.check(), Answer::Unknown);
  EXPECT_EQ(solver.why(), "the memory limit was reached");
  const Solver for_the_next_test({.memory_bytes = SIZE_MAX});
}

}  // namespace
}  // namespace poise::smt
