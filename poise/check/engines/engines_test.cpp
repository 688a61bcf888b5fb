#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "poise/check/check.h"
#include "poise/finding/groups.h"
#include "poise/generate/generate.h"
#include "poise/model/cells.h"
#include "tests/support/models.h"

namespace poise::check {
namespace {

using test::model_of;

using finding::DeadCause;
using finding::Fault;
using finding::FaultKind;
using model::Model;

// "cycle A go back 2 loop 0": kind, state, rules, situations and what the kind adds.
std::string line(const Model& model, const Fault& fault) {
  std::string text = std::string(name(fault.kind)) + " " + model.states[fault.state].name;
  for (const model::RuleId rule : fault.rules) text += " " + model.rules[rule].name;
  if (fault.situations.sign() > 0) text += " " + fault.situations.to_string();
  if (fault.kind == FaultKind::Race) text += " ends " + model.states[fault.ends].name;
  if (fault.kind == FaultKind::Cycle) text += " loop " + std::to_string(fault.loop);
  if (fault.kind == FaultKind::DeadRule) {
    text += fault.cause == DeadCause::Shadowed ? " shadowed" : " unsatisfiable";
    for (const model::RuleId rule : fault.by) text += " " + model.rules[rule].name;
  }
  if (!fault.reachable) text += " unreachable";
  return text;
}

using Lines = std::vector<std::string>;

Lines lines(const Model& model, const Report& report) {
  Lines result;
  for (const Fault& fault : report.faults) result.push_back(line(model, fault));
  return result;
}

// "A r s 2": the situations in which both are triggered.
Lines overlap_lines(const Model& model, const Report& report) {
  Lines result;
  for (const Overlap& overlap : report.overlaps) {
    result.push_back(model.states[overlap.state].name + ' ' + model.rules[overlap.first].name +
                     ' ' + model.rules[overlap.second].name + ' ' + overlap.situations.to_string());
  }
  return result;
}

// Every engine gives the same answers.
class Engines : public testing::TestWithParam<Engine> {
 protected:
  static Report checked(const Model& model, Options options = {}) {
    options.engine = GetParam();
    return run(model, options);
  }
  static Lines faults_of(const std::string& text, const Options& options = {}) {
    const Model model = model_of(text);
    return lines(model, checked(model, options));
  }
};

INSTANTIATE_TEST_SUITE_P(All, Engines,
                         testing::Values(Engine::Auto, Engine::Reference, Engine::Enumerative,
                                         Engine::Symbolic, Engine::Hybrid),
                         [](const testing::TestParamInfo<Engine>& tested) {
                           return std::string(name(tested.param));
                         });

TEST_P(Engines, ReportsNondeterminismOncePerSetOfTriggeredRules) {
  EXPECT_EQ(faults_of(R"(
    sense x : bool  sense y : bool
    state A initial, B
    rule r: A -> B when x
    rule s: A -> B when x or y do ring
    rule t: A -> B when x and y do beep)"),
            (Lines{"nondeterminism A r s 1", "nondeterminism A r s t 1"}));
}

TEST_P(Engines, IgnoresRulesOfAnotherPriority) {
  EXPECT_EQ(faults_of(R"(
    sense x : bool
    state A initial, B
    rule r: A -> B priority 1 when x
    rule s: A -> B priority 2 when not x)"),
            Lines{});
}

TEST_P(Engines, TellsWhyARuleIsDead) {
  EXPECT_EQ(faults_of(R"(
    sense x : int 0..10
    state A initial, B
    rule low: A -> B priority 1 when x < 5
    rule high: A -> B priority 1 when x >= 5
    rule never: A -> B when x > 10
    rule weak: A -> B priority 2 when true
    rule weaker: A -> B when x == 3)"),
            (Lines{"dead-rule A never unsatisfiable", "dead-rule A weak shadowed low high",
                   "dead-rule A weaker shadowed low"}));
}

TEST_P(Engines, ADeadStateHasOnlyDeadRules) {
  EXPECT_EQ(
      faults_of(R"(
    sense x : bool
    state A initial, B, C
    rule r: A -> B when x
    rule s: B -> C when x and not x)"),
      (Lines{"dead-rule B s unsatisfiable", "dead-state B", "unreachable-state C unreachable"}));
}

constexpr const char* kUnreachable = R"(
  sense x : bool
  state A initial, B, C
  rule r: A -> A when x and not x
  rule s: B -> C when x
  rule t: B -> C when x)";

TEST_P(Engines, LeavesOutFaultsInUnreachableStatesUnlessAsked) {
  EXPECT_EQ(faults_of(kUnreachable),
            (Lines{"dead-rule A r unsatisfiable", "dead-state A", "unreachable-state B unreachable",
                   "unreachable-state C unreachable"}));
  EXPECT_EQ(faults_of(kUnreachable, {.show = Show::All}).front(),
            "nondeterminism B s t 1 unreachable");
}

TEST_P(Engines, FollowsRunsToTheirEnd) {
  EXPECT_EQ(faults_of(R"(
    sense x : bool  sense y : bool
    state A initial, B, C
    rule ab: A -> B when x
    rule bc: B -> C when y
    rule bb: B -> B priority 1 when x and not y)"),
            (Lines{"race A ab bc 1 ends C", "cycle B bb 1 loop 0", "cycle A ab bb 1 loop 1"}));
}

TEST_P(Engines, ListsTheShortestPathsAndSaysThatThereAreMore) {
  const Model model = model_of(R"(
    sense x : bool
    state A initial, B, C, D
    rule ab: A -> B when x
    rule bc: B -> C when x
    rule cd: C -> D when x)");
  Options options;
  options.paths = 1;
  const Report one = checked(model, options);
  EXPECT_EQ(lines(model, one), Lines{"race B bc cd 1 ends D"});
  EXPECT_TRUE(one.more_races);
  EXPECT_FALSE(one.more_cycles);
  EXPECT_FALSE(one.extent.complete);
  EXPECT_TRUE(one.extent.stopped.empty());
  options.paths = 2;
  EXPECT_TRUE(checked(model, options).extent.complete);
  options.paths = 0;
  const Report none = checked(model, options);
  EXPECT_EQ(lines(model, none), Lines{});
  EXPECT_FALSE(none.extent.complete);
  ASSERT_EQ(none.unstable.size(), 2U);
  EXPECT_EQ(model.rules[none.unstable[0].rule].name, "ab");
}

TEST_P(Engines, SetsOfFewRulesComeFirst) {
  const Model model = model_of(R"(
    sense x : bool  sense y : bool  sense z : bool
    state A initial, B, C
    rule ab: A -> B when x
    rule ac: A -> C when x
    rule ba: B -> A when x
    rule bb: B -> B when y
    rule bc: B -> C when z)");
  const Lines all = {"nondeterminism A ab ac 1", "nondeterminism B ba bb 1",
                     "nondeterminism B ba bc 1", "nondeterminism B bb bc 1",
                     "nondeterminism B ba bb bc 1"};
  EXPECT_EQ(lines(model, checked(model, {.only = {FaultKind::Nondeterminism}})), all);
  for (const std::size_t most : {0U, 1U, 2U, 4U, 5U}) {
    const Report report =
        checked(model, {.only = {FaultKind::Nondeterminism}, .paths = most, .jobs = 2});
    EXPECT_EQ(lines(model, report),
              Lines(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most)));
    EXPECT_EQ(report.more_choices, most < 5);
    EXPECT_EQ(report.extent.complete, most == 5);
    EXPECT_EQ(report.extent.stopped, "");
    EXPECT_EQ(overlap_lines(model, report),
              (Lines{"A ab ac 1", "B ba bb 2", "B ba bc 2", "B bb bc 2"}));
  }
}

