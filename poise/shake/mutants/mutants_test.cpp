#include "poise/shake/mutants/mutants.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/shake/mutants/expr_text.h"
#include "poise/shake/subjects/hand_made_test.h"
#include "poise/shake/subjects/web_server_test.h"

namespace poise::shake {
namespace {

using model::PolicyOp;

std::map<std::string_view, std::size_t> counts(const std::vector<Mutant>& mutants) {
  std::map<std::string_view, std::size_t> result;
  for (const Mutant& mutant : mutants) ++result[to_text(mutant.group)];
  return result;
}

std::vector<std::string> descriptions(const model::Model& model, const Grid& grid,
                                      MutantGroup group) {
  std::vector<std::string> result;
  for (const Mutant& mutant : mutants_of(model, grid, {.groups = {group}})) {
    result.push_back(mutant.description);
  }
  return result;
}
using Texts = std::vector<std::string>;

TEST(Mutants, OfThePapersWebServerAreAsManyAsInThePaper) {
  const WebServer web = web_server();
  const std::vector<Mutant> mutants =
      mutants_of(web.maker.model, web.grid, {.groups = {kPaperGroups.begin(), kPaperGroups.end()}});
  EXPECT_EQ(mutants.size(), 90u);
  EXPECT_EQ(counts(mutants), (std::map<std::string_view, std::size_t>{
                                 {"F1", 3}, {"F2", 25}, {"F3", 34}, {"F4", 28}}));
  EXPECT_EQ(mutants.front().id, "F1-1");
  EXPECT_EQ(mutants.back().id, "F4-28");
  std::set<std::string> ids;
  for (const Mutant& mutant : mutants) ids.insert(mutant.id);
  EXPECT_EQ(ids.size(), 90u);
}

TEST(Mutants, AreInTheOrderOfTheText) {
  const WebServer web = web_server();
  for (const MutantGroup group : {MutantGroup::F3, MutantGroup::F4, MutantGroup::Threshold}) {
    const auto mutants = mutants_of(web.maker.model, web.grid, {.groups = {group}});
    EXPECT_TRUE(std::ranges::is_sorted(mutants, {}, &Mutant::at));
  }
}

TEST(Mutants, GroupsHaveNames) {
  for (const MutantGroup group : kMutantGroups) EXPECT_EQ(mutant_group(to_text(group)), group);
  EXPECT_EQ(mutant_group("F5"), std::nullopt);
}

// A policy with one of everything.
class SmallPolicy : public testing::Test {
 protected:
  SmallPolicy()
      : load_(maker_.whole("load", 0, 9)),
        servers_(maker_.variant(maker_.whole("servers", 0, 99), "1")) {
    grid_ = digits(maker_.model, load_);
  }
  model::PolicyExprId more(std::string_view by = "2") {
    const auto value = maker_.read(servers_);
    return maker_.make(PolicyOp::Add, {value, maker_.constant(by)});
  }
  [[nodiscard]] Texts made(MutantGroup group) const {
    return descriptions(maker_.model, grid_, group);
  }

