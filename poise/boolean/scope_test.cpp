#include "poise/boolean/scope.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/model/cells.h"
#include "poise/model/step.h"

namespace poise::boolean {
namespace {

using model::AtomId;
using model::Context;
using model::Model;
using model::RuleId;

// Small models that together have every type, guards, guards behind guards, clusters of several
// slots, constraints, and actions on all of these.
const std::map<std::string, std::string>& models() {
  static const std::map<std::string, std::string> all{
      {"Booleans", R"(
        sense a : bool  sense b : bool  sense c : bool  var d : bool = true
        state A initial, B
        rule r: A -> B when a and not b or (c implies d) do d := false
        rule s: B -> A when a iff b do a := true, c := false
        rule t: A -> A when d == false and true)"},
      {"Numbers", R"(
        sense n : int 0..9  sense x : real 0..10
        state A initial, B
        rule r: A -> B when n > 3 and x <= 2.5 do n := 7
        rule s: B -> A when 2 * n == 8 or n in {1, 2} or x > 9 do x := 2.5
        rule t: A -> A when x == 2.5 or n * n < 5 do n := 0, x := 0)"},
      {"Members", R"(
        sense place : {home, office, car}  sense seen : set {p, q, r}  var mode : {loud, mute} = loud
        state A initial, B
        rule r: A -> B when place == home and seen has p do mode := mute
        rule s: B -> A when place in {office, car} or mode != loud do place := car
        rule t: A -> A when not seen has q do seen := {q})"},
      {"Guards", R"(
        sense on : bool  sense fix : bool if on  sense speed : real 0..50 if fix  sense lane : {l, r} if on
        state A initial, B
        rule r: A -> B when speed > 5 do on := false
        rule s: B -> A when not speed > 5 and lane == l do on := true
        rule t: A -> A when fix do fix := false, lane := r
        rule u: B -> B when on do fix := true, speed := 7)"},
      {"Constraints", R"(
        sense on : bool  sense n : int 0..5 if on  sense a : bool  sense b : bool  sense k : int 0..3
        constraint n > 2 implies a
        constraint k == 1 or not b
        constraint k < 3
        state A initial, B
        rule r: A -> B when n > 4 and b do a := false
        rule s: B -> A when k == 2 or a do on := true, k := 3
        rule t: A -> A when on and k == 0 do on := false)"},
      {"Clusters", R"(
        sense x : int 0..4  sense y : int 0..4  sense z : int 0..9
        constraint x + y <= 6
        state A initial, B
        rule r: A -> B when x < y do x := 3
        rule s: B -> A when x * y == 6 or z > 4 do y := 0, z := 5
        rule t: A -> A when x == y and z <= 2)"},
      {"Reals", R"(
        sense u : real 0..10  sense v : real 0..10
        constraint u + v <= 15
        state A initial, B
        rule r: A -> B when u < v do u := 5
        rule s: B -> A when u - v >= 3 or u == v do v := 1
        rule t: A -> A when u > 9)"},
      {"Differences", R"(
        sense on : bool  sense a : int 0..9  sense b : int 0..9  sense c : int 0..9 if on
        sense u : real 0..5  sense v : real 0..5
        constraint a < b + 2 or u < v
        state A initial, B
        rule r: A -> B when a < b and not b < c do on := false, u := 2.5
        rule s: B -> A when a - c >= 3 or u == v + 0.5 or u - a > 1 do a := 4, b := 0
        rule t: A -> A when b == c or v < 1 do v := 0)"},
      {"GuardedClusters", R"(
        sense on : bool  sense x : int 0..3 if on  sense y : int 0..3
        state A initial, B
        rule r: A -> B when x < y do on := true
        rule s: B -> A when x == 2 or y == 0 do on := false
        rule t: A -> A when on)"},
      {"FreedSets", R"(
        sense on : bool  sense near : set {p, q} if on  sense n : int 0..9 if on
        constraint near has p implies n > 2
        state A initial, B
        rule r: A -> B when near has p do on := true
        rule s: B -> A when n > 5 or near has q do on := false
        rule t: A -> A when not on do on := true, near := {q})"},
  };
  return all;
}

using Truth = std::vector<bool>;  // of atoms

// An action frees a slot of a cluster in which others are assigned.
constexpr const char* kFreedAndAssigned = "FreedAndAssigned";
constexpr const char* kFreedAndAssignedText = R"(
  sense on : bool  sense x : int 0..3 if on  sense y : int 0..3
  state A initial, B
  rule r: A -> B when x < y do on := true
  rule s: B -> A when x == 2 or y == 0 do on := false
  rule t: A -> A when on do x := 1, y := 2)";

std::string text_of(const std::string& name) {
  return name == kFreedAndAssigned ? kFreedAndAssignedText : models().at(name);
}

// A model, and everything that step() can say about it.
class ScopeTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text_of(GetParam())});
    ASSERT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
    model_ = std::move(*parsed.model);
    Budget budget;
    cells_ = model::Cells::of(model_, budget).value();
    questions_ = model::Questions::of(model_, budget).value();
    cells_->for_each_context([&](const Context& context) {
      if (feasible(model_, evaluate(model_, context))) contexts_.push_back(context);
      return true;
    });
    ASSERT_FALSE(contexts_.empty());
    atoms_.resize(model_.atoms.size());
    for (std::uint32_t i = 0; i < atoms_.size(); ++i) atoms_[i] = {i};
    scope_.emplace(model_, *questions_, Budget());
  }

  Truth truth_in(const Context& context, const std::vector<AtomId>& atoms) const {
    const model::Situation situation = evaluate(model_, context);
    Truth truth;
    for (const AtomId atom : atoms) truth.push_back(situation.holds(atom));
    return truth;
  }

  // All assignments to these variables with which the set is not empty.
  std::set<Truth> assignments(Node starts, const std::vector<Variable>& variables) {
    std::set<Truth> found;
    std::vector<std::uint8_t> phases(scope_->arena().variable_count() + 1, 2);
    Truth truth;
    const auto add = [&](const auto& self) -> void {
      if (!scope_->arena().can_hold(starts, phases)) return;
      if (truth.size() == variables.size()) {
        found.insert(truth);
        return;
      }
      const Variable variable = variables[truth.size()];
      for (const bool holds : {false, true}) {
        truth.push_back(holds);
        phases[variable] = holds ? 1 : 0;
        self(self);
        truth.pop_back();
      }
      phases[variable] = 2;
    };
    add(add);
    return found;
  }

  Variable variable_of(AtomId atom) {
    return scope_->arena().inside(scope_->truth(question_of(atom))).variable;
  }
  std::vector<Variable> variables_of(const std::vector<AtomId>& atoms) {
    std::vector<Variable> variables;
    for (const AtomId atom : atoms) variables.push_back(variable_of(atom));
    return variables;
  }

  // What a firing leads to: the truths of all atoms before and after, one behind the other.
  std::set<Truth> pairs(Node starts, Scope::View view) {
    Arena& arena = scope_->arena();
    std::vector<Node> after;
    for (const AtomId atom : atoms_) after.push_back(scope_->truth(question_of(atom), view));
    std::vector<Variable> variables = variables_of(atoms_);
    Node both = arena.conjunction(starts, scope_->feasible(atoms_));
    both = arena.conjunction(both, scope_->feasible(view));
    for (const Node truth : after) {
      variables.push_back(arena.add_variable());
      both = arena.conjunction(both, arena.equivalence(arena.literal(variables.back()), truth));
    }
    return assignments(both, variables);
  }

  Truth pair(const Context& before, const Context& now) const {
    Truth truth = truth_in(before, atoms_);
    const Truth then = truth_in(now, atoms_);
    truth.insert(truth.end(), then.begin(), then.end());
    return truth;
  }

  Model model_;
  std::optional<model::Cells> cells_;
  std::optional<model::Questions> questions_;
  std::vector<Context> contexts_;  // that satisfy the constraints
  std::vector<AtomId> atoms_;      // all
  std::optional<Scope> scope_;
};

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : models()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Models, ScopeTest, testing::ValuesIn(model_names()),
                         [](const testing::TestParamInfo<std::string>& tested) {
                           return tested.param;
                         });

