// tests/agree/verify_export.py runs other checkers on the texts; these tests do without them.

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/verify/export/horn.h"
#include "poise/verify/export/jani.h"
#include "poise/verify/export/mdp.h"
#include "poise/verify/export/names.h"
#include "poise/verify/export/prism.h"
#include "poise/verify/export/smt2.h"
#include "poise/verify/export/smv.h"
#include "poise/verify/system/transitions.h"

namespace poise::verify {
namespace {

model::Model model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value())
      << (parsed.diagnostics.empty() ? "" : parsed.diagnostics.front().message);
  return std::move(*parsed.model);
}

constexpr const char* kCar = R"(
  sense front : real 0..40 error -2..2 uniform
  var unit : real = 10 error -5..5 gauss 2.5
  action walk: front' == front - unit
  action look: front' >= front - 1 and front' <= front + 1
  failure bump: front <= 0 after walk, front > 40 after look
  failure far: front > 39 after look
  state A initial
  state B
  rule go: A -> B when front >= 12 do walk, look
  rule back: B -> A when true
)";

TEST(Transitions, AreOneForEachMoveAndOneForEachWayToFail) {
  const model::Model model = model_of(kCar);
  const System system = system_of(model, Mode::Actual);
  std::vector<std::string> titles;
  for (const Transition& transition : transitions_of(system)) {
    titles.push_back(title_of(system, transition));
    // Whatever is read was introduced.
    std::vector<Unknown> known = transition.passage.unknowns;
    for (const Term& term : carried(system)) {
      if (const auto* unknown = std::get_if<Unknown>(&term)) known.push_back(*unknown);
    }
    for (const Term& term : transition.passage.after) {
      if (const auto* unknown = std::get_if<Unknown>(&term)) {
        EXPECT_NE(std::ranges::find(known, *unknown), known.end());
      }
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
      EXPECT_EQ(std::ranges::count(known, known[i]), 1) << titles.back();
    }
  }
  EXPECT_EQ(titles,
            (std::vector<std::string>{"bump after walk of go in A", "bump after look of go in A",
                                      "far after look of go in A", "go in A", "back in B"}));
}

TEST(ExportNames, AreUniqueAndNeverTheCheckersOwn) {
  const model::Model model = model_of(R"(
    sense a.b : bool
    sense a_b : bool
    sense a__b : bool
    sense G : bool
    sense walk : set {a, b}
    sense walk_a : bool
    var free_ : int 0..3 = 0
    action go: true
    failure walk_a_2: a.b after go
    state A initial
    state in_A
    rule r: A -> in_A when true
  )");
  const System system = system_of(model, Mode::Actual);
  const std::vector<std::string_view> kept = {"free"};
  const ExportNames names(system, kept);
  std::set<std::string> all;
  std::size_t count = 0;
  const auto add = [&](const std::string& name) {
    all.insert(name);
    ++count;
    EXPECT_EQ(
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"),
        std::string::npos);
    EXPECT_GT(name.size(), 1U);
    EXPECT_NE(name, "free");
  };
  for (const model::SlotId slot : model.slots.ids()) {
    add(names.slot(slot));
    for (std::size_t act = 0; act < 4; ++act) {
      add(names.unknown({slot, Unknown::What::Sensed, act}));
      if (act > 0) add(names.unknown({slot, Unknown::What::Carried, act}));
    }
  }
  for (const model::StateId state : model.states.ids()) add(names.state(state));
  add(names.failure(model::FailureId{0}));
  EXPECT_EQ(all.size(), count);
}

TEST(Smt2, SaysWhereAPathBreaksOff) {
  const model::Model model = model_of(kCar);
  const System system = system_of(model, Mode::Actual);
  const model::RuleId go{0};
  const model::RuleId back{1};
  EXPECT_TRUE(smt2_text(system, std::vector{go, back, go}).has_value());
  const Result<std::string> wrong = smt2_text(system, std::vector{go, go});
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().message.find("`go` does not leave state `B`"), std::string::npos);
}

TEST(Mdp, HasProbabilitiesThatAddUpAndGoesNowhereUnknown) {
  const model::Model model = model_of(kCar);
  for (const Mode mode : {Mode::Naive, Mode::Ideal, Mode::Actual}) {
    const System system = system_of(model, mode);
    for (const Rational& step : {Rational(1), Rational(7, 10), Rational(13)}) {
      const Result<Mdp> mdp = mdp_of(system, step);
      ASSERT_TRUE(mdp.has_value());
      std::vector<bool> left(mdp->places.size());
      for (const Mdp::Edge& edge : mdp->edges) {
        left[edge.from] = true;
        double sum = 0;
        for (const Mdp::Branch& branch : edge.branches) {
          sum += branch.probability;
          EXPECT_LT(branch.to, mdp->places.size());
        }
        EXPECT_NEAR(sum, 1, 1e-12);
      }
      // No place is a dead end.
      for (std::size_t i = 0; i < left.size(); ++i) EXPECT_TRUE(left[i]) << mdp->places[i];
    }
  }
}

TEST(Mdp, TakesATenthOfTheLeastErrorAsItsStep) {
  const model::Model model = model_of(kCar);
  const auto step = [&](Mode mode) { return mdp_of(system_of(model, mode), std::nullopt)->step; };
  EXPECT_EQ(step(Mode::Actual), Rational(2, 10));
  EXPECT_EQ(step(Mode::Ideal), Rational(2, 10));  // a hundredth of the range, rounded down
}

TEST(Mdp, SaysWhatItCannotSay) {
  const auto message = [](const std::string& action, const std::optional<Rational>& step = {}) {
    const model::Model model = model_of("sense x : real 0..10\naction act: " + action + R"(
      failure low: x < 1 after act
      state A initial
      rule go: A -> A when true do act
    )");
    const Result<Mdp> mdp = mdp_of(system_of(model, Mode::Actual), step);
    return mdp ? std::string() : mdp.error().message;
  };
  EXPECT_EQ(message("x' == 2 * x - 1"), "");
  EXPECT_EQ(message("x' == 2 * x - 1 and x > 3"), "");
  EXPECT_EQ(message("x' <= x and x' > x - 1"), "");
  EXPECT_NE(message("x' == x or x' == 0"), "");
  EXPECT_NE(message("x' <= x"), "");
  EXPECT_NE(message("x' * x' == x"), "");
  EXPECT_NE(message("x' == x", Rational(Integer(1), Integer(10'000'000))), "");
}

TEST(Exports, AreTheSameEachTime) {
  const model::Model model = model_of(kCar);
  const System system = system_of(model, Mode::Actual);
  const Mdp mdp = *mdp_of(system, std::nullopt);
  EXPECT_EQ(horn_text(system), horn_text(system));
  Budget unlimited;
  EXPECT_EQ(*smt2_text(system, 3, unlimited), *smt2_text(system, 3, unlimited));
  EXPECT_EQ(smv_text(system), smv_text(system));
  EXPECT_EQ(prism_text(mdp), prism_text(*mdp_of(system, std::nullopt)));
  EXPECT_EQ(jani_text(mdp), jani_text(*mdp_of(system, std::nullopt)));
}

}  // namespace
}  // namespace poise::verify