TEST_P(Engines, RulesThatDoTheSameAreHarmless) {
  const Model model = model_of(R"(
    sense x : bool  sense y : bool  sense z : bool
    var a : bool = false  var b : bool = false
    state A initial, B
    rule r: A -> B when x do a := true, b := false
    rule s: A -> B when y do b := true, a := true, b := false
    rule t: A -> B when z do a := true)");
  const Options options{.only = {FaultKind::Nondeterminism}};
  EXPECT_EQ(
      lines(model, checked(model, options)),
      (Lines{"nondeterminism A r t 1", "nondeterminism A s t 1", "nondeterminism A r s t 1"}));
  Options everything = options;
  everything.show = Show::All;
  const Report report = checked(model, everything);
  ASSERT_EQ(lines(model, report), (Lines{"nondeterminism A r s 1", "nondeterminism A r t 1",
                                         "nondeterminism A s t 1", "nondeterminism A r s t 1"}));
  EXPECT_TRUE(report.faults[0].harmless);
  for (const std::size_t i : {1U, 2U, 3U}) EXPECT_FALSE(report.faults[i].harmless);
  for (const Options& asked : {options, everything}) {
    const Report again = checked(model, asked);
    ASSERT_EQ(overlap_lines(model, again), (Lines{"A r s 2", "A r t 2", "A s t 2"}));
    EXPECT_TRUE(again.overlaps[0].harmless);
    EXPECT_EQ(again.overlaps[0].asked_for, asked.show == Show::All);
    EXPECT_TRUE(again.overlaps[1].asked_for);
    EXPECT_FALSE(again.overlaps[1].harmless);
  }
}

