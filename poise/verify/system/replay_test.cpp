#include "poise/verify/system/replay.h"

#include <gtest/gtest.h>

#include "poise/verify/verify.h"
#include "tests/support/car_models.h"

namespace poise::verify {
namespace {

Report report_of(const model::Model& model, Mode mode) {
  return run(model, {.mode = mode, .bound = 3, .limits = {}});
}

TEST(Replay, ConfirmsWhatTheEnginesFind) {
  const model::Model model = tests::car_with(tests::kFourRules);
  for (const Mode mode : {Mode::Naive, Mode::Ideal, Mode::Actual, Mode::AsPrinted}) {
    const Report report = report_of(model, mode);
    EXPECT_FALSE(report.counterexamples.empty());
    for (const Counterexample& example : report.counterexamples) {
      EXPECT_EQ(objection(model, mode, example), std::nullopt);
    }
  }
}

// Whatever is changed, something does not fit any more.
TEST(Replay, ObjectsToWhatWasChanged) {
  const model::Model model = tests::car_with(tests::kFourRules);
  const Report report = report_of(model, Mode::Actual);
  std::size_t changed = 0;
  for (const Counterexample& example : report.counterexamples) {
    const auto expect_objection = [&](auto change) {
      Counterexample other = example;
      change(other);
      EXPECT_NE(objection(model, Mode::Actual, other), std::nullopt);
      ++changed;
    };
    expect_objection([](Counterexample& other) { other.path.pop_back(); });
    expect_objection([](Counterexample& other) { other.trace.front().actual[0] = Rational(500); });
    expect_objection([](Counterexample& other) {
      other.trace.front().sensed[0] = other.trace.front().actual[0] + Rational(7);
    });
    expect_objection([](Counterexample& other) { other.trace.back().acts.pop_back(); });
    expect_objection([](Counterexample& other) {
      other.trace.back().acts.back().actual[0] =
          other.trace.back().acts.back().actual[0] + Rational(1);
      other.trace.back().acts.back().actual[1] =
          other.trace.back().acts.back().actual[1] + Rational(1);
    });
    expect_objection([](Counterexample& other) {
      for (auto& [slot, done] : other.trace.back().acts.back().done) done = Rational(16);
      if (other.trace.back().acts.back().done.empty()) other.path.clear();
    });
    expect_objection([](Counterexample& other) { other.trace.front().from = model::StateId{1}; });
  }
  EXPECT_GT(changed, 50U);
}

TEST(Replay, ObjectsWhereItDoesNotStartRightOrAConstraintDoesNotHold) {
  const std::string world = R"(
    sense x : int 0..9
    action walk: x' == x - 1
    failure low: x <= 3 after walk
    state A initial
    rule go: A -> A when true do walk
  )";
  const model::Model free = tests::model_of(world + "start x == 5");
  const Report report = report_of(free, Mode::Actual);
  ASSERT_EQ(report.counterexamples.size(), 1U);
  const Counterexample& example = report.counterexamples.front();
  EXPECT_EQ(objection(free, Mode::Actual, example), std::nullopt);
  EXPECT_EQ(
      objection(tests::model_of(world + "start x == 5 constraint x >= 4"), Mode::Actual, example),
      std::nullopt);
  EXPECT_EQ(objection(tests::model_of(world + "start x == 6"), Mode::Actual, example),
            "it does not start as it should");
  EXPECT_EQ(objection(tests::model_of(world + "constraint x >= 5"), Mode::Actual, example),
            "a constraint does not hold before a step");
}

// A run that is possible with errors is none without them.
TEST(Replay, KnowsTheMode) {
  const model::Model model = tests::car_with(tests::kFourRules);
  const Report report = report_of(model, Mode::Actual);
  EXPECT_NE(objection(model, Mode::Ideal, report.counterexamples.front()), std::nullopt);
}

}  // namespace
}  // namespace poise::verify
