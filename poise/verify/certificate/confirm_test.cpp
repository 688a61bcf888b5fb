#include "poise/verify/certificate/confirm.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "poise/base/sha256.h"
#include "tests/support/models.h"

namespace poise::verify {
namespace {

using Holds = std::vector<std::optional<std::string>>;  // by state

Confirmation confirmation(const std::string& text, const Holds& holds, Mode mode = Mode::Actual,
                          const Limits& limits = {}) {
  const model::Model model = test::model_of(text);
  Certificate certificate{.model = model.name,
                          .file = "test.poise",
                          .hash = sha256(text),
                          .mode = mode,
                          .errors = errors_of(model, mode),
                          .failures = failures_of(model),
                          .invariants = {},
                          .text = text};
  for (const model::StateId state : model.states.ids()) {
    certificate.invariants.push_back({model.states[state].name, holds[state.index]});
  }
  const OpenedCertificate contents = opened(certificate, "");
  EXPECT_TRUE(contents.opened.has_value());
  return confirm(*contents.opened, limits);
}

// "yes", "start", "failure" or "step": what is not so; "unknown".
std::string answer(const std::string& text, const Holds& holds, Mode mode = Mode::Actual) {
  const Confirmation made = confirmation(text, holds, mode);
  if (made.verdict == Confirmation::Verdict::Confirmed) return "yes";
  if (made.verdict == Confirmation::Verdict::Unknown) return "unknown";
  switch (made.part) {
    case Confirmation::Part::Start: return "start";
    case Confirmation::Part::Failure: return "failure";
    case Confirmation::Part::Step: return "step";
  }
  return "";
}

const std::string kWalker =
    "sense front : real 0..400 error -6..6\n"
    "var unit : real = 10 error -5..5\n"
    "action walk: front' == front - unit\n"
    "failure bump: front <= 0 after walk\n"
    "state Ahead initial\n"
    "state Stopped final\n"
    "rule go: Ahead -> Ahead when front > 21 do walk\n"
    "rule stop: Ahead -> Stopped when front <= 21\n";

TEST(Confirm, TakesWhatIsInductiveAndNothingElse) {
  const std::string all = "unit == 10 and front >= 0 and front <= 400";
  EXPECT_EQ(answer(kWalker, {all, "unit == 10 and front <= 27"}), "yes");
  EXPECT_EQ(answer(kWalker, {all, "true"}), "yes");
  EXPECT_EQ(answer(kWalker, {"unit == 10", "front <= 27"}), "yes");
  EXPECT_EQ(answer(kWalker, {"true", "true"}), "failure");  // unit may be anything
  EXPECT_EQ(answer(kWalker, {all, "front < 27"}), "step");
  EXPECT_EQ(answer(kWalker, {all, std::nullopt}), "step");
  EXPECT_EQ(answer(kWalker, {std::nullopt, "true"}), "start");
  EXPECT_EQ(answer(kWalker, {"unit == 10 and front < 400", "true"}), "start");
  EXPECT_EQ(answer(kWalker, {"unit == 10 and front > 15.9", "true"}), "start");
}

TEST(Confirm, KnowsErrorsOfSensorsAndActions) {
  const auto with = [&](const std::string& limit, Mode mode) {
    std::string text = kWalker;
    while (text.find("21") != std::string::npos) text.replace(text.find("21"), 2, limit);
    return answer(text, {"unit == 10", "true"}, mode);
  };
  EXPECT_EQ(with("20.9", Mode::Actual), "failure");
  EXPECT_EQ(with("10", Mode::Ideal), "yes");
  EXPECT_EQ(with("9.9", Mode::Ideal), "failure");
}

TEST(Confirm, FreesWhatANaiveActionDoes) {
  const std::string text = kWalker + "constraint front > 0\n";
  EXPECT_EQ(answer(text, {"unit == 10", "true"}, Mode::Naive), "failure");
  const std::string positive =
      "sense x : real 1..5\naction a: x' == x - 10\nfailure f: x < 1 after a\nstate A initial\n"
      "rule r: A -> A when true do a\n";
  EXPECT_EQ(answer(positive, {"x >= 1 and x <= 5"}, Mode::Naive), "yes");
  EXPECT_EQ(answer(positive, {"x >= 1 and x <= 5"}, Mode::Ideal), "failure");
}

TEST(Confirm, ShowsValuesThatContradict) {
  const Confirmation made = confirmation(kWalker, {"unit == 10", "front < 27"});
  EXPECT_EQ(made.verdict, Confirmation::Verdict::NotConfirmed);
  EXPECT_EQ(made.part, Confirmation::Part::Step);
  EXPECT_EQ(made.state, model::StateId{0});
  EXPECT_EQ(made.rule, model::RuleId{1});
  EXPECT_EQ(made.before, (Values{27, 10}));
  EXPECT_EQ(made.after, (Values{27, 10}));
}

TEST(Confirm, KnowsConstraintsBeforeEveryStepAndStartAtTheStartOnly) {
  const std::string text =
      "sense x : real 0..10\n"
      "action down: x' == x - 5\n"
      "failure low: x < 0 after down\n"
      "state A initial\n"
      "rule r: A -> A when true do down\n";
  EXPECT_EQ(answer(text, {"x >= 0"}), "failure");
  EXPECT_EQ(answer("start x >= 5\n" + text, {"x >= 5"}), "step");
  EXPECT_EQ(answer("start x >= 5\n" + text, {"x >= 0"}), "failure");
  EXPECT_EQ(answer("constraint x >= 5\n" + text, {"x >= 0"}), "yes");
  EXPECT_EQ(answer("constraint x >= 5\n" + text, {"x >= 5"}), "step");
}

TEST(Confirm, KnowsConstraintsOverStreams) {
  const std::string text =
      "stream S { n : int 0..9 }\nsense x : real 0..10\n"
      "action a: x' == x\nfailure f: x > 5 after a\n"
      "state A initial\n"
      "rule r: A -> A when exists s in S: s.n > 3 do a\n";
  EXPECT_EQ(answer("constraint x > 5 implies not (exists s in S: s.n > 3)\n" + text, {"true"}),
            "yes");
  EXPECT_EQ(answer("constraint x > 6 implies not (exists s in S: s.n > 3)\n" + text, {"true"}),
            "failure");
}

TEST(Confirm, KnowsConstraintsAtTheStart) {
  const std::string text = "constraint front > 100\n" + kWalker;
  EXPECT_EQ(answer(text, {"unit == 10 and front > 0", "true"}), "yes");
  EXPECT_EQ(answer(kWalker, {"unit == 10 and front > 0", "true"}), "start");
}

TEST(Confirm, LetsStrongerRulesGoFirst) {
  const auto with = [](const std::string& priority) {
    return answer(
        "sense x : real 0..10\n"
        "action down: x' == x - 5\n"
        "failure low: x < 0 after down\n"
        "state A initial\n"
        "state B final\n"
        "rule r: A -> A" +
            priority +
            " when true do down\n"
            "rule s: A -> B priority 1 when x < 5\n",
        {"x >= 0", "true"});
  };
  EXPECT_EQ(with(""), "yes");
  EXPECT_EQ(with(" priority 2"), "yes");
  EXPECT_EQ(with(" priority 1"), "failure");
}

TEST(Confirm, FreesWhatAnActionDoesNotMention) {
  const std::string text =
      "sense x : real 0..10\nsense y : real 0..10\nvar n : int 0..5 = 2\n"
      "action a: x' == x\nfailure f: y > 10 or n != 2 after a\n"
      "state A initial\nrule r: A -> A when true do a\n";
  EXPECT_EQ(answer(text, {"n == 2"}), "yes");
  EXPECT_EQ(answer(text, {"n == 2 and y < 5"}), "start");
  EXPECT_EQ(answer("constraint y < 5\n" + text, {"n == 2 and y < 5"}), "step");
}

TEST(Confirm, KeepsTypesWhateverAnActionSays) {
  const std::string text =
      "sense n : int 0..9\nsense mode : {slow, fast, still}\nsense lit : bool\n"
      "sense other : {a, fast, still}\n"
      "action a: n' > n and n' < n + 2 and mode' != slow and not (lit' iff lit)\n"
      "failure f: mode != fast and mode != still or n != 3 and n > 2 and n < 4 after a\n"
      "state A initial\nrule r: A -> A when true do a\n";
  EXPECT_EQ(answer(text, {"true"}), "yes");
  EXPECT_EQ(answer(text, {"mode != slow"}), "start");
}

// A variable behind a guard: nothing can be said of it while it has no value, and it takes any
// value when it gets one.
TEST(Confirm, KnowsVariablesWithoutAValue) {
  const std::string head =
      "sense on : bool\n"
      "sense lit : bool if on\n"
      "sense x : real 0..10 if lit\n"
      "action keep: (on' iff on) and (lit' iff lit) and (lit implies x' == x)\n"
      "failure f: x > 10 after keep\n"
      "constraint x <= 4 or not lit\n"
      "state A initial\n";
  const std::string held = "(lit implies x >= 0 and x <= 4)";
  EXPECT_EQ(answer(head + "rule r: A -> A when true do keep\n", {held}), "yes");
  EXPECT_EQ(answer(head + "rule r: A -> A when true do keep\n", {"x <= 4"}), "start");
  EXPECT_EQ(answer(head + "rule r: A -> A when true do keep\n", {"not x > 4"}), "yes");
  // Already on: x stays.
  EXPECT_EQ(answer(head + "rule r: A -> A when lit do lit := true, keep\n", {held}), "yes");
  // Not on: x takes any value.
  EXPECT_EQ(answer(head + "rule r: A -> A when not lit do on := true, keep\n", {held}), "step");
  EXPECT_EQ(answer(head + "rule r: A -> A when not lit do on := true, keep\n",
                   {"(lit implies x >= 0 and x <= 10)"}),
            "yes");
  // The outer guard is off, so the inner one changes nothing that can be seen.
  EXPECT_EQ(answer(head + "rule r: A -> A when not on do lit := true, keep\n", {held}), "yes");
  EXPECT_EQ(answer(head + "rule r: A -> A when on do on := false, keep\n", {held}), "yes");
}

TEST(Confirm, KnowsSetsAndAssignments) {
  const std::string text =
      "sense bag : set {key, lamp}\nvar gear : {low, high} = low\n"
      "action a: (bag' has key iff bag has key) and (bag' has lamp iff bag has lamp)\n"
      "failure f: bag has key and gear == low after a\n"
      "start not bag has key\n"
      "state A initial\nrule r: A -> A when true do a, gear := high\n";
  EXPECT_EQ(answer(text, {"not bag has key"}), "yes");
  EXPECT_EQ(answer(text, {"not bag has key and gear == low"}), "step");
  EXPECT_EQ(answer(text, {"true"}), "failure");
}

TEST(Confirm, KnowsWhatHoldsAtTheStartAndWhatHoldsAlways) {
  const std::string text =
      "sense x : real 0..10\naction a: x' == x + 1\nfailure f: x > 8 after a\n"
      "state A initial\nrule r: A -> A when true do a\n";
  // Before each step x is at most 7, so after it at most 8.
  EXPECT_EQ(answer("constraint x <= 7\n" + text, {"x <= 8"}), "yes");
  EXPECT_EQ(answer("constraint x <= 7\n" + text, {"x <= 7"}), "step");
  EXPECT_EQ(answer("start x <= 7\n" + text, {"x <= 8"}), "failure");
  EXPECT_EQ(answer("start x <= 7\n" + text, {"x < 7"}), "start");
}

TEST(Confirm, LetsConditionsOverStreamsBeAnything) {
  const std::string text =
      "stream S { n : int 0..9 }\nsense x : real 0..10\n"
      "action a: x' == x\nfailure f: x > 5 after a\n"
      "state A initial\nstate B final\n"
      "rule r: A -> A when exists s in S: s.n > 3 do a\n"
      "rule s: A -> B when not (exists s in S: s.n > 3)\n";
  EXPECT_EQ(answer(text, {"true", "true"}), "failure");
  EXPECT_EQ(answer("constraint x < 5\n" + text, {"x < 5", "true"}), "yes");
}

TEST(Confirm, AsksAfterEachActionOfARule) {
  const std::string text =
      "sense x : real 0..10\naction up: x' == x + 1\naction down: x' == x - 1\n"
      "failure high: x > 10 after up\nstate A initial\n";
  EXPECT_EQ(answer(text + "rule r: A -> A when true do beep, down, up\n", {"x <= 10"}), "yes");
  const Confirmation made =
      confirmation(text + "rule r: A -> A when true do beep, up, down\n", {"x <= 10"});
  EXPECT_EQ(made.part, Confirmation::Part::Failure);
  EXPECT_EQ(made.act, 0U);
}

TEST(Confirm, SaysThatTheTimeIsUp) {
  const Confirmation made =
      confirmation(kWalker, {"true", "true"}, Mode::Actual, {.time = std::chrono::milliseconds(0)});
  EXPECT_EQ(made.verdict, Confirmation::Verdict::Unknown);
  EXPECT_EQ(made.why, "the time limit was reached");
}

TEST(Confirm, NeedsNoVariables) {
  const std::string text =
      "var u : int 0..3 = 1\naction a: u == 1\nfailure f: u == 2 after a\n"
      "state A initial\nrule r: A -> A when u == 1 do a\n";
  EXPECT_EQ(answer(text, {"u == 1"}), "yes");
  EXPECT_EQ(answer(text, {std::nullopt}), "start");
}

}  // namespace
}  // namespace poise::verify
