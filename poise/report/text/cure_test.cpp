#include "poise/report/text/cure.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/office_model.h"

namespace poise::report {
namespace {

using finding::Cure;
using finding::Fault;
using finding::FaultKind;
using finding::Treatment;
using model::Model;
using model::Op;
using model::RuleId;

Fault choice() {
  return {.kind = FaultKind::Nondeterminism,
          .state = test::kIdle,
          .rules = {test::kEnter, test::kWalk}};
}

// What is said of a fault, with its label.
std::string said(const Model& model, const Fault& fault, const Treatment* treatment) {
  const Remedy remedy = report::remedy(model, {.faults = {&fault}}, treatment);
  return std::string(remedy.label) + ": " + remedy.text;
}

std::string cure_text(const Model& model, const Cure& cure) {
  const Treatment treatment{.fault = 0, .outcome = Treatment::Outcome::Cured, .cure = cure};
  return said(model, choice(), &treatment);
}

std::string hint_text(const Model& model, const Fault& fault) {
  return said(model, fault, nullptr);
}

Cure denial(const Model& model, RuleId rule, RuleId of) {
  return {.kind = Cure::Kind::Condition,
          .rules = {rule},
          .condition = model.rules[of].guard,
          .negated = true};
}

// ---- Cures ----

TEST(CureText, IsAChangeThatCanBeMadeAsItStands) {
  const Model model = test::office_model();
  EXPECT_EQ(cure_text(model, {.kind = Cure::Kind::Priority, .rules = {test::kWalk}, .priority = 1}),
            "cure: give Walk priority 1");
  EXPECT_EQ(
      cure_text(model, {.kind = Cure::Kind::Target, .rules = {test::kLeave}, .to = test::kAway}),
      "cure: lead Leave to Away");
  EXPECT_EQ(cure_text(model, {.kind = Cure::Kind::Deletion, .rules = {test::kLate}}),
            "cure: delete Late");
  EXPECT_EQ(cure_text(model, {.kind = Cure::Kind::Deletion, .rules = {test::kEnter, test::kLate}}),
            "cure: delete its rules");
  EXPECT_EQ(cure_text(model, denial(model, test::kWalk, test::kEnter)),
            "cure: add `and not place == office` to Walk");
}

TEST(CureText, HasParenthesesWhereTheyAreNeeded) {
  Model model = test::office_model();
  const model::FormulaId both = model.formulas.add(
      {.op = Op::And, .parts = {model.rules[test::kEnter].guard, model.rules[test::kLeave].guard}});
  Cure cure = denial(model, test::kWalk, test::kEnter);
  cure.condition = both;
  EXPECT_EQ(cure_text(model, cure),
            "cure: add `and not (place == office and bt has phone)` to Walk");
  cure.negated = false;
  EXPECT_EQ(cure_text(model, cure), "cure: add `and place == office and bt has phone` to Walk");
}

TEST(CureText, IsAboutTheWholeGuardWhereItsEndWouldBeTooLittle) {
  Model model = test::office_model();
  model.rules[test::kWalk].guard = model.formulas.add(
      {.op = Op::Or, .parts = {model.rules[test::kWalk].guard, model.rules[test::kLeave].guard}});
  EXPECT_EQ(cure_text(model, denial(model, test::kWalk, test::kEnter)),
            "cure: add `and not place == office` to the whole guard of Walk");
}

// ---- Hints ----

TEST(Hint, SaysWhyThereIsNoCure) {
  const Model model = test::office_model();
  const auto with = [&](Treatment::Outcome outcome) {
    const Treatment treatment{.fault = 0, .outcome = outcome};
    return said(model, choice(), &treatment);
  };
  const std::string hint =
      "hint: let their guards exclude each other, or say with priorities which comes first";
  EXPECT_EQ(with(Treatment::Outcome::NoneKnown), hint);
  EXPECT_EQ(with(Treatment::Outcome::NoneFound),
            hint + "; no small change was found that cures it and does no harm");
  EXPECT_EQ(with(Treatment::Outcome::Excluded),
            hint + "; what would cure it does not go together with the cures above");
  EXPECT_EQ(with(Treatment::Outcome::NotTried),
            hint + "; not all small changes were tried: that would take too long");
}

TEST(Hint, OfAChoiceBetweenEqualGuardsIsToDropOne) {
  Model model = test::office_model();
  model.rules[test::kWalk].guard = model.rules[test::kEnter].guard;
  EXPECT_EQ(hint_text(model, choice()),
            "hint: their guards always hold together: keep one of the rules, or change a guard");
}

TEST(Hint, OfAChoiceAmongPrioritiesThatWereIgnored) {
  Model model = test::office_model();
  model.rules[test::kWalk].priority = 7;
  EXPECT_EQ(hint_text(model, choice()),
            "hint: let their guards exclude each other; priorities were ignored");
}

TEST(Hint, OfAShadowedRuleNamesTheWeakestWinner) {
  Fault fault{.kind = FaultKind::DeadRule,
              .state = test::kIdle,
              .rules = {test::kLate},
              .cause = finding::DeadCause::Shadowed,
              .by = {test::kWalk, test::kEnter}};
  Model model = test::office_model();
  model.rules[test::kEnter].priority = 3;
  EXPECT_EQ(hint_text(model, fault),
            "hint: make it stronger than Enter, or narrow the guards of the rules that win");
  fault.cause = finding::DeadCause::Unsatisfiable;
  EXPECT_EQ(hint_text(model, fault), "hint: mend its guard, or delete the rule");
}

TEST(Hint, OfARaceOrACycleNamesTwoRules) {
  const Fault race{.kind = FaultKind::Race,
                   .state = test::kWork,
                   .rules = {test::kLeave, test::kWalk},
                   .ends = test::kAway};
  const Fault loop{
      .kind = FaultKind::Cycle, .state = test::kIdle, .rules = {test::kEnter, test::kLeave}};
  Model model = test::office_model();
  EXPECT_EQ(hint_text(model, race),
            "hint: Leave leads to where Walk is triggered at once: change one of their guards");
  model.rules[test::kEnter].actions = {{.text = "ring", .effects = {}}};
  EXPECT_EQ(hint_text(model, loop),
            "hint: Enter leads to where Leave is triggered at once: change one of their guards, or "
            "an action between them");
}

TEST(Hint, OfARuleThatLeadsBackToItsOwnState) {
  Model model = test::office_model();
  model.rules[test::kEnter].to = test::kIdle;
  const Fault fault{.kind = FaultKind::Cycle, .state = test::kIdle, .rules = {test::kEnter}};
  EXPECT_EQ(hint_text(model, fault),
            "hint: Enter leads back to Idle while its guard still holds: lead it elsewhere, or let "
            "an action make `place == office` false");
}

TEST(Hint, OfAStateWithoutEntranceIsARule) {
  const Fault fault{.kind = FaultKind::UnreachableState, .state = test::kAway};
  EXPECT_EQ(hint_text(test::office_model(), fault),
            "hint: let one of these rules fire, or delete the state");
  const Fault idle{.kind = FaultKind::UnreachableState, .state = test::kIdle};
  EXPECT_EQ(hint_text(test::office_model(), idle), "hint: let Leave fire, or delete the state");
}

}  // namespace
}  // namespace poise::report