TEST_P(Engines, TheOrderOfActionsMakesADifferenceWhereOneAssignsAGuard) {
  // r leaves 5 in n; after s, n has any value.
  const Model model = model_of(R"(
    sense on : bool  sense n : int 0..9 if on  sense x : bool
    state A initial, B
    rule r: A -> B when x do on := true, n := 5
    rule s: A -> B when x do n := 5, on := true
    rule t: A -> B when x do on := true, n := 5)");
  const Report report = checked(model);
  ASSERT_EQ(overlap_lines(model, report), (Lines{"A r s 1", "A r t 1", "A s t 1"}));
  EXPECT_FALSE(report.overlaps[0].harmless);
  EXPECT_TRUE(report.overlaps[1].harmless);
  EXPECT_FALSE(report.overlaps[2].harmless);
}

TEST_P(Engines, NamedActionsMakeADifference) {
  const Model model = model_of(R"(
    sense x : bool
    state A initial, B
    rule r: A -> B when x do ring
    rule s: A -> B when x do ring
    rule t: A -> B when x do beep)");
  const Report report = checked(model);
  ASSERT_EQ(report.overlaps.size(), 3U);
  EXPECT_TRUE(report.overlaps[0].harmless);
  EXPECT_FALSE(report.overlaps[1].harmless);
  EXPECT_FALSE(report.overlaps[2].harmless);
}

TEST_P(Engines, OverlapsAreThoseOfTheStrongest) {
  const Model model = model_of(R"(
    sense x : bool  sense y : bool  sense z : bool
    state A initial, B
    rule r: A -> B priority 1 when x
    rule s: A -> A priority 2 when y
    rule t: A -> B priority 2 when y
    rule u: A -> B priority 3 when z)");
  EXPECT_EQ(overlap_lines(model, checked(model)), Lines{"A s t 2"});
  EXPECT_EQ(overlap_lines(model, checked(model, {.count = Count::Rules})), Lines{"A s t 1"});
  EXPECT_EQ(overlap_lines(model, checked(model, {.priorities = model::Priorities::Ignored})),
            (Lines{"A r s 2", "A r t 2", "A r u 2", "A s t 4", "A s u 2", "A t u 2"}));
}

TEST_P(Engines, OverlapsAreListedWhateverIsAskedFor) {
  const Model model = model_of(R"(
    sense x : bool
    state A initial, B, C
    rule r: B -> A when x
    rule s: B -> C when x)");
  const Report report = checked(model, {.only = {FaultKind::DeadRule}, .paths = 0});
  EXPECT_EQ(overlap_lines(model, report), Lines{"B r s 1"});
  EXPECT_FALSE(report.overlaps[0].asked_for);
  EXPECT_TRUE(report.extent.complete);
  EXPECT_FALSE(checked(model).overlaps[0].asked_for);  // B cannot be reached
  EXPECT_TRUE(checked(model, {.show = Show::All}).overlaps[0].asked_for);
}

