#include "poise/check/cures/cures.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "poise/check/check.h"
#include "poise/generate/generate.h"
#include "tests/support/models.h"

namespace poise::check {
namespace {

using finding::Cure;
using finding::Fault;
using finding::FaultKind;
using finding::Treatment;
using model::Model;
using model::RuleId;
using model::StateId;
using test::model_of;

using Lines = std::vector<std::string>;

std::string change_text(const Model& model, const Cure& cure) {
  const std::string& rule = model.rules[cure.rule()].name;
  switch (cure.kind) {
    case Cure::Kind::Priority: return rule + " priority " + std::to_string(cure.priority);
    case Cure::Kind::Condition:
      return rule + " and " + (cure.negated ? "not " : "") + to_text(model, cure.condition);
    case Cure::Kind::Target: return rule + " -> " + model.states[cure.to].name;
    case Cure::Kind::Deletion: {
      std::string text = "without";
      for (const RuleId deleted : cure.rules) text += " " + model.rules[deleted].name;
      return text;
    }
  }
  return {};
}

std::string outcome_text(const Model& model, const Treatment& treatment) {
  switch (treatment.outcome) {
    case Treatment::Outcome::Cured: return change_text(model, *treatment.cure);
    case Treatment::Outcome::NoneKnown: return "none known";
    case Treatment::Outcome::NoneFound: return "none found";
    case Treatment::Outcome::Excluded: return "excluded";
    case Treatment::Outcome::NotTried: return "not tried";
  }
  return {};
}

// "race A go on: go and not x", in the order of text reports.
Lines treated(const std::string& text, Options options = {}) {
  options.cures = Cures::Sought;
  const Model model = model_of(text);
  const Report report = run(model, options);
  Lines lines;
  for (const Treatment& treatment : report.treatments) {
    const Fault& fault = report.faults[treatment.fault];
    std::string line = std::string(name(fault.kind)) + " " + model.states[fault.state].name;
    for (const RuleId rule : fault.rules) line += " " + model.rules[rule].name;
    lines.push_back(line + ": " + outcome_text(model, treatment));
  }
  return lines;
}

// ---- What counts as a cure ----

TEST(Cures, AreNotSoughtUnlessAsked) {
  const Model model = model_of(R"(
    sense x : bool
    state A initial, B
    rule r: A -> B when x
    rule s: A -> B when x do ring)");
  EXPECT_TRUE(run(model).treatments.empty());
  EXPECT_EQ(run(model, {.cures = Cures::Sought}).treatments.size(), 1U);
}

TEST(Cures, OfAChoiceLetTheNarrowRuleWin) {
  // If wide won, or its guard were denied in narrow, narrow would never fire.
  EXPECT_EQ(treated(R"(
    sense x : bool  sense y : bool
    state A initial, B, C
    rule wide: A -> B priority 3 when x
    rule narrow: A -> C priority 3 when x and y)"),
            Lines{"nondeterminism A wide narrow: narrow priority 2"});
}

TEST(Cures, TakeNoPriorityThatIsInUse) {
  EXPECT_EQ(treated(R"(
    sense x : int 0..9
    state A initial, B, C
    rule other: A -> B priority 2 when x == 0
    rule wide: A -> B priority 3 when x > 1
    rule narrow: A -> C priority 3 when x > 5
    rule last: A -> C priority 4 when true)"),
            Lines{"nondeterminism A wide narrow: wide and not x > 5"});
}

TEST(Cures, OfAChoiceBetweenEqualGuardsAreNotFound) {
  EXPECT_EQ(treated(R"(
    sense x : bool
    state A initial, B, C
    rule r: A -> B when x
    rule s: A -> C when x)"),
            Lines{"nondeterminism A r s: none found"});
}

TEST(Cures, OfARaceAreNoShortCutThatMakesAStateUnreachable) {
  EXPECT_EQ(treated(R"(
    sense speed : int 0..200
    state Walking initial, Cycling, Driving
    rule faster: Walking -> Cycling when speed > 10
    rule drive: Cycling -> Driving when speed > 30)"),
            Lines{"race Walking faster drive: faster and not speed > 30"});
}

TEST(Cures, OfARaceMayLeadARuleStraightToTheEnd) {
  // A condition on `go` would kill it. `enter` keeps B reachable.
  EXPECT_EQ(treated(R"(
    sense x : bool  sense y : bool
    state A initial, B, C
    rule go: A -> B priority 2 when x
    rule enter: A -> B priority 1 when y and not x
    rule on: B -> C when x)"),
            Lines{"race A go on: go -> C"});
}

TEST(Cures, MakeNoHarmlessChoiceHarmful) {
  // `go` and `same` do the same. If only one of them led to C, chance would decide.
  EXPECT_EQ(treated(R"(
    sense x : bool  sense y : bool
    state A initial, B, C
    rule go: A -> B priority 2 when x
    rule same: A -> B priority 2 when x
    rule enter: A -> B priority 1 when y and not x
    rule on: B -> C when x)"),
            (Lines{"race A go on: none found"}));
}

TEST(Cures, OfARaceKillNoRule) {
  EXPECT_EQ(treated(R"(
    sense x : bool
    state A initial, B, C
    rule go: A -> B when x
    rule on: B -> C when x)"),
            Lines{"race A go on: none found"});
}

TEST(Cures, TrustNoGuardThatAnActionChanges) {
  // `go and not y` would not do: go makes y true.
  EXPECT_EQ(treated(R"(
    sense x : bool  var y : bool = false
    state A initial, B, C
    rule go: A -> B when x do y := true
    rule on: B -> C when y)"),
            Lines{"race A go on: none found"});
  EXPECT_EQ(treated(R"(
    sense x : bool  sense z : bool  var y : bool = false
    state A initial, B, C
    rule go: A -> B when x do y := true
    rule on: B -> C when y and z)"),
            Lines{"race A go on: go and not z"});
}

TEST(Cures, OfACycleBreakItWhereTheFewestSituationsGoElsewhere) {
  EXPECT_EQ(treated(R"(
    sense heat : int 0..40
    state Off initial, On
    rule start: Off -> On when heat < 20
    rule stop: On -> Off when heat > 18)"),
            Lines{"cycle Off start stop: start and not heat > 18"});
}

TEST(Cures, OfADeadRuleSaveItOrDeleteIt) {
  EXPECT_EQ(treated(R"(
    sense x : int 0..9
    state A initial, B, C
    rule wide: A -> B priority 2 when x > 3
    rule weak: A -> C priority 3 when x > 5
    rule never: A -> C priority 4 when x > 9)"),
            (Lines{"unreachable-state C: weak priority 1", "dead-rule A weak: weak priority 1",
                   "dead-rule A never: without never"}));
}

TEST(Cures, DeleteNoRuleThatFiresWhereAnActionMakesTheContextInfeasible) {
  // No run can begin with `back`, so it is dead. But after `go` it fires, and without it `on`
  // would.
  EXPECT_EQ(treated(R"(
    sense x : bool  sense y : bool  sense power : bool
    constraint power
    state A initial, B, C
    rule go: A -> B when x do power := false
    rule back: B -> A priority 1 when not power
    rule on: B -> C priority 2 when y)")
                .back(),
            "dead-rule B back: none found");
}

TEST(Cures, OfADeadStateDeleteItsRules) {
  EXPECT_EQ(treated(R"(
    sense x : int 0..9
    state A initial, B
    rule go: A -> B when x > 3
    rule never: B -> A when x > 9
    rule nor: B -> A when x < 0)"),
            (Lines{"dead-state B: without never nor", "dead-rule B never: without never",
                   "dead-rule B nor: without nor"}));
}

TEST(Cures, LetNoStateBeReachedThatHasAFault) {
  // The guard of `loop` never holds together with weak's, but the context may change later.
  const std::string text = R"(
    sense x : int 0..9
    state A initial, B, C
    rule wide: A -> B priority 2 when x > 3
    rule weak: A -> C priority 3 when x > 5
    rule loop: C -> C when x < 3)";
  EXPECT_EQ(treated(text).back(), "dead-rule A weak: none found");
  // With all faults shown, that of C is no new one.
  EXPECT_EQ(treated(text, {.show = Show::All}).back(), "dead-rule A weak: weak priority 1");
}

TEST(Cures, KeepFaultsOutOfUnreachableStatesIfTheseAreShown) {
  // In U, `r and not y` lets the weaker `t` fire, which leads back to U.
  const std::string text = R"(
    sense x : bool  sense y : bool
    state A initial, B, C, U
    rule r: A, U -> B priority 1 when x
    rule on: B -> C when y
    rule t: U -> U priority 2 when y)";
  EXPECT_EQ(treated(text).front(), "race A r on: r and not y");
  const Lines all = treated(text, {.show = Show::All});
  EXPECT_NE(std::ranges::find(all, "race A r on: none found"), all.end());
}

