// The figures that the papers print and that an independent count reproduced, from the models under
// examples/. Each test names the rule of counting that its figures need.

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "poise/check/check.h"
#include "tests/support/models.h"

namespace poise::check {
namespace {

using test::example;

using finding::Fault;
using finding::FaultKind;
using model::Model;

// What every engine says: they must agree on every fault and figure.
Report checked(const Model& model, Options options = {}) {
  options.engine = Engine::Reference;
  Report expected = run(model, options);
  for (const Engine engine : {Engine::Enumerative, Engine::Symbolic, Engine::Hybrid}) {
    options.engine = engine;
    const Report report = run(model, options);
    EXPECT_EQ(report.size.situations, expected.size.situations) << name(engine);
    EXPECT_EQ(report.faults.size(), expected.faults.size()) << name(engine);
    for (std::size_t i = 0; i < std::min(report.faults.size(), expected.faults.size()); ++i) {
      const finding::Fault& a = report.faults[i];
      const finding::Fault& b = expected.faults[i];
      EXPECT_EQ(std::tie(a.kind, a.state, a.rules, a.situations, a.by, a.loop, a.reachable),
                std::tie(b.kind, b.state, b.rules, b.situations, b.by, b.loop, b.reachable))
          << name(engine) << ", fault " << i;
    }
  }
  return expected;
}

Options whole() {
  Options options;
  options.show = Show::All;
  options.paths.reset();
  return options;
}

Options as_in_table_2() {
  Options options = whole();
  options.priorities = model::Priorities::Ignored;
  options.constraints = Constraints::Ignored;
  options.count = Count::Rules;
  return options;
}

// Situations by state, summed over the faults of one kind; states without one are left out.
std::map<std::string, int> situations(const Model& model, const Report& report, FaultKind kind) {
  std::map<std::string, int> result;
  for (const Fault& fault : report.faults) {
    if (fault.kind == kind) {
      result[model.states[fault.state].name] += static_cast<int>(fault.situations.to_int64());
    }
  }
  return result;
}

int total(const Model& model, const Report& report, FaultKind kind) {
  int sum = 0;
  for (const auto& [state, count] : situations(model, report, kind)) sum += count;
  return sum;
}

std::vector<std::string> named(const Model& model, const Report& report, FaultKind kind) {
  std::vector<std::string> result;
  for (const Fault& fault : report.faults) {
    if (fault.kind != kind) continue;
    std::string text = model.states[fault.state].name;
    for (const model::RuleId rule : fault.rules) text += "/" + model.rules[rule].name;
    result.push_back(text);
  }
  return result;
}

using ByState = std::map<std::string, int>;

class PhoneAdapterTable2 : public testing::TestWithParam<std::string> {};

TEST_P(PhoneAdapterTable2, NondeterminismRespectsPriorities) {
  const Model model = example(GetParam());
  Options options = whole();
  options.constraints = Constraints::Ignored;
  const Report report = checked(model, options);
  EXPECT_EQ(situations(model, report, FaultKind::Nondeterminism),
            (ByState{{"General", 37}, {"Outdoor", 3}}));
  EXPECT_EQ(report.size.situations, Integer(4096));
}

TEST_P(PhoneAdapterTable2, DeadRuleAndUnreachableState) {
  const Model model = example(GetParam());
  for (const Constraints constraints : {Constraints::Respected, Constraints::Ignored}) {
    Options options;
    options.constraints = constraints;
    const Report report = checked(model, options);
    EXPECT_EQ(named(model, report, FaultKind::DeadRule),
              std::vector<std::string>{"General/ActivateSync"});
    EXPECT_EQ(named(model, report, FaultKind::UnreachableState), std::vector<std::string>{"Sync"});
    for (const Fault& fault : report.faults) {
      if (fault.kind != FaultKind::DeadRule) continue;
      EXPECT_EQ(fault.cause, finding::DeadCause::Shadowed);
      ASSERT_EQ(fault.by.size(), 2U);
      EXPECT_EQ(model.rules[fault.by[0]].name, "ActivateHome");
      EXPECT_EQ(model.rules[fault.by[1]].name, "ActivateOffice");
    }
  }
}

TEST_P(PhoneAdapterTable2, RacesAndCyclesIgnorePriorities) {
  const Model model = example(GetParam());
  const Report report = checked(model, as_in_table_2());
  EXPECT_EQ(situations(model, report, FaultKind::Race), (ByState{{"General", 45},
                                                                 {"Outdoor", 135},
                                                                 {"Jogging", 97},
                                                                 {"Driving", 36},
                                                                 {"DrivingFast", 58},
                                                                 {"Home", 76},
                                                                 {"Office", 29},
                                                                 {"Meeting", 32},
                                                                 {"Sync", 27}}));
  EXPECT_EQ(situations(model, report, FaultKind::Cycle), (ByState{{"General", 13},
                                                                  {"Outdoor", 23},
                                                                  {"Jogging", 19},
                                                                  {"Driving", 13},
                                                                  {"DrivingFast", 19},
                                                                  {"Home", 19},
                                                                  {"Office", 1},
                                                                  {"Meeting", 1},
                                                                  {"Sync", 5}}));
}

// The typed model needs no constraint to say what the paper's four constraints say.
TEST_P(PhoneAdapterTable2, NineHundredSixtySituationsAreFeasible) {
  const Report report = checked(example(GetParam()));
  EXPECT_EQ(report.size.situations, Integer(960));
  EXPECT_EQ(report.size.atoms, 12U);
  EXPECT_EQ(report.size.states, 9U);
  EXPECT_EQ(report.size.rules, 19U);
}

INSTANTIATE_TEST_SUITE_P(BothWays, PhoneAdapterTable2,
                         testing::Values("phone-adapter-authors", "phone-adapter"),
                         [](const auto& test) {
                           return test.param == "phone-adapter" ? "Typed" : "Boolean";
                         });

TEST(PhoneAdapterTable1, AsPrintedJoggingGivesMore) {
  const Model model = example("phone-adapter-table1");
  const Report report = checked(model, as_in_table_2());
  const ByState races = situations(model, report, FaultKind::Race);
  EXPECT_EQ(races.at("Jogging"), 206);
  EXPECT_EQ(races.at("Outdoor"), 135);
  EXPECT_EQ(situations(model, report, FaultKind::Cycle).at("Jogging"), 35);
  EXPECT_EQ(checked(model).size.situations, Integer(960));
}

Options as_in_afchecker() {
  Options options = whole();
  options.constraints = Constraints::Ignored;
  options.count = Count::Start;
  return options;
}

TEST(AfChecker, PhoneAdapterHas784) {
  const Model model = example("phone-adapter-table1");
  const Report report = checked(model, as_in_afchecker());
  EXPECT_EQ(total(model, report, FaultKind::Nondeterminism), 40);
  EXPECT_EQ(total(model, report, FaultKind::Race) + total(model, report, FaultKind::Cycle), 744);
}

TEST(AfChecker, TaskerHas587) {
  const Model model = example("tasker");
  const Report report = checked(model, as_in_afchecker());
  EXPECT_EQ(total(model, report, FaultKind::Nondeterminism) +
                total(model, report, FaultKind::Race) + total(model, report, FaultKind::Cycle),
            587);
}

TEST(StockTracker, SimpleRulesHave164RacesAnd12Cycles) {
  const Model model = example("stock-tracker-simple");
  for (const Constraints constraints : {Constraints::Respected, Constraints::Ignored}) {
    Options options = whole();
    options.constraints = constraints;
    options.count = Count::All;
    const Report report = checked(model, options);
    EXPECT_EQ(total(model, report, FaultKind::Nondeterminism), 0);
    EXPECT_EQ(total(model, report, FaultKind::Race), 164);
    EXPECT_EQ(total(model, report, FaultKind::Cycle), 12);
  }
}

TEST(StockTracker, ArrivedOrGoneLeaves32Races) {
  const Model model = example("stock-tracker-bays");
  Options options = whole();
  options.count = Count::All;
  const Report report = checked(model, options);
  EXPECT_EQ(total(model, report, FaultKind::Nondeterminism), 0);
  EXPECT_EQ(total(model, report, FaultKind::Race), 32);
  EXPECT_EQ(total(model, report, FaultKind::Cycle), 0);
}

}  // namespace
}  // namespace poise::check
