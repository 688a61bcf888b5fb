#include "poise/shake/shake.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/shake/mutants/subject_of.h"
#include "poise/shake/oracle/expectations.h"
#include "poise/shake/subjects/trace.h"

namespace poise::shake {
namespace {

model::Model model_of(std::string_view text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = std::string(text)});
  for (const diag::Diagnostic& diagnostic : parsed.diagnostics) {
    ADD_FAILURE() << diagnostic.message;
  }
  return parsed.model ? std::move(*parsed.model) : model::Model{};
}

// Once cold, it heats until it is hot: too long for the expectation.
model::Model heater(std::string_view expectation = "") {
  return model_of(R"(
    model Heater
    sense temperature : int 10..30
    sense window : bool
    variant heater : bool = false
    option heat: heater := true when temperature < 18
    option rest: heater := false when temperature > 22
  )" + std::string(expectation));
}

constexpr std::string_view kRests = "expect rests: temperature > 19 held 2s implies not heater\n";

Options few(std::size_t flows = 20, unsigned jobs = 1) {
  Options options;
  options.search.flows = flows;
  options.search.length = 30;
  options.search.jobs = jobs;
  return options;
}

Report report_of(const Task& task, const Options& options) {
  Result<Report> report = run(task, options);
  EXPECT_TRUE(report) << report.error().message;
  return report ? std::move(*report) : Report{};
}

bool fails(const model::Model& model, const Report& report, const Flow& flow) {
  const std::unique_ptr<Subject> subject = subject_of(model, report.grid);
  const Trace trace = trace_of(*subject, report.grid, flow);
  const Expectations expectations(model, report.grid, report.fields);
  for (const model::ExpectationId id : model.policy.expectations.ids()) {
    if (expectations.judgement(id, flow, trace).violation) return true;
  }
  return false;
}

TEST(Shake, FindsNothingWhereNothingIsExpected) {
  const model::Model model = heater();
  const Report report = report_of({.model = model}, few());
  EXPECT_TRUE(report.failures.empty());
  EXPECT_TRUE(report.extent.complete);
  EXPECT_EQ(report.subject, "policy");
  EXPECT_EQ(report.flows.size(), 20U);
  EXPECT_EQ(report.facts.size(), 20U);
  EXPECT_EQ(report.reached.size(), 2U);
}

// What takes two hours does not show in fifteen minutes.
constexpr std::string_view kSlow = R"(
  model Slow
  tick 15s
  sense load : int 0..100
  variant n : int 1..4 = 1
  option more: n := n + 1 when load > 50 and n < 4
  expect back: base within 2h
  expect calm: stable within 2h
  expect held: load < 10 held 1h implies n == 1
  expect never: load > 100 implies n == 1
)";

TEST(Shake, MakesFlowsAsLongAsExpectationsWait) {
  const model::Model model = model_of(kSlow);
  EXPECT_EQ(automatic_length(model.policy), 1200U);
  EXPECT_EQ(automatic_length(heater(kRests).policy), 60U);
  Options options;
  options.search.flows = 20;
  const Report report = report_of({.model = model}, options);
  ASSERT_EQ(report.expectations.size(), 4U);
  EXPECT_GT(report.expectations[0].judged, 0U);
  EXPECT_EQ(report.expectations[0].wait, 480U);
  EXPECT_GT(report.expectations[1].judged, 0U);
  EXPECT_GT(report.expectations[2].judged, 0U);
  EXPECT_EQ(report.expectations[3].judged, 0U) << "its condition never holds";
  ASSERT_EQ(report.failures.size(), 2U);
  EXPECT_EQ(report.failures[0].name, "back");
  EXPECT_EQ(report.failures[1].name, "held");
}

TEST(Shake, SaysWhatShortFlowsCannotJudge) {
  const model::Model model = model_of(kSlow);
  const Report report = report_of({.model = model}, few());
  EXPECT_TRUE(report.failures.empty());
  ASSERT_EQ(report.expectations.size(), 4U);
  for (const Judging& judging : report.expectations) EXPECT_EQ(judging.judged, 0U);
}

TEST(Shake, GoesBackToTheOriginOfManyPropertiesWhereThatIsExpected) {
  const model::Model model = model_of(R"(
    model Many
    sense a : int 0..9
    sense b : int 0..9
    sense c : bool
    sense d : {red, green, blue}
    sense e : set {x, y, z}
    variant n : int 1..4 = 1
    option more: n := n + 1 when a > 5 and n < 4
    option back: n := 1 when a == 0 and b == 0 and not c
    expect home: base within 10s
  )");
  const Report report = report_of({.model = model}, {});
  EXPECT_GT(report.expectations[0].judged, 20U);
}

