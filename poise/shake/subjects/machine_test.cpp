#include "poise/shake/subjects/machine.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/shake/grid/number.h"
#include "poise/shake/subjects/policy_test.h"

namespace poise::shake {
namespace {

using Kind = model::TypeKind;
using Op = model::PolicyOp;
using Names = std::vector<std::string>;

std::vector<double> stepped(PolicyMachine& machine, std::vector<double> context) {
  const Result<std::span<const double>> variant = machine.step(context);
  return {variant->begin(), variant->end()};
}

// The last field of the variant after each of the contexts, which have one property.
std::vector<double> answers(const PolicyBuilder& b, const std::vector<double>& contexts) {
  PolicyMachine machine(b.model, b.grid);
  std::vector<double> results;
  for (const double context : contexts) results.push_back(stepped(machine, {context}).back());
  return results;
}

// `variant y : real = 0; option set: y := <of x>`: what an expression is, tick by tick.
std::vector<double> values(
    const std::function<model::PolicyExprId(PolicyBuilder&, model::SlotId)>& expression,
    const std::vector<double>& contexts) {
  PolicyBuilder b;
  const auto x =
      b.sense("x", Kind::Real, -1000, 1000, {{"low", {model::Shape::Kind::Ramp, {10, 0}}, {}}});
  const auto y = b.variant("y", Kind::Real, -1000, 1000, -1);
  b.option("set", {{y, expression(b, x)}});
  return answers(b, contexts);
}

TEST(PolicyMachine, HasTheVariantsAsFields) {
  const PolicyBuilder b = web_server();
  const PolicyMachine machine(b.model, b.grid);
  ASSERT_EQ(machine.fields().size(), 3U);
  EXPECT_EQ(machine.fields()[0].name, "cache");
  EXPECT_EQ(machine.fields()[0].kind, Field::Kind::Boolean);
  EXPECT_EQ(machine.fields()[2].low, 1);
  EXPECT_EQ(machine.fields()[2].high, 100);
  EXPECT_EQ(machine.variant(), (Variant{0, 512, 1}));
}

TEST(PolicyMachine, RunsTheWebServer) {
  const PolicyBuilder b = web_server();
  PolicyMachine machine(b.model, b.grid);
  EXPECT_EQ(stepped(machine, {900, 0.1, 500}), (std::vector<double>{1, 512, 2}));
  EXPECT_EQ(machine.acted(), (Names{"add_cache", "add_server"}));
  EXPECT_EQ(machine.utilities()[0], 1);
  EXPECT_EQ(machine.utilities()[4], 1);
  EXPECT_EQ(stepped(machine, {900, 0.9, 900}), (std::vector<double>{1, 640, 3}));
  // dispersion is wholly high: 1; density is high: 0. So 0.5, which is not enough to remove it.
  EXPECT_EQ(machine.utilities()[1], 0.5);
  EXPECT_EQ(stepped(machine, {10, 0.9, 10}), (std::vector<double>{0, 512, 2}));
  EXPECT_EQ(machine.acted(), (Names{"remove_cache", "shrink_cache", "remove_server"}));
  machine.reset();
  EXPECT_EQ(machine.variant(), (Variant{0, 512, 1}));
  EXPECT_TRUE(machine.acted().empty());
}

TEST(PolicyMachine, Calculates) {
  const auto on = [](Op op, std::vector<Rational> numbers, double x) {
    return values(
        [&](PolicyBuilder& b, model::SlotId slot) {
          std::vector<model::PolicyExprId> parts = {b.slot(slot)};
          for (const Rational& number : numbers) parts.push_back(b.number(number));
          return b.op(op, std::move(parts));
        },
        {x})[0];
  };
  EXPECT_EQ(on(Op::Add, {2, 3}, 4), 9);
  EXPECT_EQ(on(Op::Multiply, {2, 3}, 4), 24);
  EXPECT_EQ(on(Op::Divide, {8}, 4), 0.5);
  EXPECT_EQ(on(Op::Negate, {}, 4), -4);
  EXPECT_EQ(on(Op::Minimum, {7, 2}, 4), 2);
  EXPECT_EQ(on(Op::Maximum, {7, 2}, 4), 7);
  EXPECT_EQ(on(Op::Absolute, {}, -4), 4);
  EXPECT_EQ(on(Op::Ceiling, {}, 3.2), 4);
  EXPECT_EQ(on(Op::Floor, {}, -3.2), -4);
  EXPECT_EQ(on(Op::Round, {}, 2.5), 3);
  EXPECT_EQ(on(Op::Round, {}, -2.5), -3);
}

TEST(PolicyMachine, NoValueIsAssignedToNothing) {
  const auto sum = [](PolicyBuilder& b, model::SlotId x) {
    return b.op(Op::Add, {b.slot(x), b.number(1)});
  };
  EXPECT_EQ(values(sum, {kNoNumber, 4, kNoNumber}), (std::vector<double>{-1, 5, 5}));
  const auto inverse = [](PolicyBuilder& b, model::SlotId x) {
    return b.op(Op::Divide, {b.number(1), b.slot(x)});
  };
  EXPECT_EQ(values(inverse, {0, 4, 0}), (std::vector<double>{-1, 0.25, 0.25}));
  const auto least = [](PolicyBuilder& b, model::SlotId x) {
    return b.op(Op::Minimum, {b.number(3), b.slot(x), b.number(2)});
  };
  EXPECT_EQ(values(least, {kNoNumber, 4}), (std::vector<double>{-1, 2}));
}

TEST(PolicyMachine, ComparisonsWithoutAValueAreFalse) {
  for (const Op op : {Op::Equal, Op::NotEqual, Op::Less, Op::LessEqual}) {
    const auto compared = [&](PolicyBuilder& b, model::SlotId x) {
      return b.op(Op::If, {b.op(op, {b.slot(x), b.number(5)}), b.number(1), b.number(0)});
    };
    const auto calculated = [&](PolicyBuilder& b, model::SlotId x) {
      return b.op(Op::If,
                  {b.op(op, {b.op(Op::Multiply, {b.slot(x), b.number(0.5_r)}), b.number(2.5_r)}),
                   b.number(1), b.number(0)});
    };
    const bool equal = op == Op::Equal || op == Op::LessEqual;
    const bool less = op != Op::Equal;
    const std::vector<double> expected = {0, equal ? 1.0 : 0.0, less ? 1.0 : 0.0,
                                          op == Op::NotEqual ? 1.0 : 0.0};
    EXPECT_EQ(values(compared, {kNoNumber, 5, 4, 6}), expected);
    EXPECT_EQ(values(calculated, {kNoNumber, 5, 4, 6}), expected);
  }
  const auto negated = [](PolicyBuilder& b, model::SlotId x) { return b.not_(b.is(x, 0)); };
  EXPECT_EQ(values(negated, {kNoNumber, 1, 9}), (std::vector<double>{1, 0, 1}));
}

TEST(PolicyMachine, CalculatedNumbersAreComparedAsIfTheyWereExact) {
  const auto sum_is = [](PolicyBuilder& b, model::SlotId x) {
    return b.op(Op::Equal, {b.op(Op::Add, {b.slot(x), b.number(0.2_r)}), b.number(0.3_r)});
  };
  EXPECT_EQ(values(sum_is, {0.1, 0.10001}), (std::vector<double>{1, 0}));
  const auto replicas = [](PolicyBuilder& b, model::SlotId x) {
    return b.op(
        Op::Ceiling,
        {b.op(Op::Divide, {b.op(Op::Multiply, {b.number(10), b.slot(x)}), b.number(0.1_r)})});
  };
  EXPECT_EQ(values(replicas, {0.3, 0.7, 0.61}), (std::vector<double>{30, 70, 61}));
}

TEST(PolicyMachine, FuzzyOnlyWherePreferencesAsk) {
  PolicyBuilder b;
  const auto x =
      b.sense("x", Kind::Real, 0, 10, {{"low", {model::Shape::Kind::Ramp, {10, 0}}, {}}});
  const auto crisp = b.variant("crisp", Kind::Bool, 0, 1, 0);
  const auto y = b.variant("y", Kind::Real, 0, 1, 0);
  b.option("crisp", {{crisp, b.is(x, 0)}});
  const auto fuzzy = b.option("fuzzy", {{y, b.utility()}});
  b.prefer(fuzzy, 2, b.is(x, 0));
  b.prefer(fuzzy, 0, b.not_(b.is(x, 0)));
  PolicyMachine machine(b.model, b.grid);
  EXPECT_EQ(stepped(machine, {2}), (std::vector<double>{1, 0.8}));
  EXPECT_EQ(stepped(machine, {5}), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(stepped(machine, {6}), (std::vector<double>{0, 0.4}));
}

TEST(PolicyMachine, HeldHoldsAfterItsTime) {
  const auto held = [](PolicyBuilder& b, model::SlotId x) {
    return b.op(Op::Held, {b.less(b.number(5), b.slot(x))}, 3);
  };
  EXPECT_EQ(values(held, {9, 9, 9, 9, 9, 1, 9, 9, 9, 9}),
            (std::vector<double>{0, 0, 0, 1, 1, 0, 0, 0, 0, 1}));
}

TEST(PolicyMachine, RatesLookBack) {
  const auto rate = [](Rational seconds) {
    return [seconds](PolicyBuilder& b, model::SlotId x) {
      b.model.policy.tick = 2;
      return b.op(Op::Rate, {b.slot(x)}, seconds);
    };
  };
  EXPECT_EQ(values(rate(0), {10, 14, 12, 12}), (std::vector<double>{0, 2, -1, 0}));
  EXPECT_EQ(values(rate(6), {10, 14, 18, 22, 14}), (std::vector<double>{0, 2, 2, 2, 0}));
  // -1: no value, nothing is assigned.
  EXPECT_EQ(values(rate(0), {kNoNumber, 14, 18, kNoNumber, 3}),
            (std::vector<double>{-1, -1, 2, 2, 2}));
}

TEST(PolicyMachine, WindowsForget) {
  const auto over = [](Op op) {
    return [op](PolicyBuilder& b, model::SlotId x) { return b.op(op, {b.slot(x)}, 3); };
  };
  const std::vector<double> xs = {4, 1, 2, 0, 8, kNoNumber, 2, 3, 1};
  EXPECT_EQ(values(over(Op::MaximumOver), xs), (std::vector<double>{4, 4, 4, 2, 8, 8, 8, 3, 3}));
  EXPECT_EQ(values(over(Op::MinimumOver), xs), (std::vector<double>{4, 1, 1, 0, 0, 0, 2, 2, 1}));
  EXPECT_EQ(values(over(Op::MeanOver), xs),
            (std::vector<double>{4, 2.5, 7.0 / 3, 1, 10.0 / 3, 4, 5, 2.5, 2}));
  EXPECT_EQ(values(over(Op::MaximumOver), {kNoNumber, 3}), (std::vector<double>{-1, 3}));
}

TEST(PolicyMachine, PreviousIsThePresentAtFirst) {
  const auto before = [](PolicyBuilder& b, model::SlotId x) {
    return b.op(Op::Previous, {b.slot(x)});
  };
  EXPECT_EQ(values(before, {4, 1, kNoNumber, 7, 8}), (std::vector<double>{4, 4, 1, 1, 7}));
}

TEST(PolicyMachine, HistoryIsToldWhetherItMattersOrNot) {
  // While the option cools down, its history goes on.
  PolicyBuilder b;
  const auto x = b.sense("x", Kind::Real, 0, 10);
  const auto y = b.variant("y", Kind::Int, 0, 100, 0);
  b.option("count", {{y, b.op(Op::Add, {b.slot(y), b.op(Op::MaximumOver, {b.slot(x)}, 2)})}},
           b.less(b.number(0), b.slot(x)), 3);
  PolicyMachine machine(b.model, b.grid);
  std::vector<double> results;
  for (const double value : {1.0, 5.0, 0.0, 1.0, 7.0, 0.0, 2.0}) {
    results.push_back(stepped(machine, {value})[0]);
  }
  EXPECT_EQ(results, (std::vector<double>{1, 1, 1, 2, 2, 2, 4}));
}

TEST(PolicyMachine, HistoryOfOwnVariablesIsOfTheEndsOfTicks) {
  // Whoever asks, before y is set or after that: `previous of y` is y at the end of the tick
  // before.
  PolicyBuilder b;
  const auto x = b.sense("x", Kind::Int, 0, 10);
  const auto y = b.variant("y", Kind::Int, 0, 100, 0);
  const auto seen = b.variant("seen", Kind::Int, 0, 100, 0);
  const auto first = b.variant("first", Kind::Int, 0, 100, 0);
  b.option("before", {{first, b.op(Op::Previous, {b.slot(y)})}});
  b.option("set", {{y, b.slot(x)}});
  b.option("after", {{seen, b.op(Op::Previous, {b.slot(y)})}});
  PolicyMachine machine(b.model, b.grid);
  EXPECT_EQ(stepped(machine, {5}), (std::vector<double>{5, 5, 0}));
  EXPECT_EQ(stepped(machine, {6}), (std::vector<double>{6, 5, 5}));
  EXPECT_EQ(stepped(machine, {7}), (std::vector<double>{7, 6, 6}));
}

TEST(PolicyMachine, HeldOnAVariantStartsAnewWhenAnotherOptionHadSwitchedIt) {
  // It is on at the end of tick 3 only. At the turn of `start` it never was.
  PolicyBuilder b;
  const auto go = b.sense("go", Kind::Bool, 0, 1);
  const auto stop = b.sense("stop", Kind::Bool, 0, 1);
  const auto on = b.variant("on", Kind::Bool, 0, 1, 0);
  b.option("off", {{on, b.number(0)}}, b.slot(stop));
  b.option("start", {{on, b.number(1)}},
           b.op(Op::And, {b.slot(go), b.op(Op::Held, {b.not_(b.slot(on))}, 3)}));
  PolicyMachine machine(b.model, b.grid);
  std::vector<double> results;
  for (int tick = 0; tick < 9; ++tick) {
    results.push_back(stepped(machine, {tick == 4 ? 0.0 : 1.0, tick == 4 ? 1.0 : 0.0})[0]);
  }
  EXPECT_EQ(results, (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 1}));
}

TEST(PolicyMachine, OptionsActInOrder) {
  PolicyBuilder b;
  const auto x = b.sense("x", Kind::Int, 0, 10);
  const auto y = b.variant("y", Kind::Int, 0, 100, 0);
  const auto z = b.variant("z", Kind::Int, 0, 100, 0);
  b.option("one", {{y, b.slot(x)}, {z, b.op(Op::Add, {b.slot(y), b.number(1)})}});
  b.option("two", {{y, b.number(50)}}, b.less(b.number(5), b.slot(z)));
  b.option("three", {{z, b.slot(y)}}, b.op(Op::Equal, {b.slot(y), b.number(50)}));
  PolicyMachine machine(b.model, b.grid);
  EXPECT_EQ(stepped(machine, {3}), (std::vector<double>{3, 4}));
  EXPECT_EQ(machine.acted(), (Names{"one"}));
  EXPECT_EQ(stepped(machine, {7}), (std::vector<double>{50, 50}));
  EXPECT_EQ(machine.acted(), (Names{"one", "two", "three"}));
}

TEST(PolicyMachine, WaitsForItsCooldown) {
  PolicyBuilder b;
  b.sense("x", Kind::Int, 0, 10);
  const auto y = b.variant("y", Kind::Int, 0, 100, 0);
  b.option("count", {{y, b.op(Op::Add, {b.slot(y), b.number(1)})}}, {}, 3);
  EXPECT_EQ(answers(b, std::vector<double>(8, 0.0)), (std::vector<double>{1, 1, 1, 2, 2, 2, 3, 3}));
}

TEST(PolicyMachine, TellsWhatIsOutOfBounds) {
  PolicyBuilder b;
  const auto x = b.sense("x", Kind::Real, -100, 100);
  b.variant("other", Kind::Bool, 0, 1, 0);
  const auto y = b.variant("y", Kind::Int, 0, 10, 5);
  b.option("set", {{y, b.slot(x)}});
  PolicyMachine machine(b.model, b.grid);
  EXPECT_EQ(stepped(machine, {2.5})[1], 3);
  EXPECT_EQ(machine.out_of_bounds(), std::nullopt);
  EXPECT_EQ(stepped(machine, {11})[1], 10);
  EXPECT_EQ(machine.out_of_bounds(), 1U);
  EXPECT_EQ(stepped(machine, {-3})[1], 0);
  EXPECT_EQ(machine.out_of_bounds(), 1U);
  EXPECT_EQ(stepped(machine, {4})[1], 4);
  EXPECT_EQ(machine.out_of_bounds(), std::nullopt);
}

TEST(PolicyMachine, ShowsMembersByTheirPlaces) {
  PolicyBuilder b;
  b.model.symbols.add("unused");
  const auto off = b.model.symbols.add("off");
  const auto on = b.model.symbols.add("on");
  const auto x = b.sense("x", Kind::Int, 0, 10);
  model::Variable mode = PolicyBuilder::variable("mode", Kind::Enum, 0, 1);
  mode.type.members = {off, on};
  mode.own = mode.variant = true;
  mode.initial = {Rational(off.index)};
  const auto slot = b.add(mode);
  model::Variable set = PolicyBuilder::variable("set", Kind::Set, 0, 1);
  set.type.members = {off, on};
  set.own = set.variant = true;
  set.slot_count = 2;
  set.initial = {0, 1};
  b.add(set);
  b.option("start", {{slot, b.number(Rational(on.index))}}, b.less(b.number(5), b.slot(x)));
  PolicyMachine machine(b.model, b.grid);
  EXPECT_EQ(machine.fields()[0].symbols, (Names{"off", "on"}));
  EXPECT_EQ(machine.fields()[1].name, "set has off");
  EXPECT_EQ(machine.variant(), (Variant{0, 0, 1}));
  EXPECT_EQ(stepped(machine, {6}), (std::vector<double>{1, 0, 1}));
}

TEST(PolicyMachine, SensorsAndTermsCanBePatched) {
  const PolicyBuilder b = web_server();
  PolicyMachine swapped(b.model, b.grid, {{2, 1, 0}, {1, 1, 1}});
  EXPECT_EQ(stepped(swapped, {10, 0.1, 900}), (std::vector<double>{1, 512, 2}));
  PolicyMachine scaled(b.model, b.grid, {{}, {0.01, 1, 1}});
  EXPECT_EQ(stepped(scaled, {900, 0.1, 500}), (std::vector<double>{0, 512, 1}));
  const model::VariableId density{0};
  PolicyMachine confused(b.model, b.grid, {}, {density, {2, 1, 0}});
  EXPECT_EQ(stepped(confused, {10, 0.1, 500}), (std::vector<double>{1, 512, 2}));
}

// A policy with history of all kinds, on own variables, too.
PolicyBuilder full_of_history() {
  PolicyBuilder b;
  const auto x = b.sense("x", Kind::Int, 0, 3);
  const auto y = b.variant("y", Kind::Int, 0, 3, 0);
  const auto z = b.variant("z", Kind::Int, 0, 9, 0);
  b.option("up", {{y, b.op(Op::Minimum, {b.number(3), b.op(Op::Add, {b.slot(y), b.number(1)})})}},
           b.op(Op::Held, {b.less(b.number(1), b.slot(x))}, 2), 3);
  b.option("down", {{y, b.op(Op::MinimumOver, {b.slot(x)}, 3)}},
           b.less(b.op(Op::Rate, {b.slot(x)}, 2), b.op(Op::MeanOver, {b.slot(y)}, 2)));
  b.option("sum", {{z, b.op(Op::Add, {b.op(Op::MaximumOver, {b.slot(y)}, 4),
                                      b.op(Op::Previous, {b.slot(x)})})}});
  return b;
}

TEST(PolicyMachine, GoesOnFromAStateAsIfItHadNeverLeft) {
  const PolicyBuilder b = full_of_history();
  PolicyMachine machine(b.model, b.grid);
  PolicyMachine other(b.model, b.grid);
  EXPECT_TRUE(machine.has_history());
  EXPECT_TRUE(machine.is_finite());
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    machine.reset();
    for (std::uint64_t i = random.below(12); i > 0; --i) {
      (void)machine.step(std::vector<double>{static_cast<double>(random.below(4))});
    }
    for (std::uint64_t i = random.below(3); i > 0; --i) {
      (void)other.step(std::vector<double>{static_cast<double>(random.below(4))});
    }
    for (const double number : machine.state()) EXPECT_FALSE(std::isnan(number));
    other.restore(machine.state());
    EXPECT_EQ(other.variant(), machine.variant());
    for (int i = 0; i < 10; ++i) {
      const std::vector<double> context = {static_cast<double>(random.below(4))};
      EXPECT_EQ(stepped(machine, context), stepped(other, context));
      EXPECT_EQ(machine.acted(), other.acted());
    }
  }
}

TEST(PolicyMachine, ComesBackToStates) {
  const PolicyBuilder b = full_of_history();
  PolicyMachine machine(b.model, b.grid);
  std::set<std::vector<double>> seen;
  std::vector<std::vector<double>> open;
  const auto visit = [&] {
    std::vector<double> state(machine.state().begin(), machine.state().end());
    if (seen.insert(state).second) open.push_back(std::move(state));
  };
  visit();
  while (!open.empty()) {
    const std::vector<double> state = std::move(open.back());
    open.pop_back();
    for (double x = 0; x < 4; ++x) {
      machine.restore(state);
      (void)machine.step(std::vector<double>{x});
      visit();
    }
    ASSERT_LT(seen.size(), 100'000U);
  }
  EXPECT_GT(seen.size(), 100U);
}

TEST(PolicyMachine, EqualHistoryIsKeptOnce) {
  PolicyBuilder b;
  const auto x = b.sense("x", Kind::Int, 0, 3);
  const auto y = b.variant("y", Kind::Int, 0, 3, 0);
  for (int i = 0; i < 3; ++i) {
    b.option("o" + std::to_string(i), {{y, b.number(i)}},
             b.less(b.op(Op::MaximumOver, {b.slot(x)}, 10), b.number(i)));
  }
  const PolicyMachine machine(b.model, b.grid);
  EXPECT_EQ(machine.state().size(), 1U + 9U);
}

TEST(PolicyMachine, KnowsWhetherStatesAreFinite) {
  const auto finite = [](const std::function<model::PolicyExprId(PolicyBuilder&, model::SlotId,
                                                                 model::SlotId)>& value) {
    PolicyBuilder b;
    const auto x = b.sense("x", Kind::Real, 0, 1);
    const auto y = b.variant("y", Kind::Real, 0, 1, 0);
    b.option("set", {{y, value(b, x, y)}});
    return PolicyMachine(b.model, b.grid).is_finite();
  };
  using Slot = model::SlotId;
  EXPECT_TRUE(finite([](PolicyBuilder& b, Slot x, Slot) {
    return b.op(Op::Add, {b.slot(x), b.number(1)});
  }));
  EXPECT_TRUE(finite([](PolicyBuilder& b, Slot x, Slot y) {
    return b.op(Op::Maximum, {b.slot(x), b.slot(y)});
  }));
  EXPECT_FALSE(finite([](PolicyBuilder& b, Slot x, Slot y) {
    return b.op(Op::Add, {b.slot(x), b.slot(y)});
  }));
  EXPECT_FALSE(
      finite([](PolicyBuilder& b, Slot, Slot y) { return b.op(Op::MeanOver, {b.slot(y)}, 5); }));
}

}  // namespace
}  // namespace poise::shake