TEST_P(Engines, UnstableListsARuleThatLeadsToItself) {
  const Model model = model_of("sense x : bool  state A initial  rule r: A -> A when x");
  const Report report = checked(model);
  ASSERT_EQ(report.unstable.size(), 1U);
  EXPECT_EQ(report.unstable[0].situations, Integer(1));
  EXPECT_EQ(lines(model, report), Lines{"cycle A r 1 loop 0"});
}

TEST_P(Engines, ConstraintsRuleOutOnlyTheContextsWhereRunsStart) {
  // y is false at the start; the action makes it true, whatever the constraint says.
  EXPECT_EQ(faults_of(R"(
    sense x : bool  sense y : bool
    constraint not y
    state A initial, B, C
    rule ab: A -> B when x do y := true
    rule bc: B -> C when y)"),
            (Lines{"dead-rule B bc unsatisfiable", "dead-state B",
                   "unreachable-state C unreachable", "race A ab bc 1 ends C"}));
}

TEST_P(Engines, LatestElementsAreAsTheirFieldsAllow) {
  const std::string streams = R"(
    stream plate { status: {down, up} }
    state Away initial, Here
    rule come: Away -> Here when exists p in plate: p.status == down
    )";
  EXPECT_EQ(faults_of(streams + "rule go: Here -> Away when exists p in plate: p.status == up"),
            Lines{});
  EXPECT_EQ(faults_of(streams + "rule go: Here -> Away when all p in plate: p.status == down"),
            (Lines{"cycle Away come go 1 loop 0", "cycle Here go come 1 loop 0"}));
  // A window may have elements of both sorts.
  EXPECT_EQ(faults_of(streams + "rule go: Here -> Away when exists p in plate[last 5s]: "
                                "p.status == up"),
            (Lines{"cycle Away come go 1 loop 0", "cycle Here go come 1 loop 0"}));
}

TEST_P(Engines, NothingIsCountedOverFieldsOfLatestElements) {
  const Model model = model_of(R"(
    sense a : bool
    stream s { n: int 0..9, m: int 0..9 }
    state A initial
    rule r: A -> A when a and (exists e in s: e.n > 3 and e.m > 5) and not (exists e in s: e.n > 7))");
  Options options;
  options.count = Count::All;
  const Report report = checked(model, options);
  EXPECT_EQ(report.size.atoms, 3U);
  EXPECT_EQ(report.size.situations, Integer(8));
  EXPECT_EQ(lines(model, report), Lines{"cycle A r 1 loop 0"});
}

TEST_P(Engines, IgnoringConstraintsLooksIntoNoStream) {
  Options options;
  options.constraints = Constraints::Ignored;
  const Model model = model_of(R"(
    stream s { n: int 0..9 }
    state A initial
    rule r: A -> A when (exists e in s: e.n > 7) and not (exists e in s: e.n > 3))");
  EXPECT_EQ(lines(model, checked(model, options)), Lines{"cycle A r 1 loop 0"});
}

// Renewed, each pair of numbers is possible: also 2 and 2, which no test tells from 1 and 1 before
// `a` is reset. So the run comes back to 0 and 2 as well as to 0 and 1.
TEST_P(Engines, FreesNumbersThatAreReadTogether) {
  Options options;
  options.only = {FaultKind::Cycle};
  options.paths = 1;
  EXPECT_EQ(faults_of(R"(
    sense on : bool  sense a : int 0..2 if on  sense b : int 1..2 if on
    state B initial, C, D
    rule renew: B -> C when on do on := false, on := true
    rule pass: C -> D when b - a <= 0
    rule reset: D -> B when a + b > 1 do a := 0)",
                      options),
            Lines{"cycle B renew pass reset 2 loop 0"});
}