TEST(Shake, ShrinksAFailureToAFlowFromWhichNothingCanBeLeftOut) {
  const model::Model model = heater(kRests);
  const Report report = report_of({.model = model}, few());
  ASSERT_EQ(report.failures.size(), 1U);
  const Failing& failing = report.failures.front();
  EXPECT_EQ(failing.kind, Failing::Kind::Expectation);
  EXPECT_EQ(failing.name, "rests");
  ASSERT_TRUE(failing.at);
  EXPECT_GT(failing.flows, 0U);
  EXPECT_EQ(failing.kept, 0U);
  EXPECT_TRUE(fails(model, report, failing.original));
  EXPECT_LE(failing.smallest.size(), failing.original.size());
  EXPECT_TRUE(fails(model, report, failing.smallest));
  // Cold once, then three ticks between the two thresholds.
  EXPECT_EQ(failing.smallest.size(), 4U);
  for (std::size_t i = 0; i < failing.smallest.size(); ++i) {
    Flow rest = failing.smallest;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(fails(model, report, rest)) << "without tick " << i;
  }
  ASSERT_FALSE(failing.shown.empty());
  EXPECT_EQ(failing.shown.front().acted, std::vector<std::string>{"heat"});
  EXPECT_EQ(failing.shown.back().actual, Variant{1});
}

TEST(Shake, ShrinksToAConstantFlowInTheMiddle) {
  const model::Model model = model_of(R"(
    model Shr
    tick 15s
    sense up : bool
    sense lat : real 0..5 if up step 0.1
    variant n : int 1..20 = 2
    option more: n := n + 1 when up and lat > 0.8 cooldown 1m
    expect few: at most 3 changes in 5m
  )");
  const Report report = report_of({.model = model}, few());
  ASSERT_EQ(report.failures.size(), 1U);
  const Flow& smallest = report.failures.front().smallest;
  EXPECT_EQ(smallest, Flow(13, smallest.front()));
  EXPECT_EQ(report.grid.properties[1].texts.at(smallest.front()[1]), "2.7");
}

TEST(Shake, ComparesWithAReferenceTickByTick) {
  const model::Model model = heater();
  const model::Model reference = model_of(R"(
    model Wanted
    sense window : bool
    sense temperature : int 10..30
    variant heater : bool = false
    option heat: heater := true when temperature < 18 and not window
    option rest: heater := false when temperature > 22
  )");
  const Report report = report_of({.model = model, .reference = &reference}, few());
  ASSERT_EQ(report.failures.size(), 1U);
  const Failing& failing = report.failures.front();
  EXPECT_EQ(failing.kind, Failing::Kind::Difference);
  EXPECT_EQ(failing.name, "Wanted");
  EXPECT_EQ(failing.smallest.size(), 1U);
  const ShownTick& last = failing.shown.back();
  EXPECT_EQ(last.actual, Variant{1});
  ASSERT_TRUE(last.expected);
  EXPECT_EQ(*last.expected, Variant{0});
  EXPECT_EQ(last.acted, std::vector<std::string>{"heat"});
  EXPECT_TRUE(last.expected_acted.empty());
  EXPECT_TRUE(report_of({.model = model, .reference = &model}, few()).failures.empty());
}

TEST(Shake, RefusesAReferenceOfSomethingElse) {
  const model::Model model = heater();
  const model::Model blind = model_of(
      "sense window : bool\nvariant heater : bool = false\n"
      "option heat: heater := true when window\n");
  const Result<Report> unsensed = run({.model = model, .reference = &blind}, few());
  ASSERT_FALSE(unsensed);
  EXPECT_EQ(unsensed.error().message, "the reference does not sense `temperature`");
  const model::Model other = model_of(
      "sense window : bool\nsense temperature : int 10..30\nvariant fan : bool = false\n"
      "option cool: fan := true when window\n");
  const Result<Report> undecided = run({.model = model, .reference = &other}, few());
  ASSERT_FALSE(undecided);
  EXPECT_EQ(undecided.error().message, "the reference decides about other variants");
}

TEST(Shake, TriesFormerFailuresFirst) {
  const model::Model model = heater(kRests);
  Options options = few(1);
  options.search.length = 1;
  EXPECT_TRUE(report_of({.model = model}, options).failures.empty());
  const std::string kept = R"({"flow": [{"ticks": 1, "temperature": 11, "window": false},
                                        {"ticks": 5, "temperature": 21, "window": false}]})";
  Result<KeptFailure> quake = kept_failure_from(kept, grid_of(model));
  ASSERT_TRUE(quake) << quake.error().message;
  options.quakes = {std::move(*quake)};
  const Report report = report_of({.model = model}, options);
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_EQ(report.failures.front().flow, 1U);
  EXPECT_EQ(report.failures.front().flows, 0U);
  EXPECT_EQ(report.failures.front().kept, 1U);
  EXPECT_EQ(report.failures.front().smallest.size(), 4U);
}