INSTANTIATE_TEST_SUITE_P(SignsOfForms, ScopeTest, testing::Values(kFreedAndAssigned),
                         [](const testing::TestParamInfo<std::string>& tested) {
                           return tested.param;
                         });

TEST_P(ScopeTest, FormulasHaveTheTruthOfTheirAtoms) {
  for (std::uint32_t i = 0; i < model_.formulas.size(); ++i) {
    const model::FormulaId formula{i};
    const Node node = scope_->truth(formula);
    for (const Context& context : contexts_) {
      const model::Situation situation = evaluate(model_, context);
      std::vector<std::uint8_t> phases(scope_->arena().variable_count() + 1, 2);
      for (const AtomId atom : atoms_of(model_, {formula})) {
        phases[variable_of(atom)] = situation.holds(atom) ? 1 : 0;
      }
      ASSERT_EQ(scope_->arena().can_hold(node, phases), situation.holds(formula))
          << to_text(model_, formula);
      ASSERT_EQ(scope_->arena().can_hold(scope_->arena().negation(node), phases),
                !situation.holds(formula));
    }
  }
}

TEST_P(ScopeTest, FeasibleIsWhatContextsShow) {
  // All atoms, and each rule's: one question after another in a fresh scope.
  std::vector<std::vector<AtomId>> groups{atoms_};
  for (const model::Rule& rule : model_.rules) groups.push_back(atoms_of(model_, {rule.guard}));
  for (const AtomId atom : atoms_) groups.push_back({atom});
  for (const std::vector<AtomId>& group : groups) {
    scope_->restart();
    const Node node = scope_->feasible(group);
    std::set<Truth> expected;
    for (const Context& context : contexts_) expected.insert(truth_in(context, group));
    EXPECT_EQ(assignments(node, variables_of(group)), expected);
    EXPECT_EQ(scope_->situations(node, group), Integer(static_cast<std::int64_t>(expected.size())));
  }
}