TEST_P(Engines, ContradictoryConstraintsLeaveNothing) {
  const Model model = model_of(
      "sense x : bool constraint x constraint not x state A initial, B rule r: A -> B when x");
  const Report report = checked(model);
  EXPECT_EQ(report.size.situations, Integer(0));
  EXPECT_EQ(lines(model, report), (Lines{"dead-rule A r unsatisfiable", "dead-state A",
                                         "unreachable-state B unreachable"}));
}

// Large enough for several threads to have something to do.
TEST_P(Engines, FindTheSameWithAnyNumberOfThreads) {
  if (GetParam() == Engine::Reference) return;  // it has one
  for (const generate::Priorities priorities :
       {generate::Priorities::Distinct, generate::Priorities::Tied}) {
    const Model model = model_of(*generate::model_text(
        {.states = 60, .rules = 150, .variables = 12, .seed = 5, .priorities = priorities}));
    Options options;
    options.paths = 300;
    const Report alone = checked(model, options);
    EXPECT_FALSE(alone.faults.empty());
    options.jobs = 4;
    const Report together = checked(model, options);
    EXPECT_EQ(lines(model, together), lines(model, alone));
    for (std::size_t i = 0; i < alone.faults.size(); ++i) {
      EXPECT_EQ(together.faults[i].when, alone.faults[i].when);
      EXPECT_EQ(together.faults[i].witness.has_value(), alone.faults[i].witness.has_value());
      if (!alone.faults[i].witness) continue;
      EXPECT_EQ(together.faults[i].witness->context(), alone.faults[i].witness->context());
    }
  }
}

Lines of_kind(const Lines& all, std::string_view kind) {
  Lines some;
  std::ranges::copy_if(all, std::back_inserter(some),
                       [&](const std::string& text) { return text.starts_with(kind); });
  return some;
}

// To find the first few, most of the search is left out; none of them may be lost by it.
TEST_P(Engines, AFewPathsAreTheFirstOfAll) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Model model = model_of(*generate::model_text({.states = 8,
                                                        .rules = 18,
                                                        .variables = 5,
                                                        .seed = seed,
                                                        .priorities = generate::Priorities::Tied}));
    Options options;
    options.show = Show::All;
    options.paths = std::nullopt;
    const Lines all = lines(model, checked(model, options));
    for (const std::size_t most : {1U, 2U, 5U, 12U, 30U}) {
      options.paths = most;
      const Lines few = lines(model, checked(model, options));
      for (const std::string_view kind : {"race", "cycle"}) {
        Lines expected = of_kind(all, kind);
        if (expected.size() > most) expected.resize(most);
        EXPECT_EQ(of_kind(few, kind), expected) << "seed " << seed << ", " << most << " paths";
      }
    }
  }
}

TEST(Explain, SaysTheSameOfExamplesWhetherOrNotItExplainsTheRest) {
  const Model model = model_of(*generate::model_text({.states = 8, .rules = 28, .variables = 10}));
  Options options;
  const Report everything = run(model, options);
  options.explain = Explain::Examples;
  const Report examples = run(model, options);
  options.explain = Explain::Nothing;
  const Report nothing = run(model, options);
  ASSERT_EQ(lines(model, examples), lines(model, everything));
  ASSERT_EQ(lines(model, nothing), lines(model, everything));
  std::size_t explained = 0;
  for (std::size_t i = 0; i < everything.faults.size(); ++i) {
    ASSERT_TRUE(everything.faults[i].when.has_value());
    EXPECT_FALSE(nothing.faults[i].when.has_value());
    if (!examples.faults[i].when) continue;
    ++explained;
    EXPECT_EQ(to_text(model, *examples.faults[i].when), to_text(model, *everything.faults[i].when));
    EXPECT_EQ(examples.faults[i].witness.has_value(), everything.faults[i].witness.has_value());
  }
  EXPECT_EQ(explained, finding::examples(everything.faults).size());
  EXPECT_LT(explained, everything.faults.size());
}

