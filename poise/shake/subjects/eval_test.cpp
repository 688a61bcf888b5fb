#include "poise/shake/subjects/eval.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "poise/shake/subjects/hand_made_test.h"
#include "poise/shake/subjects/reference.h"
#include "poise/shake/subjects/trace.h"

namespace poise::shake {
namespace {

using model::PolicyExprId;
using model::PolicyOp;
using model::Shape;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The values of an expression over x, tick by tick.
class Told : public testing::Test {
 protected:
  Told() : x_(maker_.number("x", "0", "100")) {}

  std::vector<double> told(PolicyExprId expr, const std::vector<double>& xs,
                           Logic logic = Logic::Crisp) {
    const Evaluator evaluator(maker_.model);
    Record record(maker_.model.slots.size(), 1, 0);
    std::vector<double> values;
    for (std::size_t tick = 0; tick < xs.size(); ++tick) {
      record.add_tick(std::vector<double>{xs[tick]});
      const double value = evaluator.value(record, expr, {.tick = tick}, logic);
      values.push_back(std::isnan(value) ? -1 : value);
    }
    return values;
  }
  PolicyExprId x() { return maker_.read(x_); }
  PolicyExprId over(PolicyOp op, std::string_view seconds = "0") {
    return maker_.make(op, {x()}, seconds);
  }
  using Numbers = std::vector<double>;

