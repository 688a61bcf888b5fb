#include "poise/smt/horn.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "tests/support/conditions.h"

namespace poise::smt {
namespace {

using model::FormulaId;
using model::Op;
using model::Relation;
using test::minus;
using test::plus;
using test::said_by_z3;
using test::slot;
using test::Texts;

constexpr UnknownId x{0};
constexpr UnknownId y{1};

Clause::Unknown unknown(Sort sort, std::string name) {
  return {.sort = sort, .name = std::move(name)};
}

// Interpretations that are all given; the query's is false.
Invariant invariant_of(const System& system, const Texts& texts, std::vector<FormulaId> formulas) {
  Invariant invariant{.atoms = texts.atoms, .formulas = texts.formulas};
  for (const FormulaId formula : formulas) {
    invariant.interpretations.push_back({.formula = formula, .text = ""});
  }
  EXPECT_EQ(invariant.interpretations.size(), system.predicates.size());
  return invariant;
}

// n starts at 0 and grows by 1 while it is less than 10; it must not become `bad`.
struct Counter {
  Texts texts;
  System system;
  ClauseId start, step, failing;
  PredicateId at;

  Counter(Sort sort, std::int64_t bad) {
    at = system.predicates.add({.name = "at", .sorts = {sort}});
    system.query = system.predicates.add({.name = "failure"});
    const FormulaId small = texts.comparison(plus(slot(0), -10), Relation::Less);
    const FormulaId is_bad = texts.comparison(plus(slot(0), -bad), Relation::GreaterEqual);
    start = system.clauses.add({.name = "start",
                                .unknowns = {unknown(sort, "n")},
                                .requirements = {Range{.a = x, .low = 0, .high = 0}},
                                .head = {at, {x}}});
    step = system.clauses.add({.name = "step",
                               .unknowns = {unknown(sort, "n"), unknown(sort, "n'")},
                               .body = {{at, {x}}},
                               .requirements = {holding(small), Range{y, x, 1, 1}},
                               .head = {at, {y}}});
    failing = system.clauses.add({.name = "fail",
                                  .unknowns = {unknown(sort, "n")},
                                  .body = {{at, {x}}},
                                  .requirements = {holding(is_bad)},
                                  .head = {system.query, {}}});
  }
  Counter(const Counter&) = delete;  // requirements refer to the tables
  Counter& operator=(const Counter&) = delete;

