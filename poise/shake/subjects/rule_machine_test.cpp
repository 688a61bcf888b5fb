#include "poise/shake/subjects/rule_machine.h"

#include <cmath>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/generate/generate.h"
#include "poise/lang/lang.h"
#include "poise/model/step.h"
#include "poise/shake/grid/number.h"

namespace poise::shake {
namespace {

using Names = std::vector<std::string>;

model::Model model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value()) << text;
  return std::move(*parsed.model);
}

// A property for each sensed slot; values do not matter.
Grid grid_for(const model::Model& model) {
  Grid grid;
  for (const model::SlotId slot : model.slots.ids()) {
    const model::Variable& variable = model.variables[model.slots[slot].variable];
    if (variable.own) continue;
    Property property;
    property.name = variable.name;
    property.slot = slot;
    grid.properties.push_back(std::move(property));
  }
  return grid;
}

constexpr const char* kHeater = R"(
sense temperature : real 0..40
sense window      : bool
var   starts      : int 0..3 = 0
state Idle initial
state Heating, Waiting
rule start:  Idle -> Heating    priority 2 when temperature < 18.5 do starts := 1
rule wait:   Idle, Heating -> Waiting priority 1 when window do starts := 2
rule stop:   Heating -> Idle    when temperature >= 21
rule resume: Waiting -> Idle    when not window
)";

TEST(RuleMachine, FollowsTheRules) {
  const model::Model model = model_of(kHeater);
  RuleMachine machine(model, grid_for(model));
  ASSERT_EQ(machine.fields().size(), 2U);
  EXPECT_EQ(machine.fields()[0].symbols, (Names{"Idle", "Heating", "Waiting"}));
  EXPECT_EQ(machine.fields()[1].name, "starts");
  EXPECT_EQ(machine.variant(), (Variant{0, 0}));
  const auto after = [&](double temperature, double window) {
    const auto variant = machine.step(std::vector<double>{temperature, window});
    return std::vector<double>(variant->begin(), variant->end());
  };
  EXPECT_EQ(after(18.5, 0), (Variant{0, 0}));
  EXPECT_TRUE(machine.acted().empty());
  EXPECT_EQ(after(18, 0), (Variant{1, 1}));
  EXPECT_EQ(machine.acted(), Names{"start"});
  EXPECT_EQ(after(18, 1), (Variant{2, 2}));
  EXPECT_EQ(after(18, 0), (Variant{1, 1}));  // resume, then start
  EXPECT_EQ(machine.acted(), (Names{"resume", "start"}));
  EXPECT_EQ(after(kNoNumber, 0), (Variant{1, 1}));
  EXPECT_EQ(after(21, 0), (Variant{0, 1}));
  machine.reset();
  EXPECT_EQ(machine.variant(), (Variant{0, 0}));
}

TEST(RuleMachine, StopsWhereItCameBack) {
  const model::Model model = model_of(R"(
sense on : bool
state A initial
state B, C
rule ab: A -> B when on
rule bc: B -> C when on
rule cb: C -> B when on
)");
  RuleMachine machine(model, grid_for(model));
  const std::vector<double> on = {1};
  EXPECT_EQ((*machine.step(on))[0], 1);
  EXPECT_EQ(machine.end(), RuleMachine::End::Closed);
  EXPECT_EQ(machine.acted(), (Names{"ab", "bc", "cb"}));
}

TEST(RuleMachine, WhatIsSensedComesBackWithTheNextTick) {
  const model::Model model = model_of(R"(
sense request : bool
var   served  : set {one, two} = {two}
state A initial
state B
rule serve: A -> B when request do request := false, served := {one}
rule again: B -> A when request
)");
  RuleMachine machine(model, grid_for(model));
  const std::vector<double> request = {1};
  EXPECT_EQ(machine.variant(), (Variant{0, 0, 1}));
  (void)machine.step(request);
  EXPECT_EQ(machine.variant(), (Variant{1, 1, 0}));
  EXPECT_EQ(machine.fields()[1].name, "served has one");
  (void)machine.step(request);  // again, and serve
  EXPECT_EQ(machine.acted(), (Names{"again", "serve"}));
}

// The least value of its domain.
class Least final : public model::Choices {
 public:
  explicit Least(const model::Model& model) : model_(model) {}
  [[nodiscard]] std::vector<Rational> values(model::SlotId slot,
                                             const model::Context&) const override {
    const model::Type& type = model_.variables[model_.slots[slot].variable].type;
    if (type.kind == model::TypeKind::Enum) return {Rational(type.members.front().index)};
    if (type.kind == model::TypeKind::Bool || type.kind == model::TypeKind::Set) return {0};
    return {type.low};
  }

 private:
  const model::Model& model_;
};