TEST(Cures, ThatExcludeEachOtherAreNotBothGiven) {
  // Either one alone is a cure. Both together would leave `go` nothing.
  EXPECT_EQ(treated(R"(
    sense p : bool  sense q : bool
    constraint not (p and q)
    state A initial, B, C, D
    rule go: A -> B when p or q
    rule left: B -> C when p
    rule right: B -> D when q)"),
            (Lines{"race A go left: go and not p", "race A go right: excluded"}));
}

TEST(Cures, AreGivenAgainForAFaultThatHasTheSame) {
  EXPECT_EQ(treated(R"(
    sense x : bool  sense y : bool  sense z : bool
    state A initial, B, C, D
    rule enter: A -> B priority 1 when z and not x and not y
    rule r: A, B -> C priority 3 when x
    rule s: A, B -> D priority 3 when y)"),
            (Lines{"nondeterminism A r s: r priority 2", "nondeterminism B r s: r priority 2"}));
}

TEST(Cures, AreNotSoughtWhereNoContextIsFeasible) {
  EXPECT_EQ(treated(R"(
    sense x : bool
    constraint x and not x
    state A initial, B
    rule r: A -> B when x)"),
            Lines{});
}

TEST(Cures, SayWhatWasNotTried) {
  // Nothing can be said about what is reachable, so nothing is promised.
  std::string text = "sense x : int 0..9 state A initial, B ";
  for (std::size_t i = 0; i <= kMaxRulesPerState; ++i) {
    text += "rule r" + std::to_string(i) + ": B -> A when x > 3 ";
  }
  text += "rule never: A -> A when x > 9";
  const Lines lines = treated(text);
  EXPECT_NE(std::ranges::find(lines, "dead-rule A never: not tried"), lines.end());
}