  [[nodiscard]] Holding holding(FormulaId formula) const {
    return {.conditions = texts.conditions(), .formula = formula, .slots = {x}};
  }
};

TEST(Horn, ProvesThatACounterStopsWithAnInvariantThatHolds) {
  for (const Sort sort : {Sort::Whole, Sort::Real}) {
    const Counter counter(sort, 11);
    const Reachability found = reachability(counter.system);
    ASSERT_EQ(found.reachable, Answer::No) << found.why;
    EXPECT_TRUE(found.derivation.empty());
    const Invariant& invariant = found.invariant;
    ASSERT_TRUE(invariant.interpretations[0].formula) << invariant.interpretations[0].text;
    for (int n = 0; n <= 12; ++n) {
      const bool inside =
          test::holds(invariant.conditions(), *invariant.interpretations[0].formula, {Rational(n)});
      EXPECT_TRUE(n > 10 || inside) << n << invariant.interpretations[0].text;
      EXPECT_FALSE(n > 10 && inside) << n << invariant.interpretations[0].text;
    }
    EXPECT_EQ(invariant.interpretations[1].text, "false");
    EXPECT_EQ(check_invariant(counter.system, invariant).holds, Answer::Yes);
    EXPECT_EQ(said_by_z3(horn_text(counter.system).value()).answer, "sat");
  }
}

TEST(Horn, FindsAllStepsOfACounterThatGoesTooFar) {
  for (const Sort sort : {Sort::Whole, Sort::Real}) {
    const Counter counter(sort, 7);
    const Reachability found = reachability(counter.system);
    ASSERT_EQ(found.reachable, Answer::Yes) << found.why;
    std::vector<ClauseId> expected = {counter.start};
    expected.insert(expected.end(), 7, counter.step);
    expected.push_back(counter.failing);
    EXPECT_EQ(found.derivation, expected);
    EXPECT_EQ(said_by_z3(horn_text(counter.system).value()).answer, "unsat");
  }
}

TEST(Horn, SaysWhichClauseAWrongInvariantBreaks) {
  Counter counter(Sort::Whole, 11);
  Texts texts;
  const FormulaId no = texts.join(Op::False, {});
  const FormulaId most_ten = texts.comparison(plus(slot(0), -10), Relation::LessEqual);
  const FormulaId most_nine = texts.comparison(plus(slot(0), -9), Relation::LessEqual);
  const FormulaId positive = texts.comparison(slot(0), Relation::Greater);
  const FormulaId any = texts.join(Op::True, {});
  const auto checked = [&](FormulaId formula) {
    return check_invariant(counter.system, invariant_of(counter.system, texts, {formula, no}));
  };
  const auto duty = [&](const InvariantCheck& check) {
    return duty_of(counter.system, counter.system.clauses[check.clause.value()]);
  };
  EXPECT_EQ(checked(most_ten).holds, Answer::Yes);
  const InvariantCheck first = checked(positive);
  EXPECT_EQ(first.holds, Answer::No);
  EXPECT_EQ(duty(first), Duty::Initiation);
  EXPECT_EQ(first.values.numbers, std::vector<Rational>{0});
  const InvariantCheck kept = checked(most_nine);
  EXPECT_EQ(kept.holds, Answer::No);
  EXPECT_EQ(duty(kept), Duty::Consecution);
  EXPECT_EQ(kept.values.numbers, (std::vector<Rational>{9, 10}));
  const InvariantCheck safe = checked(any);
  EXPECT_EQ(safe.holds, Answer::No);
  EXPECT_EQ(duty(safe), Duty::Safety);
  EXPECT_GE(safe.values.numbers.at(0), Rational(11));
}

TEST(Horn, DoesNotTakeAnInvariantWithoutAFormulaForGranted) {
  const Counter counter(Sort::Whole, 11);
  Invariant invariant;
  invariant.interpretations.resize(counter.system.predicates.size());
  const InvariantCheck check = check_invariant(counter.system, invariant);
  EXPECT_EQ(check.holds, Answer::Unknown);
  EXPECT_FALSE(check.why.empty());
}

// A car in two states. In A it goes forward 5 to 15 while what it senses, off by at most 6, is at
// least `margin`; then it goes back the same way in B. It must not come to 0.
struct Car {
  Texts texts;
  System system;

