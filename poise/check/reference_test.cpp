#include "poise/check/reference.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/model/cells.h"

namespace poise::check {
namespace {

using finding::DeadCause;
using finding::Fault;
using finding::FaultKind;
using model::Model;

Model model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
  return std::move(*parsed.model);
}

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

Lines faults_of(const std::string& text, const Options& options = {}) {
  const Model model = model_of(text);
  return lines(model, run(model, options));
}

TEST(Reference, ReportsNondeterminismOncePerSetOfTriggeredRules) {
  EXPECT_EQ(faults_of(R"(
    sense x : bool  sense y : bool
    state A initial, B
    rule r: A -> B when x
    rule s: A -> B when x or y
    rule t: A -> B when x and y)"),
            (Lines{"nondeterminism A r s 1", "nondeterminism A r s t 1"}));
}

TEST(Reference, IgnoresRulesOfAnotherPriority) {
  EXPECT_EQ(faults_of(R"(
    sense x : bool
    state A initial, B
    rule r: A -> B priority 1 when x
    rule s: A -> B priority 2 when not x)"),
            Lines{});
}

TEST(Reference, TellsWhyARuleIsDead) {
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

TEST(Reference, ADeadStateHasOnlyDeadRules) {
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

TEST(Reference, LeavesOutFaultsInUnreachableStatesUnlessAsked) {
  EXPECT_EQ(faults_of(kUnreachable),
            (Lines{"dead-rule A r unsatisfiable", "dead-state A", "unreachable-state B unreachable",
                   "unreachable-state C unreachable"}));
  EXPECT_EQ(faults_of(kUnreachable, {.show = Show::All}).front(),
            "nondeterminism B s t 1 unreachable");
}

TEST(Reference, FollowsRunsToTheirEnd) {
  EXPECT_EQ(faults_of(R"(
    sense x : bool  sense y : bool
    state A initial, B, C
    rule ab: A -> B when x
    rule bc: B -> C when y
    rule bb: B -> B priority 1 when x and not y)"),
            (Lines{"race A ab bc 1 ends C", "cycle B bb 1 loop 0", "cycle A ab bb 1 loop 1"}));
}

TEST(Reference, ListsTheShortestPathsAndSaysThatThereAreMore) {
  const Model model = model_of(R"(
    sense x : bool
    state A initial, B, C, D
    rule ab: A -> B when x
    rule bc: B -> C when x
    rule cd: C -> D when x)");
  Options options;
  options.paths = 1;
  const Report one = run(model, options);
  EXPECT_EQ(lines(model, one), Lines{"race B bc cd 1 ends D"});
  EXPECT_TRUE(one.more_races);
  EXPECT_FALSE(one.more_cycles);
  EXPECT_FALSE(one.complete);
  EXPECT_TRUE(one.stopped.empty());
  options.paths = 2;
  EXPECT_TRUE(run(model, options).complete);
  options.paths = 0;
  const Report none = run(model, options);
  EXPECT_EQ(lines(model, none), Lines{});
  EXPECT_FALSE(none.complete);
  ASSERT_EQ(none.unstable.size(), 2U);
  EXPECT_EQ(model.rules[none.unstable[0].rule].name, "ab");
}

TEST(Reference, UnstableListsARuleThatLeadsToItself) {
  const Model model = model_of("sense x : bool  state A initial  rule r: A -> A when x");
  const Report report = run(model);
  ASSERT_EQ(report.unstable.size(), 1U);
  EXPECT_EQ(report.unstable[0].situations, Integer(1));
  EXPECT_EQ(lines(model, report), Lines{"cycle A r 1 loop 0"});
}

TEST(Reference, ConstraintsRuleOutOnlyTheContextsWhereRunsStart) {
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

TEST(Reference, ContradictoryConstraintsLeaveNothing) {
  const Model model = model_of(
      "sense x : bool constraint x constraint not x state A initial, B rule r: A -> B when x");
  const Report report = run(model);
  EXPECT_EQ(report.size.situations, Integer(0));
  EXPECT_EQ(lines(model, report), (Lines{"dead-rule A r unsatisfiable", "dead-state A",
                                         "unreachable-state B unreachable"}));
}

TEST(Reference, RefusesWhatIsTooLargeAndSaysHowLarge) {
  std::string text = "state A initial, B rule r: A -> B when b0";
  for (int i = 1; i < 40; ++i) text += " and b" + std::to_string(i);
  for (int i = 0; i < 40; ++i) text += " sense b" + std::to_string(i) + " : bool";
  const Report report = run(model_of(text));
  EXPECT_FALSE(report.complete);
  EXPECT_TRUE(report.faults.empty());
  EXPECT_NE(report.stopped.find("1099511627776"), std::string::npos) << report.stopped;
}

TEST(Reference, StopsAtTheTimeLimitAndSaysSo) {
  std::string text = "state A initial, B rule r: A -> B when b0";
  for (int i = 1; i < 20; ++i) text += " iff b" + std::to_string(i);
  for (int i = 0; i < 20; ++i) text += " sense b" + std::to_string(i) + " : bool";
  Options options;
  options.limits.time = std::chrono::milliseconds(1);
  const Report report = run(model_of(text), options);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.stopped, "the time limit was reached");
}

TEST(Reference, ListsOnlyTheKindsAskedFor) {
  Options options;
  options.only = {FaultKind::DeadState};
  EXPECT_EQ(faults_of(kUnreachable, options), Lines{"dead-state A"});
}

// Every witness shows its fault when the model is run from it.
TEST(Reference, WitnessesReplay) {
  const Model model = model_of(R"(
    sense g : bool  sense v : int 0..9 if g  sense s : set {m, n}  var mode : {a, b} = a
    constraint v > 2 implies s has m
    state A initial, B, C
    rule ab: A, C -> B when v > 4 or s has n do g := false, mode := b
    rule ba: B -> A when not g or mode == b do g := true
    rule bc: B -> C priority 3 when v < 8
    rule cc: C -> C when mode == a do mode := b)");
  const Report report = run(model);
  EXPECT_GT(report.faults.size(), 5U);
  Budget budget;
  const model::Cells cells = model::Cells::of(model, budget).value();
  for (const Fault& fault : report.faults) {
    if (fault.kind != FaultKind::Race && fault.kind != FaultKind::Cycle) continue;
    ASSERT_TRUE(fault.witness.has_value());
    EXPECT_TRUE(feasible(model, evaluate(model, *fault.witness)));
    bool shown = false;
    for_each_run(model, {fault.state, *fault.witness}, cells, {}, [&](const model::Run& run) {
      const auto end =
          fault.kind == FaultKind::Race ? model::Run::End::Stable : model::Run::End::Closed;
      shown = shown || (run.firings == fault.rules && run.end == end);
      return !shown;
    });
    EXPECT_TRUE(shown) << line(model, fault);
  }
}

TEST(Reference, IgnoringConstraintsTakesAtomsAsIndependent) {
  const std::string text = R"(
    sense x : int 0..10
    state A initial, B
    rule low: A -> B when x < 3
    rule high: A -> B when x > 7)";
  EXPECT_EQ(faults_of(text), Lines{});
  Options options;
  options.constraints = Constraints::Ignored;
  EXPECT_EQ(faults_of(text, options), Lines{"nondeterminism A low high 1"});
  const Model model = model_of(text);
  EXPECT_FALSE(run(model, options).faults.front().witness.has_value());
}

}  // namespace
}  // namespace poise::check
