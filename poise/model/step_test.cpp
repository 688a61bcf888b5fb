#include "poise/model/step.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "poise/base/budget.h"
#include "poise/lang/lang.h"
#include "poise/model/cells.h"

namespace poise::model {
namespace {

Model model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
  return std::move(*parsed.model);
}

Cells cells_of(const Model& model) {
  Budget budget;
  return Cells::of(model, budget).value();
}

Context context_of(const Model& model, const std::map<std::string, Rational>& values) {
  Context context(model.slots.size());
  for (const Variable& variable : model.variables) {
    const auto value = values.find(variable.name);
    if (value != values.end()) context[variable.first_slot.index] = value->second;
  }
  return context;
}

std::vector<std::string> names(const Model& model, const std::vector<RuleId>& rules) {
  std::vector<std::string> result;
  for (const RuleId rule : rules) result.push_back(model.rules[rule].name);
  return result;
}

// "a b", "a b (0)" for a run that closes at 0, "a b …" for one that is cut.
std::vector<std::string> runs_from(const Model& model, const Context& context,
                                   RunOptions options = {}) {
  std::vector<std::string> result;
  const Cells cells = cells_of(model);
  for_each_run(model, {model.initial, context}, cells, options, [&](const Run& run) {
    std::string text;
    for (const RuleId rule : run.firings) text += model.rules[rule].name + " ";
    if (run.end == Run::End::Closed) text += "(" + std::to_string(run.loop) + ")";
    if (run.end == Run::End::Cut) text += "…";
    result.push_back(text);
    return true;
  });
  return result;
}

using Names = std::vector<std::string>;

constexpr const char* kThreeRules = R"(
  sense x : bool  sense y : bool
  state A initial, B
  rule weak: A -> B when x
  rule strong: A -> B priority 1 when y
  rule also: A -> A priority 1 when y and x
)";

TEST(Triggered, AreTheSatisfiedRulesOfTheStrongestPriority) {
  const Model model = model_of(kThreeRules);
  const auto triggered_in = [&](int x, int y, Priorities priorities = Priorities::Respected) {
    const Context context = context_of(model, {{"x", x}, {"y", y}});
    return names(model, triggered(model, model.initial, evaluate(model, context), priorities));
  };
  EXPECT_EQ(triggered_in(0, 0), Names{});
  EXPECT_EQ(triggered_in(1, 0), Names{"weak"});
  EXPECT_EQ(triggered_in(0, 1), Names{"strong"});
  EXPECT_EQ(triggered_in(1, 1), (Names{"strong", "also"}));
  EXPECT_EQ(triggered_in(1, 1, Priorities::Ignored), (Names{"weak", "strong", "also"}));
}

TEST(Evaluate, AnAtomOverAVariableWithoutAValueIsFalse) {
  const Model model = model_of(R"(
    sense on : bool
    sense speed : real 0..350 if on
    state A initial, B
    rule fast: A -> B when speed > 5
    rule slow: A -> B when speed <= 5
    rule not_fast: A -> B when not speed > 5
    rule different: A -> B when speed != 5
  )");
  const Situation off = evaluate(model, context_of(model, {{"on", 0}}));
  EXPECT_EQ(names(model, satisfied(model, model.initial, off)), Names{"not_fast"});
  const Situation on = evaluate(model, context_of(model, {{"on", 1}, {"speed", 6}}));
  EXPECT_EQ(names(model, satisfied(model, model.initial, on)), (Names{"fast", "different"}));
}

TEST(After, AnActionThatEnablesAGuardFreesWhatIsBehindIt) {
  const Model model = model_of(R"(
    sense g : bool   sense h : bool if g   sense v : {low, high} if h
    state A initial, B
    rule on: A -> B when not g do g := true
    rule off: B -> A when v == low do g := false
  )");
  const Cells cells = cells_of(model);
  const RuleId on{0};
  const RuleId off{1};
  // h false; h true with v low; h true with v high.
  EXPECT_EQ(after(model, on, context_of(model, {{"g", 0}}), cells).size(), 3U);
  const Context enabled = context_of(model, {{"g", 1}, {"h", 1}, {"v", 0}});
  const std::vector<Context> same = after(model, on, enabled, cells);
  ASSERT_EQ(same.size(), 1U);
  EXPECT_EQ(same.front(), enabled);
  EXPECT_EQ(after(model, off, enabled, cells), std::vector<Context>{context_of(model, {{"g", 0}})});
}

TEST(After, AssigningAVariableWithoutAValueHasNoEffect) {
  const Model model = model_of(R"(
    sense g : bool   sense v : int 0..9 if g
    state A initial
    rule set: A -> A when v < 5 or not g do v := 7, g := true
    rule reset: A -> A when v > 8 do g := true, v := 7
  )");
  const Cells cells = cells_of(model);
  const Context off = context_of(model, {{"g", 0}});
  EXPECT_GT(after(model, RuleId{0}, off, cells).size(), 1U);
  for (const Context& context : after(model, RuleId{1}, off, cells)) {
    EXPECT_EQ(context[1], Value(7));
  }
}

TEST(Runs, EndStableOrClosed) {
  const Model model = model_of(R"(
    sense x : bool
    state A initial, B, C
    rule ab: A -> B when true
    rule bc: B -> C when x
    rule ba: B -> A when not x
  )");
  EXPECT_EQ(runs_from(model, context_of(model, {{"x", 1}})), Names{"ab bc "});
  EXPECT_EQ(runs_from(model, context_of(model, {{"x", 0}})), Names{"ab ba (0)"});
}

TEST(Runs, BranchWhereSeveralRulesAreTriggered) {
  const Model model = model_of(R"(
    sense x : bool
    state A initial, B, C
    rule first: A -> B when x
    rule second: A -> C when x
  )");
  EXPECT_EQ(runs_from(model, context_of(model, {{"x", 1}})), (Names{"first ", "second "}));
  EXPECT_EQ(runs_from(model, context_of(model, {{"x", 0}})), Names{""});
}

TEST(Runs, CloseOnlyWhenTheContextIsBackToo) {
  const Model model = model_of(R"(
    sense x : bool   var ringer : {loud, mute} = loud
    state A initial, B
    rule go: A -> B when x do ringer := loud
    rule back: B -> A when x do ringer := mute
  )");
  EXPECT_EQ(runs_from(model, context_of(model, {{"x", 1}, {"ringer", 1}})), Names{"go back (0)"});
  EXPECT_EQ(runs_from(model, context_of(model, {{"x", 1}, {"ringer", 0}})),
            Names{"go back go (1)"});
}

TEST(Runs, AreCutWhereAsked) {
  const Model model = model_of(R"(
    sense x : bool   state A initial, B
    rule ab: A -> B when x
    rule ba: B -> A when x
  )");
  EXPECT_EQ(runs_from(model, context_of(model, {{"x", 1}}), {.max_firings = 1}), Names{"ab …"});
}

}  // namespace
}  // namespace poise::model