  explicit Car(std::int64_t margin) {
    const PredicateId a = system.predicates.add({.name = "in A", .sorts = {Sort::Real}});
    const PredicateId b = system.predicates.add({.name = "in B", .sorts = {Sort::Real}});
    system.query = system.predicates.add({.name = "bump"});
    const FormulaId free = texts.comparison(plus(slot(0), -margin), Relation::GreaterEqual);
    const FormulaId bump = texts.comparison(slot(0), Relation::LessEqual);
    const UnknownId sensed{2};
    const std::vector<Clause::Unknown> moved = {unknown(Sort::Real, "d"), unknown(Sort::Real, "d"),
                                                unknown(Sort::Real, "sensed")};
    system.clauses.add({.name = "start",
                        .unknowns = {unknown(Sort::Real, "d")},
                        .requirements = {Range{.a = x, .low = 1, .high = 400}},
                        .head = {a, {x}}});
    system.clauses.add(
        {.name = "forward",
         .unknowns = moved,
         .body = {{a, {x}}},
         .requirements = {Range{sensed, x, -6, 6},
                          Holding{
                              .conditions = texts.conditions(), .formula = free, .slots = {sensed}},
                          Range{x, y, 5, 15}},
         .head = {b, {y}}});
    system.clauses.add({.name = "back",
                        .unknowns = {unknown(Sort::Real, "d"), unknown(Sort::Real, "d'")},
                        .body = {{b, {x}}},
                        .requirements = {Range{y, x, 5, 15}},
                        .head = {a, {y}}});
    for (const PredicateId state : {a, b}) {
      system.clauses.add({.name = "bump",
                          .unknowns = {unknown(Sort::Real, "d")},
                          .body = {{state, {x}}},
                          .requirements = {Holding{
                              .conditions = texts.conditions(), .formula = bump, .slots = {x}}},
                          .head = {system.query, {}}});
    }
  }
  Car(const Car&) = delete;
  Car& operator=(const Car&) = delete;
};

TEST(Horn, DecidesASystemOfTwoStates) {
  const Car safe(22);  // at least 16 away, at most 15 far
  const Reachability proved = reachability(safe.system);
  ASSERT_EQ(proved.reachable, Answer::No) << proved.why;
  EXPECT_EQ(check_invariant(safe.system, proved.invariant).holds, Answer::Yes);
  EXPECT_EQ(said_by_z3(horn_text(safe.system).value()).answer, "sat");

  const Car unsafe(21);  // at least 15 away
  const Reachability found = reachability(unsafe.system);
  ASSERT_EQ(found.reachable, Answer::Yes) << found.why;
  EXPECT_EQ(found.derivation, (std::vector<ClauseId>{{0}, {1}, {4}}));
  EXPECT_EQ(said_by_z3(horn_text(unsafe.system).value()).answer, "unsat");
}

TEST(Horn, TakesClausesWithTwoPredicatesAndQueriesWithArguments) {
  // Doubling: p(1); p(a), p(b), c = a + b => p(c). The query: p(c), c = 5 => q(c).
  for (const std::int64_t wanted : {5, -5}) {
    Texts texts;
    System system;
    const UnknownId z{2};
    const PredicateId p = system.predicates.add({.name = "p", .sorts = {Sort::Whole}});
    system.query = system.predicates.add({.name = "q", .sorts = {Sort::Whole}});
    const FormulaId sum =
        texts.comparison(minus(minus(slot(2), slot(0)), slot(1)), Relation::Equal);
    system.clauses.add({.name = "one",
                        .unknowns = {unknown(Sort::Whole, "a")},
                        .requirements = {Range{.a = x, .low = 1, .high = 1}},
                        .head = {p, {x}}});
    system.clauses.add({.name = "sum",
                        .unknowns = {unknown(Sort::Whole, "a"), unknown(Sort::Whole, "b"),
                                     unknown(Sort::Whole, "c")},
                        .body = {{p, {x}}, {p, {y}}},
                        .requirements = {Holding{
                            .conditions = texts.conditions(), .formula = sum, .slots = {x, y, z}}},
                        .head = {p, {z}}});
    system.clauses.add({.name = "wanted",
                        .unknowns = {unknown(Sort::Whole, "a")},
                        .body = {{p, {x}}},
                        .requirements = {Range{.a = x, .low = wanted, .high = wanted}},
                        .head = {system.query, {x}}});
    const Reachability found = reachability(system);
    ASSERT_EQ(found.reachable, wanted > 0 ? Answer::Yes : Answer::No) << found.why;
    EXPECT_EQ(said_by_z3(horn_text(system).value()).answer, wanted > 0 ? "unsat" : "sat");
    if (wanted < 0) {
      EXPECT_EQ(check_invariant(system, found.invariant).holds, Answer::Yes);
    }
  }
}

TEST(Horn, KnowsThatNothingComesFromNothing) {
  System system;
  const PredicateId p = system.predicates.add({.name = "p", .sorts = {Sort::Real}});
  const PredicateId beside = system.predicates.add({.name = "p", .sorts = {}});
  system.query = system.predicates.add({.name = "and", .sorts = {}});
  system.clauses.add({.name = "query\n(exit)",
                      .unknowns = {unknown(Sort::Real, "let")},
                      .body = {{p, {x}}},
                      .head = {system.query, {}}});
  system.clauses.add({.name = "", .unknowns = {}, .head = {beside, {}}});
  const Reachability found = reachability(system);
  ASSERT_EQ(found.reachable, Answer::No) << found.why;
  EXPECT_EQ(check_invariant(system, found.invariant).holds, Answer::Yes);
  EXPECT_EQ(said_by_z3(horn_text(system).value()).answer, "sat");
}

TEST(Horn, GivesUpWhenItsTimeIsOver) {
  // a = b = 0; then a grows by 1 and b by a. So 2b = a * a - a always, and 2b is never 1 less,
  // which no linear invariant expresses.
  Texts texts;
  System system;
  const PredicateId at = system.predicates.add({.name = "at", .sorts = {Sort::Whole, Sort::Whole}});
  system.query = system.predicates.add({.name = "never"});
  const std::vector<Clause::Unknown> unknowns = {
      unknown(Sort::Whole, "a"), unknown(Sort::Whole, "b"), unknown(Sort::Whole, "c"),
      unknown(Sort::Whole, "d")};
  const FormulaId grown =
      texts.comparison(minus(minus(slot(3), slot(1)), slot(0)), Relation::Equal);
  const FormulaId never = texts.comparison(
      plus(minus(model::sum(model::scaled(slot(1), 2), slot(0)), model::product(slot(0), slot(0))),
           1),
      Relation::Equal);
  system.clauses.add(
      {.name = "start",
       .unknowns = {unknowns[0], unknowns[1]},
       .requirements = {Range{.a = x, .low = 0, .high = 0}, Range{.a = y, .low = 0, .high = 0}},
       .head = {at, {x, y}}});
  system.clauses.add({.name = "step",
                      .unknowns = unknowns,
                      .body = {{at, {x, y}}},
                      .requirements = {Range{UnknownId{2}, x, 1, 1},
                                       Holding{.conditions = texts.conditions(),
                                               .formula = grown,
                                               .slots = {x, y, UnknownId{2}, UnknownId{3}}}},
                      .head = {at, {UnknownId{2}, UnknownId{3}}}});
  system.clauses.add({.name = "never",
                      .unknowns = {unknowns[0], unknowns[1]},
                      .body = {{at, {x, y}}},
                      .requirements = {Holding{
                          .conditions = texts.conditions(), .formula = never, .slots = {x, y}}},
                      .head = {system.query, {}}});
  const Reachability found = reachability(system, {.time_limit = std::chrono::milliseconds(300)});
  EXPECT_NE(found.reachable, Answer::Yes);
  EXPECT_TRUE(found.reachable == Answer::No || found.why == "the time limit was reached");
  // Work is counted: too little is too little on every machine.
  const Reachability limited = reachability(system, {.work_limit = 100});
  EXPECT_EQ(limited.reachable, Answer::Unknown);
  EXPECT_EQ(limited.why, reachability(system, {.work_limit = 100}).why);
}

// ---- Random systems of a few states and two small whole numbers, against a walk ----

struct RandomSystem {
  struct Move {
    std::size_t from, to;
    FormulaId guard;  // of slots 0 and 1
    std::array<std::int64_t, 2> by;
  };
  static constexpr std::int64_t kMost = 4;  // both numbers stay within 0 and this
  static constexpr std::size_t kStates = 3;
  Texts texts;
  System system;
  std::vector<Move> moves;
  FormulaId bad;