// ---- Compared with a full check of the changed model ----

using Identity = std::tuple<FaultKind, StateId, std::vector<RuleId>>;

std::set<Identity> identities(const Report& report) {
  std::set<Identity> found;
  for (const Fault& fault : report.faults) found.emplace(fault.kind, fault.state, fault.rules);
  return found;
}

Identity identity(const Fault& fault) { return {fault.kind, fault.state, fault.rules}; }

struct Compared {
  std::size_t cures = 0;
  std::size_t faults = 0;
};

// Holds each cure to what docs/findings.md promises, alone; and all together.
void compare(const Model& model, Options options, Compared& seen) {
  options.paths = std::nullopt;
  options.explain = Explain::Nothing;
  options.cures = Cures::Sought;
  const Report report = run(model, options);
  options.cures = Cures::NotSought;
  const std::set<Identity> before = identities(report);
  const auto objection = [&](const std::vector<const Treatment*>& applied) -> std::string {
    Model changed = model;
    std::set<RuleId> deleted;
    std::set<FaultKind> kinds;
    for (const Treatment* treatment : applied) {
      apply(changed, *treatment->cure);
      kinds.insert(report.faults[treatment->fault].kind);
      if (treatment->cure->kind == Cure::Kind::Deletion) {
        deleted.insert(treatment->cure->rules.begin(), treatment->cure->rules.end());
      }
    }
    const std::set<Identity> after = identities(run(changed, options));
    for (const Treatment* treatment : applied) {
      const Fault& fault = report.faults[treatment->fault];
      const bool gone =
          treatment->cure->kind == Cure::Kind::Deletion || !after.contains(identity(fault));
      if (!gone) return "stays: " + change_text(model, *treatment->cure);
    }
    for (const auto& [kind, state, rules] : after) {
      if (before.contains({kind, state, rules})) continue;
      const bool counts = kind == FaultKind::DeadRule || kind == FaultKind::DeadState ||
                          kind == FaultKind::UnreachableState || !kinds.contains(kind);
      if (counts) {
        return "new " + std::string(name(kind)) + " of " + model.states[state].name;
      }
    }
    return "";
  };
  std::vector<const Treatment*> all;
  seen.faults += report.treatments.size();
  for (const Treatment& treatment : report.treatments) {
    if (!treatment.cure) continue;
    EXPECT_EQ(objection({&treatment}), "") << change_text(model, *treatment.cure);
    all.push_back(&treatment);
  }
  seen.cures += all.size();
  EXPECT_EQ(objection(all), "");
}

TEST(Cures, OfRandomModelsAreCures) {
  Compared seen;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    generate::Options options{
        .states = 3 + seed % 5, .rules = 8 + seed % 9, .variables = 4 + seed % 4, .seed = seed};
    options.max_variables_per_rule = 3;
    if (seed % 2 == 0) options.priorities = generate::Priorities::Tied;
    if (seed % 3 == 0) options.sensed = 2;
    const Result<std::string> text = generate::model_text(options);
    ASSERT_TRUE(text) << text.error().message;
    SCOPED_TRACE(*text);
    Options how;
    if (seed % 5 == 0) how.show = Show::All;
    compare(model_of(*text), how, seen);
    if (HasFailure()) return;
  }
  // Else this would test nothing.
  EXPECT_GT(seen.cures, seen.faults / 4);
  RecordProperty("cures", static_cast<int>(seen.cures));
  RecordProperty("faults", static_cast<int>(seen.faults));
}

}  // namespace
}  // namespace poise::check