// Random contexts, in the machine and in the exact interpreter.
void agree(const model::Model& model, std::uint64_t seed) {
  RuleMachine machine(model, grid_for(model));
  Random random(seed);
  model::Configuration now{model.initial, model::Context(model.slots.size())};
  for (const model::Variable& variable : model.variables) {
    for (std::size_t i = 0; i < variable.initial.size(); ++i) {
      now.context[variable.first_slot.index + i] = variable.initial[i];
    }
  }
  const Least least(model);
  for (int tick = 0; tick < 20; ++tick) {
    std::vector<double> context;
    for (const model::SlotId slot : model.slots.ids()) {
      const model::Variable& variable = model.variables[model.slots[slot].variable];
      if (variable.own) continue;
      model::Value value;
      const auto guard = model::guard_slot(model, slot);
      if (!guard || (now.context[guard->index] && now.context[guard->index]->sign() > 0)) {
        const model::Type& type = variable.type;
        switch (type.kind) {
          case model::TypeKind::Bool:
          case model::TypeKind::Set:
            value = Rational(static_cast<std::int64_t>(random.below(2)));
            break;
          case model::TypeKind::Enum:
            value = Rational(type.members[random.below(type.members.size())].index);
            break;
          case model::TypeKind::Int:
            value = type.low + Rational(static_cast<std::int64_t>(random.below(11)));
            if (*value > type.high) value = type.high;
            break;
          case model::TypeKind::Real:
            value = type.low +
                    (type.high - type.low) *
                        Rational(Integer(static_cast<std::int64_t>(random.below(21))), Integer(20));
            break;
        }
      }
      now.context[slot.index] = value;
      context.push_back(value ? to_double(*value) : kNoNumber);
    }
    model::Run run;
    model::for_each_run(model, now, least, {}, [&](const model::Run& first) {
      run = first;
      return false;
    });
    now = run.configurations.back();
    (void)machine.step(context);
    Names fired;
    for (const model::RuleId rule : run.firings) fired.push_back(model.rules[rule].name);
    ASSERT_EQ(machine.acted(), fired) << "seed " << seed << " tick " << tick;
    ASSERT_EQ(machine.variant()[0], now.state.index);
    ASSERT_EQ(machine.end() == RuleMachine::End::Closed, run.end == model::Run::End::Closed);
    std::size_t field = 1;
    for (const model::SlotId slot : model.slots.ids()) {
      const model::Variable& variable = model.variables[model.slots[slot].variable];
      if (!variable.own) continue;
      if (variable.type.kind != model::TypeKind::Enum) {
        ASSERT_EQ(machine.variant()[field], to_double(*now.context[slot.index]));
      }
      ++field;
    }
  }
}

TEST(RuleMachine, AgreesWithTheExactInterpreterOnRandomModels) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    generate::Options options{.states = 5, .rules = 15, .variables = 6, .seed = seed};
    options.priorities =
        seed % 2 == 0 ? generate::Priorities::Tied : generate::Priorities::Distinct;
    if (seed % 3 == 0) options.sensed = 3;
    const Result<std::string> text = generate::model_text(options);
    ASSERT_TRUE(text.has_value());
    agree(model_of(*text), seed);
  }
}

TEST(RuleMachine, AgreesWithTheExactInterpreterOnActionsAndArithmetic) {
  const model::Model model = model_of(R"(
sense gps.on    : bool
sense gps.speed : real 0..2 if gps.on
sense gps.place : {home, office, elsewhere} if gps.on
sense load      : real 0..1
sense limit     : real 0..1
sense tags      : set {a, b, c}
sense count     : int 0..10
var   lamp      : {off, dim, on} = off
var   level     : int 0..5 = 2
state S initial
state T, U, V
rule one:   S -> T priority 3 when load + limit == 0.3 or gps.speed * load > 0.5
rule two:   S, T -> U priority 1 when gps.place in {home, office} and count * count > 2 * level + 3
  do level := 5, gps.on := false
rule three: U -> S priority 2 when tags has a implies gps.speed < 0.1 do lamp := on, gps.on := true
rule four:  T -> V when load - limit >= -0.05 do tags := {b}, lamp := dim
rule five:  V -> S when lamp == dim and (tags has b iff not tags has c) do level := 0
rule six:   V, T -> U when 3 * count - 7 in {2, 5, 8} do gps.speed := 1.5
rule seven: U -> T when not gps.on do count := 3
)");
  for (std::uint64_t seed = 1; seed <= 300; ++seed) agree(model, seed);
}

TEST(RuleMachine, GoesOnFromAState) {
  const model::Model model = model_of(kHeater);
  RuleMachine machine(model, grid_for(model));
  (void)machine.step(std::vector<double>{10, 0});
  const std::vector<double> state(machine.state().begin(), machine.state().end());
  EXPECT_EQ(state, (std::vector<double>{1, 1}));
  (void)machine.step(std::vector<double>{10, 1});
  machine.restore(state);
  EXPECT_EQ(machine.variant(), (Variant{1, 1}));
  (void)machine.step(std::vector<double>{30, 0});
  EXPECT_EQ(machine.acted(), Names{"stop"});
}

}  // namespace
}  // namespace poise::shake