  explicit RandomSystem(Random& random) {
    for (std::size_t i = 0; i < kStates; ++i) {
      system.predicates.add({.name = fmt::format("S{}", i), .sorts = {Sort::Whole, Sort::Whole}});
    }
    system.query = system.predicates.add({.name = "bad"});
    add_start();
    const std::size_t count = 5 + random.below(4);
    for (std::size_t i = 0; i < count; ++i) {
      moves.push_back({.from = random.below(kStates),
                       .to = random.below(kStates),
                       .guard = texts.join(Op::Or, {half_plane(random), half_plane(random)}),
                       .by = {step(random), step(random)}});
      add_move(moves.back());
    }
    bad = texts.join(Op::Or, {half_plane(random), half_plane(random)});
    add_query();
  }
  RandomSystem(const RandomSystem&) = delete;
  RandomSystem& operator=(const RandomSystem&) = delete;

  static std::int64_t step(Random& random) {
    return static_cast<std::int64_t>(random.below(4)) - 1;
  }

  FormulaId half_plane(Random& random) {
    const auto factor = [&] { return Rational(static_cast<std::int64_t>(random.below(5)) - 3); };
    const auto value =
        model::sum(model::scaled(slot(0), factor()), model::scaled(slot(1), factor()));
    return texts.comparison(plus(value, 2 * step(random)),
                            random.below(3) == 0 ? Relation::Equal : Relation::Less);
  }