  PolicyMaker maker_;
  model::SlotId x_;
};

TEST_F(Told, HeldCountsFromTheFirstTickOfARun) {
  const PolicyExprId held = maker_.make(PolicyOp::Held, {maker_.above(x_, "5")}, "2");
  EXPECT_EQ(told(held, {6, 6, 6, 6, 5, 6, 6, 6}), (Numbers{0, 0, 1, 1, 0, 0, 0, 1}));
}

TEST_F(Told, HeldWithNoTimeIsNow) {
  const PolicyExprId held = maker_.make(PolicyOp::Held, {maker_.above(x_, "5")});
  EXPECT_EQ(told(held, {6, 5, 6}), (Numbers{1, 0, 1}));
}

TEST_F(Told, HeldRoundsUpToTicks) {
  maker_.model.policy.tick = 5;
  const PolicyExprId held = maker_.make(PolicyOp::Held, {maker_.above(x_, "5")}, "6");
  EXPECT_EQ(told(held, {6, 6, 6}), (Numbers{0, 0, 1}));
}

TEST_F(Told, RateIsPerSecond) {
  maker_.model.policy.tick = 2;
  EXPECT_EQ(told(over(PolicyOp::Rate), {1, 5, 5, 1}), (Numbers{0, 2, 0, -2}));
  EXPECT_EQ(told(over(PolicyOp::Rate, "4"), {0, 4, 12, 4}), (Numbers{0, 2, 3, 0}));
  EXPECT_EQ(told(over(PolicyOp::Rate), {1, kNone, 5}), (Numbers{0, -1, -1}));
}

TEST_F(Told, WindowsHoldTicksLessThanTheirLengthAgo) {
  EXPECT_EQ(told(over(PolicyOp::MaximumOver, "2"), {1, 5, 2, 1}), (Numbers{1, 5, 5, 2}));
  EXPECT_EQ(told(over(PolicyOp::MinimumOver, "2"), {1, 5, 2, 1}), (Numbers{1, 1, 2, 1}));
  EXPECT_EQ(told(over(PolicyOp::MeanOver, "2"), {1, 5, 2, 1}), (Numbers{1, 3, 3.5, 1.5}));
  EXPECT_EQ(told(over(PolicyOp::MaximumOver, "1"), {1, 5, 2}), (Numbers{1, 5, 2}));
}

TEST_F(Told, WindowsLeaveOutTicksWithoutValue) {
  EXPECT_EQ(told(over(PolicyOp::MaximumOver, "2"), {kNone, kNone, 3, kNone}),
            (Numbers{-1, -1, 3, 3}));
  EXPECT_EQ(told(over(PolicyOp::MeanOver, "2"), {kNone, 4, kNone}), (Numbers{-1, 4, 4}));
}

TEST_F(Told, PreviousIsTheTickBefore) {
  EXPECT_EQ(told(over(PolicyOp::Previous), {4, 5, 6}), (Numbers{4, 4, 5}));
}

TEST_F(Told, Arithmetic) {
  const auto with = [&](PolicyOp op, std::string_view number) {
    return told(maker_.make(op, {x(), maker_.constant(number)}), {7}).front();
  };
  EXPECT_EQ(with(PolicyOp::Add, "2"), 9);
  EXPECT_EQ(with(PolicyOp::Multiply, "2"), 14);
  EXPECT_EQ(with(PolicyOp::Divide, "2"), 3.5);
  EXPECT_EQ(with(PolicyOp::Divide, "0"), -1) << "no value";
  EXPECT_EQ(with(PolicyOp::Minimum, "2"), 2);
  EXPECT_EQ(with(PolicyOp::Maximum, "2"), 7);
  EXPECT_EQ(told(over(PolicyOp::Ceiling), {2.2, -2.2}), (Numbers{3, -2}));
  EXPECT_EQ(told(over(PolicyOp::Floor), {2.2, -2.2}), (Numbers{2, -3}));
  EXPECT_EQ(told(over(PolicyOp::Round), {2.5, -2.5, 2.4}), (Numbers{3, -3, 2}));
  EXPECT_EQ(told(over(PolicyOp::Absolute), {-2}), (Numbers{2}));
  EXPECT_EQ(told(over(PolicyOp::Negate), {-2}), (Numbers{2}));
  const PolicyExprId choice = maker_.make(
      PolicyOp::If, {maker_.above(x_, "5"), maker_.constant("10"), maker_.constant("20")});
  EXPECT_EQ(told(choice, {6, 5}), (Numbers{10, 20}));
}

TEST_F(Told, ComparisonsWithoutValueAreFalse) {
  const auto with = [&](PolicyOp op) {
    return told(maker_.make(op, {x(), maker_.constant("5")}), {4, 5, 6, kNone});
  };
  EXPECT_EQ(with(PolicyOp::Equal), (Numbers{0, 1, 0, 0}));
  EXPECT_EQ(with(PolicyOp::NotEqual), (Numbers{1, 0, 1, 0}));
  EXPECT_EQ(with(PolicyOp::Less), (Numbers{1, 0, 0, 0}));
  EXPECT_EQ(with(PolicyOp::LessEqual), (Numbers{1, 1, 0, 0}));
}

TEST_F(Told, LogicIsFuzzyWhereItIsAskedTo) {
  maker_.term(x_, "some", Shape::Kind::Ramp, {"0", "10"});
  maker_.term(x_, "few", Shape::Kind::Ramp, {"10", "0"});
  const auto some = [&] { return maker_.is(x_, 0); };
  const auto few = [&] { return maker_.is(x_, 1); };
  const auto both = [&](PolicyExprId expr, double number) {
    return std::pair(told(expr, {number}, Logic::Fuzzy)[0], told(expr, {number})[0]);
  };
  EXPECT_EQ(both(some(), 4), (std::pair{0.4, 0.0}));
  EXPECT_EQ(both(some(), 5), (std::pair{0.5, 1.0}));
  EXPECT_EQ(both(maker_.make(PolicyOp::Not, {some()}), 4), (std::pair{0.6, 1.0}));
  EXPECT_EQ(both(maker_.make(PolicyOp::And, {some(), few()}), 4), (std::pair{0.4, 0.0}));
  EXPECT_EQ(both(maker_.make(PolicyOp::Or, {some(), few()}), 4), (std::pair{0.6, 1.0}));
  EXPECT_EQ(both(maker_.make(PolicyOp::Implies, {some(), few()}), 8), (std::pair{0.2, 0.0}))
      << "max(1 - 0.8, 0.2)";
  EXPECT_EQ(both(maker_.make(PolicyOp::Iff, {some(), some()}), 10), (std::pair{1.0, 1.0}));
  EXPECT_EQ(told(some(), {kNone}, Logic::Fuzzy)[0], 0);
}

TEST(Degree, FollowsTheShape) {
  using Kind = Shape::Kind;
  const auto trapezoid = PolicyMaker::shape(Kind::Trapezoid, {"0", "2", "4", "8"});
  EXPECT_EQ(degree(trapezoid, 1), 0.5);
  EXPECT_EQ(degree(trapezoid, 3), 1);
  EXPECT_EQ(degree(trapezoid, 6), 0.5);
  EXPECT_EQ(degree(trapezoid, 9), 0);
  const auto steep = PolicyMaker::shape(Kind::Trapezoid, {"0", "0", "1", "1"});
  EXPECT_EQ(degree(steep, 0), 1);
  EXPECT_EQ(degree(steep, 1), 1);
  EXPECT_EQ(degree(PolicyMaker::shape(Kind::Triangle, {"0", "2", "4"}), 3), 0.5);
  EXPECT_EQ(degree(PolicyMaker::shape(Kind::Ramp, {"4", "8"}), 5), 0.25);
  EXPECT_EQ(degree(PolicyMaker::shape(Kind::Ramp, {"8", "4"}), 5), 0.75);
  EXPECT_EQ(degree(PolicyMaker::shape(Kind::Singleton, {"8"}), 8), 1);
  EXPECT_EQ(degree(PolicyMaker::shape(Kind::Singleton, {"8"}), 7), 0);
  const auto table = PolicyMaker::shape(Kind::Table, {"0", "0.5", "10", "1", "20", "0"});
  EXPECT_EQ(degree(table, -3), 0.5);
  EXPECT_EQ(degree(table, 5), 0.75);
  EXPECT_EQ(degree(table, 15), 0.5);
  EXPECT_EQ(degree(table, 25), 0);
  EXPECT_EQ(middle(table), 10);
}

std::vector<double> run(const model::Model& model, const Grid& grid, const Flow& flow) {
  ReferencePolicy policy(model, grid);
  return trace_of(policy, grid, flow).variants.values;
}

TEST(ReferencePolicy, RunsOptionsInOrderOnVariablesAsTheyAreByThen) {
  PolicyMaker maker;
  const auto load = maker.whole("load", 0, 9);
  const auto servers = maker.variant(maker.whole("servers", 0, 99), "1");
  const auto more = [&] {
    return maker.make(PolicyOp::Add, {maker.read(servers), maker.constant("1")});
  };
  maker.option("grow", servers, more(), maker.above(load, "5"));
  maker.option("grow_again", servers, more(), maker.above(servers, "1"));
  EXPECT_EQ(run(maker.model, digits(maker.model, load), {{0}, {6}, {0}}),
            (std::vector<double>{1, 3, 4}));
}

TEST(ReferencePolicy, CoolsDown) {
  PolicyMaker maker;
  const auto load = maker.whole("load", 0, 9);
  const auto servers = maker.variant(maker.whole("servers", 0, 99), "1");
  const auto more = maker.make(PolicyOp::Add, {maker.read(servers), maker.constant("1")});
  maker.option("grow", servers, more, maker.above(load, "5"), "2");
  EXPECT_EQ(run(maker.model, digits(maker.model, load), Flow(5, {6})),
            (std::vector<double>{2, 2, 3, 3, 4}));
}

TEST(ReferencePolicy, HistoryIsOfTheEndsOfTicksAndOfNow) {
  PolicyMaker maker;
  const auto load = maker.whole("load", 0, 9);
  const auto servers = maker.variant(maker.whole("servers", 0, 99), "0");
  maker.option("follow", servers, maker.read(load), std::nullopt);
  const auto grown =
      maker.make(PolicyOp::Rate, {maker.read(servers)});  // now, the first option has acted
  maker.option("faster", servers, maker.make(PolicyOp::Add, {maker.read(servers), grown}),
               std::nullopt);
  EXPECT_EQ(run(maker.model, digits(maker.model, load), {{1}, {4}, {4}}),
            (std::vector<double>{1, 7, 1}));
}

TEST(ReferencePolicy, WeighsPreferences) {
  PolicyMaker maker;
  const auto load = maker.whole("load", 0, 10);
  maker.term(load, "high", Shape::Kind::Ramp, {"0", "10"});
  maker.term(load, "low", Shape::Kind::Ramp, {"10", "0"});
  const auto level = maker.variant(maker.number("level", "0", "1"), "0");
  const auto option = maker.option("set", level, maker.utility(), std::nullopt);
  maker.prefer(option, 2, maker.is(load, 0));
  maker.prefer(option, 1, maker.is(load, 1));
  // 0.8 of 1 and 0.2 of 0.5.
  EXPECT_DOUBLE_EQ(run(maker.model, digits(maker.model, load), {{8}})[0], 0.9);
  maker.model.policy.options[option].scale.method = model::UtilityScale::Method::Mamdani;
  auto& terms = maker.model.policy.options[option].scale.terms;
  terms[1].shape = PolicyMaker::shape(Shape::Kind::Triangle, {"0", "0.25", "0.5"});
  terms[2].shape = PolicyMaker::shape(Shape::Kind::Triangle, {"0.5", "0.75", "1"});
  // Two triangles of width 0.5, cut at 0.2 and 0.8: areas 0.25 * (1 - (1 - h)^2).
  EXPECT_NEAR(run(maker.model, digits(maker.model, load), {{8}})[0],
              (0.36 * 0.25 + 0.96 * 0.75) / (0.36 + 0.96), 1e-3);
}

TEST(ReferencePolicy, PassesOnWhatThePatchesSay) {
  PolicyMaker maker;
  const auto load = maker.whole("load", 0, 9);
  maker.term(load, "high", Shape::Kind::Ramp, {"4", "5"});
  maker.term(load, "low", Shape::Kind::Ramp, {"5", "4"});
  const auto alarm = maker.variant(maker.flag("alarm"), "0");
  maker.option("warn", alarm, maker.is(load, 0), std::nullopt);
  const Grid grid = digits(maker.model, load);
  ReferencePolicy scaled(maker.model, grid, {.permutation = {}, .scale = {10}});
  EXPECT_EQ(trace_of(scaled, grid, {{0}, {1}}).variants.values, (std::vector<double>{0, 1}));
  ReferencePolicy swapped(maker.model, grid, {}, {.variable = {0}, .passed_on = {1, 0}});
  EXPECT_EQ(trace_of(swapped, grid, {{0}, {9}}).variants.values, (std::vector<double>{1, 0}));
}

}  // namespace
}  // namespace poise::shake