TEST(Shake, SaysTheSameForAnyNumberOfThreads) {
  const model::Model model = heater(kRests);
  Options one = few(30, 1);
  one.mutants.emplace();
  Options more = few(30, 3);
  more.mutants.emplace();
  const Report a = report_of({.model = model}, one);
  const Report b = report_of({.model = model}, more);
  EXPECT_EQ(a.flows, b.flows);
  EXPECT_EQ(a.variants, b.variants);
  ASSERT_EQ(a.failures.size(), b.failures.size());
  EXPECT_EQ(a.failures.front().smallest, b.failures.front().smallest);
  ASSERT_TRUE(a.mutation && b.mutation);
  ASSERT_EQ(a.mutation->mutants.size(), b.mutation->mutants.size());
  for (std::size_t i = 0; i < a.mutation->mutants.size(); ++i) {
    EXPECT_EQ(a.mutation->mutants[i].id, b.mutation->mutants[i].id);
    EXPECT_EQ(a.mutation->mutants[i].status, b.mutation->mutants[i].status);
    EXPECT_EQ(a.mutation->mutants[i].killed_at, b.mutation->mutants[i].killed_at);
  }
  EXPECT_EQ(a.mutation->minimal_flows, b.mutation->minimal_flows);
}

TEST(Shake, KnowsWhichMutantIsEquivalent) {
  // Whole numbers: more than 5 is the same as at least 6, but not at least 5. That `level < 9`
  // holds as well below 3 changes nothing, whatever its number is.
  const model::Model model = model_of(R"(
    sense level : int 0..10
    variant pump : bool = false
    option start: pump := true when level > 5
    option stop: pump := false when level < 3 and level < 9
  )");
  Options options = few();
  options.mutants.emplace();
  options.mutants->groups = {MutantGroup::Comparison};
  const Report report = report_of({.model = model}, options);
  ASSERT_TRUE(report.mutation);
  EXPECT_EQ(report.mutation->mutants.size(), 3U);
  EXPECT_EQ(report.mutation->killed, 2U);
  EXPECT_EQ(report.mutation->equivalent, 1U);
  EXPECT_EQ(report.mutation->undecided, 0U);
  for (const MutantResult& mutant : report.mutation->mutants) {
    const bool weaker = mutant.description.find("level < 9") != std::string::npos;
    EXPECT_EQ(mutant.status,
              weaker ? MutantResult::Status::Equivalent : MutantResult::Status::Killed)
        << mutant.description;
    EXPECT_EQ(std::ranges::count_if(mutant.killed_at, [](std::int32_t tick) { return tick >= 0; }),
              static_cast<std::ptrdiff_t>(mutant.kills));
  }
}

TEST(Shake, KillsWithTheShortestFlowWhatItsFlowsDidNot) {
  const model::Model model = heater();
  Options options = few(1);
  options.search.length = 1;
  options.mutants.emplace();
  options.mutants->groups = {MutantGroup::Dropped};
  const Report report = report_of({.model = model}, options);
  ASSERT_TRUE(report.mutation);
  const auto left_out = std::ranges::find_if(
      report.mutation->mutants,
      [](const MutantResult& mutant) { return mutant.description == "option `rest` is left out"; });
  ASSERT_NE(left_out, report.mutation->mutants.end());
  EXPECT_EQ(left_out->status, MutantResult::Status::Killable);
  ASSERT_TRUE(left_out->shortest);
  EXPECT_EQ(left_out->shortest->size(), 2U);  // it has to heat before it can rest
}

TEST(Shake, IsNotCompleteWhenTimeIsUp) {
  const model::Model model = heater(kRests);
  Options options = few();
  options.mutants.emplace();
  options.limits.time = std::chrono::milliseconds(0);
  const Report report = report_of({.model = model}, options);
  EXPECT_FALSE(report.extent.complete);
  EXPECT_EQ(report.extent.stopped, "the time limit was reached");
  EXPECT_TRUE(report.flows.empty());
  EXPECT_FALSE(report.mutation);
}

TEST(Shake, FailsWhereThereIsNothingToShake) {
  const model::Model blind =
      model_of("variant lamp : bool = false\noption light: lamp := true when not lamp\n");
  EXPECT_EQ(run({.model = blind}, few()).error().message,
            "nothing is sensed, so there is nothing to shake");
  const model::Model never = model_of(
      "sense x : int 0..9\nconstraint a: x > 5\nconstraint b: x < 4\n"
      "variant lamp : bool = false\noption light: lamp := true when x > 1\n");
  EXPECT_EQ(run({.model = never}, few()).error().message, "no context satisfies the constraints");
}

}  // namespace
}  // namespace poise::shake