  PolicyMaker maker_;
  model::SlotId load_;
  model::SlotId servers_;
  Grid grid_;
};

TEST_F(SmallPolicy, ThresholdsMoveByAStep) {
  maker_.variable(load_).step = exact("0.5");
  maker_.option("grow", servers_, more(), maker_.below(load_, "5"));
  EXPECT_EQ(made(MutantGroup::Threshold),
            (Texts{"`load < 5.5` instead of `load < 5`", "`load < 4.5` instead of `load < 5`"}));
  EXPECT_EQ(made(MutantGroup::Value), (Texts{"`servers + 3` instead of `servers + 2`",
                                             "`servers + 1` instead of `servers + 2`"}));
  EXPECT_EQ(made(MutantGroup::Comparison), (Texts{"`load <= 5` instead of `load < 5`"}));
}

TEST_F(SmallPolicy, ThresholdsOfUtilityMoveByATwentieth) {
  maker_.option("grow", servers_, more(), maker_.useful("0.6"));
  EXPECT_EQ(made(MutantGroup::Threshold), (Texts{"`0.65 <= utility` instead of `0.6 <= utility`",
                                                 "`0.55 <= utility` instead of `0.6 <= utility`"}));
}

TEST_F(SmallPolicy, CopiesOfALetChangeTogether) {
  const auto one = maker_.below(load_, "5");
  const auto other = maker_.below(load_, "5");
  for (std::uint32_t i = 0; i < 3; ++i) {
    auto& exprs = maker_.model.policy.exprs;
    exprs[{other.index - i}].at = exprs[{one.index - i}].at;
    exprs[{other.index - i}].end = exprs[{one.index - i}].end;
  }
  maker_.option("grow", servers_, more(), one);
  maker_.option("grow_again", servers_, more(), other);
  const auto mutants = mutants_of(maker_.model, grid_, {.groups = {MutantGroup::Comparison}});
  ASSERT_EQ(mutants.size(), 1u);
  EXPECT_EQ(mutants[0].model.policy.exprs[one].op, PolicyOp::LessEqual);
  EXPECT_EQ(mutants[0].model.policy.exprs[other].op, PolicyOp::LessEqual);
}

TEST_F(SmallPolicy, OptionsChangePlacesWithTheirPreferences) {
  maker_.term(load_, "high", model::Shape::Kind::Ramp, {"4", "6"});
  const auto grow = maker_.option("grow", servers_, more(), maker_.useful("0.6"));
  maker_.option("reset", servers_, maker_.constant("0"), maker_.below(load_, "1"));
  maker_.prefer(grow, 2, maker_.is(load_, 0));
  const auto mutants = mutants_of(maker_.model, grid_, {.groups = {MutantGroup::Priority}});
  ASSERT_EQ(mutants.size(), 1u);
  EXPECT_EQ(mutants[0].description, "option `grow` comes after `reset`");
  EXPECT_EQ(mutants[0].model.policy.options[{1}].name, "grow");
  EXPECT_EQ(mutants[0].model.policy.preferences[{0}].option, model::OptionId{1});
}

TEST_F(SmallPolicy, DropsOptionsPreferencesAssignmentsAndParts) {
  const auto tripped = maker_.own(maker_.flag("tripped"), "0");
  const auto low = maker_.below(load_, "3");
  const auto trip = maker_.option("trip", servers_, more(),
                                  maker_.make(PolicyOp::Or, {low, maker_.read(tripped)}));
  maker_.model.policy.options[trip].assignments.push_back(
      {.slot = tripped, .value = maker_.constant("1"), .at = {}});
  maker_.prefer(trip, 2, maker_.below(load_, "4"));
  EXPECT_EQ(made(MutantGroup::Dropped),
            (Texts{"option `trip` is left out", "option `trip` does not set `servers`",
                   "option `trip` does not set `tripped`",
                   "the preference for `trip` when `load < 4` is left out",
                   "`tripped` instead of `load < 3 or tripped`",
                   "`load < 3` instead of `load < 3 or tripped`"}));
}

TEST_F(SmallPolicy, TimersAreATickLongerOrShorterHalfDoubleOrNone) {
  maker_.model.policy.tick = 5;
  const auto held = maker_.make(PolicyOp::Held, {maker_.below(load_, "3")}, "20");
  maker_.option("grow", servers_, more(), held, "60");
  EXPECT_EQ(made(MutantGroup::Timer), (Texts{"option `grow` cools down for 65s instead of 60s",
                                             "option `grow` cools down for 55s instead of 60s",
                                             "option `grow` cools down for 30s instead of 60s",
                                             "option `grow` cools down for 120s instead of 60s",
                                             "option `grow` cools down for 0s instead of 60s",
                                             "`load < 3 held 25s` instead of `load < 3 held 20s`",
                                             "`load < 3 held 15s` instead of `load < 3 held 20s`",
                                             "`load < 3 held 10s` instead of `load < 3 held 20s`",
                                             "`load < 3 held 40s` instead of `load < 3 held 20s`",
                                             "`load < 3 held 0s` instead of `load < 3 held 20s`"}));
}

TEST_F(SmallPolicy, ShortTimersHaveFewerMutants) {
  const auto held = maker_.make(PolicyOp::Held, {maker_.below(load_, "3")}, "1");
  maker_.option("grow", servers_, more(), held);
  EXPECT_EQ(made(MutantGroup::Timer), (Texts{"`load < 3 held 2s` instead of `load < 3 held 1s`",
                                             "`load < 3 held 0s` instead of `load < 3 held 1s`"}));
}

TEST_F(SmallPolicy, AllPropertiesCountIfNoneIsWeighed) {
  maker_.term(load_, "low", model::Shape::Kind::Ramp, {"6", "4"});
  maker_.term(load_, "high", model::Shape::Kind::Ramp, {"4", "6"});
  const auto grow = maker_.option("grow", servers_, more(), maker_.useful("0.6"));
  maker_.prefer(grow, 0, maker_.is(load_, 0));
  maker_.prefer(grow, 2, maker_.is(load_, 1));
  EXPECT_EQ(made(MutantGroup::F1),
            (Texts{"the sensor passes on numbers that are ten times as great"}));
  EXPECT_EQ(made(MutantGroup::F2),
            (Texts{"the fuzzy engine passes on `load` with `low` and `high` swapped",
                   "the fuzzy engine passes on `load` with `high` in the place of `low`",
                   "the fuzzy engine passes on `load` with `low` in the place of `high`"}));
  EXPECT_EQ(made(MutantGroup::F3),
            (Texts{"`load is high` instead of `load is low` for `grow`: a gap",
                   "`load is low` instead of `load is high` for `grow`: a gap"}));
  EXPECT_EQ(made(MutantGroup::F4).size(), 1u);
}

model::Model thermostat() {
  return *lang::parse({"t.poise",
                       "model Thermostat\n"
                       "sense temperature : int 0..40\n"
                       "sense window : bool\n"
                       "state Idle initial\n"
                       "state Heating, Off\n"
                       "rule heat: Idle -> Heating priority 2 when temperature < 18\n"
                       "rule rest: Heating -> Idle priority 2 when temperature >= 21\n"
                       "rule off: Idle, Heating -> Off priority 1 when window\n"
                       "rule on: Off -> Idle when not window\n"})
              .model;
}

TEST(RuleMutants, ChangeOneRuleEach) {
  const model::Model model = thermostat();
  EXPECT_EQ(descriptions(model, {}, MutantGroup::Threshold),
            (Texts{"rule `heat`: `temperature < 19` instead of `temperature < 18`",
                   "rule `heat`: `temperature < 17` instead of `temperature < 18`",
                   "rule `rest`: `temperature >= 22` instead of `temperature >= 21`",
                   "rule `rest`: `temperature >= 20` instead of `temperature >= 21`"}));
  EXPECT_EQ(descriptions(model, {}, MutantGroup::Comparison),
            (Texts{"rule `heat`: `temperature <= 18` instead of `temperature < 18`",
                   "rule `rest`: `temperature > 21` instead of `temperature >= 21`"}));
  EXPECT_EQ(descriptions(model, {}, MutantGroup::Priority),
            (Texts{"rule `heat` has priority 0 instead of priority 2",
                   "rule `heat` has no priority instead of priority 2",
                   "rule `rest` has priority 0 instead of priority 2",
                   "rule `rest` has no priority instead of priority 2",
                   "rule `off` has priority 3 instead of priority 1",
                   "rule `on` has priority 2 instead of no priority"}));
  EXPECT_EQ(descriptions(model, {}, MutantGroup::Dropped).size(), 4u);
}

TEST(RuleMutants, LeaveOtherRulesAlone) {
  const model::Model model = thermostat();
  const auto moved = mutants_of(model, {}, {.groups = {MutantGroup::Threshold}});
  const model::Model& mutant = moved.front().model;
  EXPECT_EQ(model::to_text(mutant, mutant.rules[{0}].guard), "temperature < 19");
  EXPECT_EQ(mutant.rules[{1}].guard, model.rules[{1}].guard);
  const auto dropped = mutants_of(model, {}, {.groups = {MutantGroup::Dropped}});
  EXPECT_EQ(dropped[2].model.states[{0}].rules.size(), 1u);
  EXPECT_EQ(dropped[2].model.states[{1}].rules.size(), 1u);
}

TEST(ExprText, WritesTheLanguage) {
  PolicyMaker maker;
  const auto load = maker.whole("load", 0, 9);
  const auto cache = maker.flag("cache");
  const auto sum = maker.make(PolicyOp::Add,
                              {maker.read(load), maker.make(PolicyOp::Negate, {maker.read(load)})});
  EXPECT_EQ(to_text(maker.model, sum), "load - load");
  EXPECT_EQ(to_text(maker.model, maker.make(PolicyOp::Multiply, {sum, maker.constant("2")})),
            "(load - load) * 2");
  const auto either = maker.make(PolicyOp::Or, {maker.read(cache), maker.below(load, "3")});
  EXPECT_EQ(to_text(maker.model, maker.make(PolicyOp::Not, {either})), "not (cache or load < 3)");
  EXPECT_EQ(to_text(maker.model, maker.make(PolicyOp::MaximumOver, {maker.read(load)}, "90")),
            "max of load over 90s");
  EXPECT_EQ(to_text(maker.model, maker.make(PolicyOp::If, {maker.read(cache), maker.constant("1"),
                                                           maker.constant("2")})),
            "if cache then 1 else 2");
}

}  // namespace
}  // namespace poise::shake