// Half of the combinations of answers do not exist: over those that do, everything is small.
TEST(Hybrid, EnumerationsSideBySideStaySmall) {
  std::string members;
  for (int i = 0; i < 60; ++i) members += (i > 0 ? ", m" : "m") + std::to_string(i);
  std::string text = "sense e : {" + members + "} sense f : {" + members + "} state A initial, B";
  for (int i = 0; i < 60; ++i) {
    const std::string member = "m" + std::to_string(i);
    text += " rule r" + std::to_string(i) + ": A -> B when e == " + member + " and f == " + member;
  }
  text += " rule other: A -> B when e == m7 and (f == m7 or f == m8) do ring";
  const Model model = model_of(text);
  const Report report = run(model, {.engine = Engine::Hybrid});
  EXPECT_EQ(lines(model, report), Lines{"nondeterminism A r7 other 1"});
  EXPECT_EQ(report.extent.stopped, "");
}

// Together with a rule that is always satisfied, "some rule is" is simple, "two are" is not.
TEST(Hybrid, EnumerationsSideBySideStaySmallBesideADefault) {
  std::string members;
  for (int i = 0; i < 40; ++i) members += (i > 0 ? ", m" : "m") + std::to_string(i);
  std::string text = "sense e : {" + members + "} sense f : {" + members +
                     "} state A initial, B rule any: A -> B when true do ring";
  Lines expected;
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    text += " rule r" + n + ": A -> B when e == m" + n + " and f == m" + n;
    expected.push_back("nondeterminism A any r" + n + " 1");
  }
  const Model model = model_of(text);
  const Report report = run(model, {.engine = Engine::Hybrid});
  EXPECT_EQ(lines(model, report), expected);
  EXPECT_EQ(report.extent.stopped, "");
}

// Rules of a table stand in any order: here every 37th of 200 follows, and one overlaps the next.
TEST(Hybrid, TakesThresholdsInAnyOrder) {
  std::string text = "sense x : int 0..9999 state A initial, B, C";
  for (int i = 0, row = 0; i < 200; ++i, row = (row + 37) % 200) {
    const int end = 50 * row + (row == 100 ? 53 : 50);
    text += " rule r" + std::to_string(row) + ": A -> " + (row % 2 == 0 ? "B" : "C") +
            " when x >= " + std::to_string(50 * row) + " and x < " + std::to_string(end);
  }
  const Model model = model_of(text);
  const Report report = run(model, {.engine = Engine::Hybrid});
  EXPECT_EQ(lines(model, report), Lines{"nondeterminism A r101 r100 1"});
  EXPECT_EQ(report.extent.stopped, "");
}

// Every field has a value or none. All values first and all of that behind them would be a set of
// a size that doubles with each field.
TEST(Hybrid, ManyFieldsOfOneElementStaySmall) {
  std::string fields;
  std::string condition;
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    fields += (i > 0 ? ", f" : "f") + n + ": bool";
    condition += (i > 0 ? " and e.f" : "e.f") + n;
  }
  const Model model =
      model_of("stream s { " + fields + " } state A initial, B rule r: A -> B when " +
               "exists e in s: " + condition + " rule t: B -> A when true");
  const Report report = run(model, {.engine = Engine::Hybrid});
  EXPECT_EQ(report.extent.stopped, "");
  EXPECT_EQ(lines(model, report), (Lines{"cycle A r t 1 loop 0", "cycle B t r 1 loop 0"}));
}

TEST(Hybrid, SaysALongConditionAsAConjunctionOfAlternatives) {
  std::string condition = "a0 or b0";
  std::string text = "sense a0 : bool sense b0 : bool state A initial, B";
  for (int i = 1; i < 9; ++i) {
    const std::string n = std::to_string(i);
    text += " sense a" + n + " : bool sense b" + n + " : bool";
    condition = "(" + condition + ") and (a" + n + " or b" + n + ")";
  }
  text += " rule r: A -> B when " + condition + " rule s: A -> B when " + condition + " do ring";
  const Model model = model_of(text);
  const Report report = run(model, {.engine = Engine::Hybrid});
  ASSERT_EQ(report.faults.size(), 1U);
  EXPECT_EQ(report.faults.front().situations, Integer(19683));
  ASSERT_TRUE(report.faults.front().when.has_value());
  EXPECT_EQ(to_text(model, *report.faults.front().when),
            "(a0 or b0) and (a1 or b1) and (a2 or b2) and (a3 or b3) and (a4 or b4) and "
            "(a5 or b5) and (a6 or b6) and (a7 or b7) and (a8 or b8)");
}