  void add_start() {
    system.clauses.add(
        {.name = "start",
         .unknowns = {unknown(Sort::Whole, "a"), unknown(Sort::Whole, "b")},
         .requirements = {Range{.a = x, .low = 0, .high = 0}, Range{.a = y, .low = 0, .high = 0}},
         .head = {PredicateId{0}, {x, y}}});
  }
  void add_move(const Move& move) {
    const UnknownId c{2};
    const UnknownId d{3};
    system.clauses.add({.name = "move",
                        .unknowns = {unknown(Sort::Whole, "a"), unknown(Sort::Whole, "b"),
                                     unknown(Sort::Whole, "c"), unknown(Sort::Whole, "d")},
                        .body = {{PredicateId{static_cast<std::uint32_t>(move.from)}, {x, y}}},
                        .requirements = {holding(move.guard), Range{c, x, move.by[0], move.by[0]},
                                         Range{d, y, move.by[1], move.by[1]},
                                         Range{.a = c, .low = 0, .high = kMost},
                                         Range{.a = d, .low = 0, .high = kMost}},
                        .head = {PredicateId{static_cast<std::uint32_t>(move.to)}, {c, d}}});
  }
  void add_query() {
    system.clauses.add({.name = "bad",
                        .unknowns = {unknown(Sort::Whole, "a"), unknown(Sort::Whole, "b")},
                        .body = {{PredicateId{kStates - 1}, {x, y}}},
                        .requirements = {holding(bad)},
                        .head = {system.query, {}}});
  }
  [[nodiscard]] Holding holding(FormulaId formula) const {
    return {.conditions = texts.conditions(), .formula = formula, .slots = {x, y}};
  }

  struct Place {
    std::size_t state;
    std::int64_t a, b;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  [[nodiscard]] bool holds(FormulaId formula, const Place& place) const {
    return test::holds(texts.conditions(), formula, {Rational(place.a), Rational(place.b)});
  }
  [[nodiscard]] std::optional<Place> after(const Move& move, const Place& place) const {
    const Place next{move.to, place.a + move.by[0], place.b + move.by[1]};
    const auto inside = [](std::int64_t number) { return number >= 0 && number <= kMost; };
    if (move.from != place.state || !holds(move.guard, place)) return std::nullopt;
    return inside(next.a) && inside(next.b) ? std::optional(next) : std::nullopt;
  }
  [[nodiscard]] bool is_bad(const Place& place) const {
    return place.state == kStates - 1 && holds(bad, place);
  }

  [[nodiscard]] std::set<Place> all_places() const {
    std::set<Place> known = {{0, 0, 0}};
    for (std::vector<Place> waiting(known.begin(), known.end()); !waiting.empty();) {
      const Place place = waiting.back();
      waiting.pop_back();
      for (const Move& move : moves) {
        const auto next = after(move, place);
        if (next && known.insert(*next).second) waiting.push_back(*next);
      }
    }
    return known;
  }
};

TEST(Horn, AgreesWithAWalkThroughRandomSystems) {
  Random random(5);
  int reachable = 0;
  constexpr int kRounds = 60;
  for (int round = 0; round < kRounds; ++round) {
    const RandomSystem made(random);
    const std::set<RandomSystem::Place> places = made.all_places();
    const bool expected =
        std::ranges::any_of(places, [&](const auto& place) { return made.is_bad(place); });
    const Reachability found = reachability(made.system, {.time_limit = std::chrono::minutes(1)});
    ASSERT_EQ(found.reachable, expected ? Answer::Yes : Answer::No)
        << found.why << horn_text(made.system).value();
    if (!expected) {
      ASSERT_EQ(check_invariant(made.system, found.invariant).holds, Answer::Yes)
          << horn_text(made.system).value();
      for (const RandomSystem::Place& place : places) {
        const auto formula = found.invariant.interpretations[place.state].formula;
        EXPECT_TRUE(!formula || test::holds(found.invariant.conditions(), *formula,
                                            {Rational(place.a), Rational(place.b)}));
      }
      continue;
    }
    // The derivation is a walk: it starts with the start and ends with the query.
    ++reachable;
    ASSERT_GE(found.derivation.size(), 2U);
    EXPECT_EQ(found.derivation.front(), ClauseId{0});
    EXPECT_EQ(found.derivation.back().index, made.system.clauses.size() - 1);
    RandomSystem::Place place{0, 0, 0};
    for (std::size_t i = 1; i + 1 < found.derivation.size(); ++i) {
      const auto next = made.after(made.moves.at(found.derivation[i].index - 1), place);
      ASSERT_TRUE(next) << i;
      place = *next;
    }
    EXPECT_TRUE(made.is_bad(place));
  }
  EXPECT_GT(reachable, kRounds / 10);
  EXPECT_LT(reachable, kRounds * 9 / 10);
}

}  // namespace
}  // namespace poise::smt
