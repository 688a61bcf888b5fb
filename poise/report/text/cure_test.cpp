#include "poise/report/text/cure.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/office_model.h"

namespace poise::report {
namespace {

using finding::Fault;
using finding::FaultKind;
using model::Model;
using model::Op;
using model::RuleId;

std::string cure_of(const Model& model, const Fault& fault) {
  return cure(model, {.faults = {&fault}}, 90);
}

Fault choice() {
  return {.kind = FaultKind::Nondeterminism,
          .state = test::kIdle,
          .rules = {test::kEnter, test::kWalk}};
}

Fault loop() {
  return {.kind = FaultKind::Cycle, .state = test::kIdle, .rules = {test::kEnter, test::kLeave}};
}

Fault race() {
  return {.kind = FaultKind::Race,
          .state = test::kWork,
          .rules = {test::kLeave, test::kWalk},
          .ends = test::kAway};
}

TEST(Cure, OfAChoiceNamesAFreePriorityOrAGuard) {
  EXPECT_EQ(cure_of(test::office_model(), choice()),
            "give Enter priority 1, or add `and not place == office` to Walk");
}

TEST(Cure, OfAChoiceTakesAWeakerNumberWhereNoStrongerOneIsFree) {
  Model model = test::office_model();
  model.rules[test::kEnter].priority = 0;
  model.rules[test::kWalk].priority = 0;
  EXPECT_EQ(cure_of(model, choice()),
            "give Walk priority 1, or add `and not place == office` to Walk");
}

TEST(Cure, OfAChoiceMayNeedANegativeNumber) {
  Model model = test::office_model();
  model.rules[test::kEnter].priority = 0;
  model.rules[test::kWalk].priority = 0;
  model.rules[test::kLate].priority = 1;
  EXPECT_EQ(cure_of(model, choice()),
            "give Enter priority -1, or add `and not place == office` to Walk");
}

TEST(Cure, OfAChoiceIsAGuardWhereNoNumberIsFree) {
  Model model = test::office_model();
  model.rules[test::kEnter].priority = INT64_MIN;
  model.rules[test::kWalk].priority = INT64_MIN;
  EXPECT_EQ(cure_of(model, choice()), "add `and not place == office` to Walk");
}

TEST(Cure, OfAChoiceBetweenUnrankedRulesStaysWeakerThanRankedOnes) {
  Model model = test::office_model();
  model.rules[test::kEnter].priority.reset();
  model.rules[test::kWalk].priority.reset();
  EXPECT_EQ(cure_of(model, choice()),
            "neither has a priority; give Enter priority 5, or add `and not place == office` to "
            "Walk");
}

TEST(Cure, OfAChoiceLetsTheNarrowRuleWin) {
  Model model = test::office_model();
  // Enter holds whenever Walk does, so Walk would be dead if Enter won.
  model.rules[test::kEnter].guard = model.formulas.add(
      {.op = Op::Or, .parts = {model.rules[test::kEnter].guard, model.rules[test::kWalk].guard}});
  EXPECT_EQ(cure_of(model, choice()),
            "give Walk priority 1, or add `and not gps.speed > 5` to the whole guard of Enter");
}

TEST(Cure, OfAChoiceBetweenEqualGuardsIsToDropOne) {
  Model model = test::office_model();
  model.rules[test::kWalk].guard = model.rules[test::kEnter].guard;
  EXPECT_EQ(cure_of(model, choice()),
            "their guards always hold together: keep one of the rules, or change a guard");
}

TEST(Cure, OfAShadowedRuleIsAPriorityThatWins) {
  const Fault fault{.kind = FaultKind::DeadRule,
                    .state = test::kIdle,
                    .rules = {test::kLate},
                    .cause = finding::DeadCause::Shadowed,
                    .by = {test::kEnter}};
  Model model = test::office_model();
  EXPECT_EQ(cure_of(model, fault), "give it priority 1: then it wins over Enter");
  model.rules[test::kEnter].priority = 0;
  EXPECT_EQ(cure_of(model, fault), "give it priority -1: then it wins over Enter");
  model.rules[test::kWalk].priority = -1;
  EXPECT_EQ(cure_of(model, fault),
            "give it a stronger priority than Enter (0); some rules need new numbers");
}

TEST(Cure, OfARaceLetsTheFirstRuleWait) {
  EXPECT_EQ(cure_of(test::office_model(), race()),
            "add `and not gps.speed > 5` to Leave, or lead it straight to Away");
}

TEST(Cure, OfARaceThatAlwaysGoesOnIsAShortCut) {
  Model model = test::office_model();
  model.rules[test::kLeave].guard = model.rules[test::kWalk].guard;
  EXPECT_EQ(cure_of(model, race()), "lead Leave straight to Away");
}

TEST(Cure, OfARaceTrustsNoGuardThatAnActionChanges) {
  Model model = test::office_model();
  const model::SlotId speed = model.variables[model::VariableId{1}].first_slot;
  model.rules[test::kLeave].actions = {
      {.text = "gps.speed := 9", .effects = {{.slot = speed, .value = Rational(9)}}}};
  EXPECT_EQ(cure_of(model, race()),
            "lead Leave straight to Away, or change its actions: Walk looks at what they set");
}

TEST(Cure, OfACycleIsTheShortestGuardThatBreaksIt) {
  EXPECT_EQ(cure_of(test::office_model(), loop()), "add `and not bt has phone` to Enter");
}

TEST(Cure, OfACycleDeniesADenialByWhatItDenies) {
  Model model = test::office_model();
  model.rules[test::kLeave].guard =
      model.formulas.add({.op = Op::Not, .parts = {model.rules[test::kLeave].guard}});
  EXPECT_EQ(cure_of(model, loop()), "add `and bt has phone` to Enter");
}

TEST(Cure, OfARuleThatLeadsBackToItsOwnState) {
  Model model = test::office_model();
  model.rules[test::kEnter].to = test::kIdle;
  const Fault fault{.kind = FaultKind::Cycle, .state = test::kIdle, .rules = {test::kEnter}};
  EXPECT_EQ(cure_of(model, fault),
            "Enter leads back to Idle while its guard still holds: lead it elsewhere, or let an "
            "action make `place == office` false");
}

TEST(Cure, OfAStateWithoutEntranceIsARule) {
  const Fault fault{.kind = FaultKind::UnreachableState, .state = test::kAway};
  EXPECT_EQ(cure_of(test::office_model(), fault),
            "let one of these rules fire, or delete the state");
  const Fault idle{.kind = FaultKind::UnreachableState, .state = test::kIdle};
  EXPECT_EQ(cure_of(test::office_model(), idle), "let Leave fire, or delete the state");
}

}  // namespace
}  // namespace poise::report