TEST(Reference, RefusesWhatIsTooLargeAndSaysHowLarge) {
  std::string text = "state A initial, B rule r: A -> B when b0";
  for (int i = 1; i < 40; ++i) text += " and b" + std::to_string(i);
  for (int i = 0; i < 40; ++i) text += " sense b" + std::to_string(i) + " : bool";
  const Report report = run(model_of(text), {.engine = Engine::Reference});
  EXPECT_FALSE(report.extent.complete);
  EXPECT_TRUE(report.faults.empty());
  EXPECT_NE(report.extent.stopped.find("1099511627776"), std::string::npos)
      << report.extent.stopped;
}

TEST(Reference, StopsAtTheTimeLimitAndSaysSo) {
  std::string text = "state A initial, B rule r: A -> B when b0";
  for (int i = 1; i < 20; ++i) text += " iff b" + std::to_string(i);
  for (int i = 0; i < 20; ++i) text += " sense b" + std::to_string(i) + " : bool";
  Options options;
  options.engine = Engine::Reference;
  options.limits.time = std::chrono::milliseconds(1);
  const Report report = run(model_of(text), options);
  EXPECT_FALSE(report.extent.complete);
  EXPECT_EQ(report.extent.stopped, "the time limit was reached");
}

TEST_P(Engines, ListsOnlyTheKindsAskedFor) {
  Options options;
  options.only = {FaultKind::DeadState};
  EXPECT_EQ(faults_of(kUnreachable, options), Lines{"dead-state A"});
}

// Every witness shows its fault when the model is run from it.
TEST_P(Engines, WitnessesReplay) {
  const Model model = model_of(R"(
    sense g : bool  sense v : int 0..9 if g  sense s : set {m, n}  var mode : {a, b} = a
    constraint v > 2 implies s has m
    state A initial, B, C
    rule ab: A, C -> B when v > 4 or s has n do g := false, mode := b
    rule ba: B -> A when not g or mode == b do g := true
    rule bc: B -> C priority 3 when v < 8
    rule cc: C -> C when mode == a do mode := b)");
  const Report report = checked(model);
  EXPECT_GT(report.faults.size(), 5U);
  Budget budget;
  const model::Cells cells = model::Cells::of(model, budget).value();
  for (const Fault& fault : report.faults) {
    if (fault.kind != FaultKind::Race && fault.kind != FaultKind::Cycle) continue;
    ASSERT_TRUE(fault.witness.has_value());
    EXPECT_TRUE(feasible(model, evaluate(model, fault.witness->context())));
    bool shown = false;
    for_each_run(
        model, {fault.state, fault.witness->context()}, cells, {}, [&](const model::Run& run) {
          const auto end =
              fault.kind == FaultKind::Race ? model::Run::End::Stable : model::Run::End::Closed;
          shown = shown || (run.firings == fault.rules && run.end == end);
          return !shown;
        });
    EXPECT_TRUE(shown) << line(model, fault);
  }
}

TEST_P(Engines, IgnoringConstraintsTakesAtomsAsIndependent) {
  const std::string text = R"(
    sense x : int 0..10
    state A initial, B
    rule low: A -> B when x < 3
    rule high: A -> B when x > 7 do ring)";
  EXPECT_EQ(faults_of(text), Lines{});
  Options options;
  options.constraints = Constraints::Ignored;
  EXPECT_EQ(faults_of(text, options), Lines{"nondeterminism A low high 1"});
  const Model model = model_of(text);
  EXPECT_FALSE(checked(model, options).faults.front().witness.has_value());
}

}  // namespace
}  // namespace poise::check