TEST_P(ScopeTest, FeasibleStaysRightAsMoreIsAsked) {
  std::vector<AtomId> asked;
  for (const AtomId atom : atoms_) {
    asked.insert(asked.begin(), atom);  // the latest first
    std::vector<AtomId> sorted = asked;
    std::ranges::sort(sorted);
    const Node node = scope_->feasible(sorted);
    std::set<Truth> expected;
    for (const Context& context : contexts_) expected.insert(truth_in(context, sorted));
    EXPECT_EQ(assignments(node, variables_of(sorted)), expected);
  }
}

TEST_P(ScopeTest, AViewShowsWhatAFiringLeadsTo) {
  for (const RuleId rule : model_.rules.ids()) {
    scope_->restart();
    const Node guard = scope_->truth(model_.rules[rule].guard);
    const Node before = scope_->arena().conjunction(scope_->feasible(atoms_), guard);
    const Scope::Fired fired = scope_->fired(Scope::kStart, rule, before);
    std::set<Truth> expected;
    for (const Context& context : contexts_) {
      if (!evaluate(model_, context).holds(model_.rules[rule].guard)) continue;
      for (const Context& now : after(model_, rule, context, *cells_)) {
        expected.insert(pair(context, now));
      }
    }
    EXPECT_EQ(pairs(fired.starts, fired.view), expected) << model_.rules[rule].name;
  }
}

TEST_P(ScopeTest, ViewsFollowEachOther) {
  for (const RuleId first : model_.rules.ids()) {
    for (const RuleId second : model_.rules.ids()) {
      scope_->restart();
      Arena& arena = scope_->arena();
      const Scope::Fired one = scope_->fired(Scope::kStart, first, scope_->feasible(atoms_));
      const Node guard = scope_->truth(model_.rules[second].guard, one.view);
      const Scope::Fired two =
          scope_->fired(one.view, second, arena.conjunction(one.starts, guard));
      std::set<Truth> expected;
      std::set<Truth> expected_back;  // the starts that come back to where they were
      for (const Context& context : contexts_) {
        for (const Context& between : after(model_, first, context, *cells_)) {
          if (!evaluate(model_, between).holds(model_.rules[second].guard)) continue;
          for (const Context& now : after(model_, second, between, *cells_)) {
            expected.insert(pair(context, now));
            if (cells_->same(context, now)) expected_back.insert(truth_in(context, atoms_));
          }
        }
      }
      const std::string names = model_.rules[first].name + " " + model_.rules[second].name;
      EXPECT_EQ(pairs(two.starts, two.view), expected) << names;
      std::vector<std::uint32_t> changed;
      scope_->add_changed(Scope::kStart, two.view, changed);
      Node back = scope_->same(Scope::kStart, two.view, changed, two.starts);
      back = arena.conjunction(back, scope_->feasible(two.view));
      back = arena.conjunction(back, scope_->feasible(atoms_));
      EXPECT_EQ(assignments(back, variables_of(atoms_)), expected_back) << names;
    }
  }
}

