#include "poise/check/cases.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "poise/generate/generate.h"
#include "poise/model/step.h"
#include "tests/support/models.h"

namespace poise::check {
namespace {

using finding::Case;
using finding::Condition;
using finding::Conjunction;
using finding::Fault;
using finding::Literal;
using test::example;
using test::model_of;

bool holds(const Condition& condition, const Conjunction& situation) {
  const bool any = condition.form == Condition::Form::AnyOfConjunctions;
  const auto is_true = [&](const Literal& literal) {
    return std::ranges::binary_search(situation, literal);
  };
  const auto part_holds = [&](const std::vector<Literal>& part) {
    return any ? std::ranges::all_of(part, is_true) : std::ranges::any_of(part, is_true);
  };
  return any ? std::ranges::any_of(condition.parts, part_holds)
             : std::ranges::all_of(condition.parts, part_holds);
}

// As many different situations as the figure says, and the condition holds in each: then they are
// all of them.
void expect_all_cases(const model::Model& model, const Options& options) {
  const Report report = run(model, options);
  ASSERT_TRUE(report.extent.stopped.empty());
  const Cases found = cases(model, options, report.faults, 1'000'000);
  EXPECT_FALSE(found.more);
  EXPECT_EQ(found.stopped, "");
  std::vector<std::set<Conjunction>> by_fault(report.faults.size());
  for (const Case& one : found.cases) {
    EXPECT_TRUE(by_fault[one.fault].insert(one.situation).second);
    EXPECT_TRUE(holds(*report.faults[one.fault].when, one.situation));
    if (options.constraints == Constraints::Ignored) continue;
    ASSERT_TRUE(one.witness.has_value());
    const model::Situation shown = model::evaluate(model, one.witness->context());
    EXPECT_TRUE(model::feasible(model, shown));
    for (const Literal& literal : one.situation) {
      EXPECT_EQ(shown.holds(literal.atom), literal.holds);
    }
  }
  for (std::size_t i = 0; i < report.faults.size(); ++i) {
    EXPECT_EQ(Integer(static_cast<std::int64_t>(by_fault[i].size())), report.faults[i].situations);
  }
}

TEST(Cases, AreAsManyAsTheFigureSays) {
  for (const char* name : {"phone-adapter", "phone-adapter-ranked", "tasker", "thermostat"}) {
    SCOPED_TRACE(name);
    for (const Constraints constraints : {Constraints::Respected, Constraints::Ignored}) {
      for (const Count count : {Count::Visited, Count::Start, Count::Rules}) {
        Options options;
        options.show = Show::All;
        options.constraints = constraints;
        options.count = count;
        expect_all_cases(example(name), options);
      }
    }
  }
}

TEST(Cases, AreAsTheLatestElementsAllow) {
  expect_all_cases(model_of(R"(
    sense a : bool
    stream plate { status: {down, up, gone} }
    state A initial, B
    rule come: A -> B when a or (exists p in plate: p.status == down)
    rule go: B -> A when (exists p in plate: p.status == up) or (all p in plate: p.status == gone))"),
                   {});
}

TEST(Cases, AreAsManyAsTheFigureSaysInRandomModels) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    Options options;
    options.count = Count::Start;
    expect_all_cases(model_of(*generate::model_text({.states = 5,
                                                     .rules = 14,
                                                     .variables = 6,
                                                     .seed = seed,
                                                     .priorities = generate::Priorities::Tied})),
                     options);
  }
}

TEST(Cases, AreNoMoreThanAskedFor) {
  Options options;
  options.show = Show::All;
  options.constraints = Constraints::Ignored;
  options.count = Count::Start;
  const model::Model model = example("phone-adapter-ranked");
  const Report report = run(model, options);
  const Cases all = cases(model, options, report.faults, 784);
  EXPECT_EQ(all.cases.size(), 784U);
  EXPECT_FALSE(all.more);
  const Cases some = cases(model, options, report.faults, 783);
  EXPECT_EQ(some.cases.size(), 783U);
  EXPECT_TRUE(some.more);
}

}  // namespace
}  // namespace poise::check