TEST_P(ScopeTest, CollectKeepsRootsAndViews) {
  for (const RuleId rule : model_.rules.ids()) {
    scope_->restart();
    const Scope::Fired fired = scope_->fired(Scope::kStart, rule, scope_->feasible(atoms_));
    Node starts = fired.starts;
    const std::set<Truth> before = pairs(starts, fired.view);
    scope_->collect({&starts});
    EXPECT_EQ(pairs(starts, fired.view), before) << model_.rules[rule].name;
  }
}

TEST_P(ScopeTest, WitnessesAreContextsAmongTheStarts) {
  const std::optional<Context> usual = usual_context(model_, *questions_, Budget());
  ASSERT_TRUE(usual.has_value());
  EXPECT_TRUE(feasible(model_, evaluate(model_, *usual)));
  for (const model::Rule& rule : model_.rules) {
    for (const bool holds : {true, false}) {
      scope_->restart();
      const Node guard = scope_->truth(rule.guard);
      const Node feasible_node = scope_->feasible(atoms_of(model_, {rule.guard}));
      const Node starts = scope_->arena().conjunction(
          feasible_node, holds ? guard : scope_->arena().negation(guard));
      bool expected = false;
      for (const Context& context : contexts_) {
        expected = expected || evaluate(model_, context).holds(rule.guard) == holds;
      }
      const auto changes = scope_->witness(starts, *usual);
      ASSERT_EQ(changes.has_value(), expected) << rule.name;
      if (!changes) continue;
      Context context = *usual;
      for (const auto& [slot, value] : *changes) context[slot.index] = value;
      const model::Situation situation = evaluate(model_, context);
      EXPECT_EQ(situation.holds(rule.guard), holds) << rule.name;
      EXPECT_TRUE(feasible(model_, situation)) << rule.name;
      for (const model::SlotId slot : model_.slots.ids()) {
        const auto guard_of = guard_slot(model_, slot);
        const bool enabled = !guard_of || context[guard_of->index] == model::Value(1);
        EXPECT_EQ(context[slot.index].has_value(), enabled) << rule.name;
      }
    }
  }
}

TEST(Scope, HasNoUsualContextWhereConstraintsContradict) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = R"(
    sense x : int 0..5
    constraint x > 3
    constraint x < 2
    state A initial
    rule r: A -> A when x == 1)"});
  const Model model = std::move(*parsed.model);
  Budget budget;
  const model::Questions questions = model::Questions::of(model, budget).value();
  EXPECT_FALSE(usual_context(model, questions, budget).has_value());
  Scope scope(model, questions, budget);
  EXPECT_EQ(scope.feasible({AtomId{0}}), kFalse);
}

TEST(Scope, GivesUpAtTheLimitOfNodesAndStartsAfresh) {
  std::string text = "state A initial rule r: A -> A when a0 and b0";
  for (int i = 1; i < 12; ++i) text += " or a" + std::to_string(i) + " and b" + std::to_string(i);
  // All a before all b: the order of first use.
  std::string first = " rule q: A -> A when a0";
  for (int i = 1; i < 12; ++i) first += " or a" + std::to_string(i);
  text = first + " " + text;
  for (int i = 0; i < 12; ++i) {
    text += " sense a" + std::to_string(i) + " : bool sense b" + std::to_string(i) + " : bool";
  }
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  ASSERT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
  const Model model = std::move(*parsed.model);
  Budget budget;
  const model::Questions questions = model::Questions::of(model, budget).value();
  Scope scope(model, questions, budget, {.nodes = 500});
  const Node easy = scope.truth(model.rules[RuleId{0}].guard);
  EXPECT_NE(easy, kFalse);
  static_cast<void>(scope.truth(model.rules[RuleId{1}].guard));
  EXPECT_TRUE(scope.gave_up());
  EXPECT_NE(scope.gave_up_because().find("too many nodes"), std::string::npos);
  EXPECT_FALSE(scope.witness(easy, Context(model.slots.size(), Rational(0))).has_value());
  scope.restart();
  EXPECT_FALSE(scope.gave_up());
  EXPECT_EQ(scope.gave_up_because(), "");
  EXPECT_EQ(scope.truth(model.rules[RuleId{0}].guard), easy);
}

}  // namespace
}  // namespace poise::boolean
