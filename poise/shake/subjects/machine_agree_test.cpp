// The compiled machine against the plain evaluator, on random policies.

#include <cmath>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/shake/grid/number.h"
#include "poise/shake/subjects/machine.h"
#include "poise/shake/subjects/policy_test.h"
#include "poise/shake/subjects/reference.h"

namespace poise::shake {
namespace {

using Kind = model::TypeKind;
using Op = model::PolicyOp;
using Expr = model::PolicyExprId;

class RandomPolicy {
 public:
  explicit RandomPolicy(std::uint64_t seed) : random_(seed) {
    using enum model::Shape::Kind;
    const std::vector<model::Term> terms = {{"low", {Trapezoid, {0, 0, 2, 4}}, {}},
                                            {"medium", {Triangle, {3, 5, 7}}, {}},
                                            {"high", {Ramp, {6, 8}}, {}},
                                            {"odd", {Table, {0, 0, 3, 1, 5, 0.25_r, 8, 1}}, {}}};
    sensed_ = {b.sense("a", Kind::Int, 0, 10, terms), b.sense("b", Kind::Real, 0, 10, terms)};
    flags_ = {b.sense("f", Kind::Bool, 0, 1)};
    numbers_ = sensed_;
    numbers_.push_back(b.variant("m", Kind::Int, -3, 5, 0));
    numbers_.push_back(b.variant("n", Kind::Real, -100, 100, 0));
    flags_.push_back(b.variant("g", Kind::Bool, 0, 1, 0));
    numbers_.push_back(b.own("memory", Kind::Int, 0, 7, 1));
    b.model.policy.tick = one_of<Rational>({1, 2, 0.5_r});
    const std::size_t options = 1 + random_.below(4);
    for (std::size_t i = 0; i < options; ++i) add_option(i);
    for (std::uint64_t i = random_.below(8); i > 0; --i) {
      const model::OptionId option{static_cast<std::uint32_t>(random_.below(options))};
      in_option_ = false;
      b.prefer(option, static_cast<std::uint32_t>(random_.below(3)), truth(3),
               one_of<Rational>({1, 1, 0.5_r, 2}));
    }
  }

  PolicyBuilder b;

  std::vector<double> context() {
    std::vector<double> values;
    values.push_back(random_.below(6) == 0 ? kNoNumber : static_cast<double>(random_.below(11)));
    values.push_back(static_cast<double>(random_.below(101)) / 10);
    values.push_back(random_.below(6) == 0 ? kNoNumber : static_cast<double>(random_.below(2)));
    return values;
  }

 private:
  template <class T>
  T one_of(std::initializer_list<T> items) {
    return items.begin()[random_.below(items.size())];
  }
  template <class T>
  T one_of(const std::vector<T>& items) {
    return items[random_.below(items.size())];
  }

  void add_option(std::size_t index) {
    in_option_ = true;
    std::vector<std::pair<model::SlotId, Expr>> assignments;
    for (std::uint64_t i = 1 + random_.below(3); i > 0; --i) {
      const bool flag = random_.below(4) == 0;
      assignments.emplace_back(flag ? flags_[1] : numbers_[2 + random_.below(3)],
                               flag ? truth(3) : number(3));
    }
    std::optional<Expr> when;
    if (random_.below(5) != 0) when = truth(4);
    const model::OptionId option = b.option("o" + std::to_string(index), assignments, when,
                                            one_of<Rational>({0, 0, 1, 2, 3, 2.5_r}));
    if (random_.below(4) == 0) {
      model::UtilityScale& scale = b.model.policy.options[option].scale;
      using enum model::Shape::Kind;
      scale.method = model::UtilityScale::Method::Mamdani;
      scale.otherwise = 0.25_r;
      scale.terms = {{"low", {Trapezoid, {0, 0, 0.2_r, 0.4_r}}, {}},
                     {"medium", {Triangle, {0.2_r, 0.5_r, 0.9_r}}, {}},
                     {"high", {Ramp, {0.6_r, 0.9_r}}, {}}};
    }
  }

  Rational seconds() { return one_of<Rational>({0, 1, 2, 3, 5, 2.5_r}); }

  Expr number(int depth) {
    if (depth == 0) {
      if (in_option_ && random_.below(8) == 0) return b.utility();
      return random_.below(3) == 0
                 ? b.number(one_of<Rational>({0, 1, 2, 5, 0.1_r, 0.3_r, 2.5_r, -3}))
                 : b.slot(one_of(numbers_));
    }
    const int next = depth - 1;
    switch (random_.below(14)) {
      case 0: return b.op(Op::Add, {number(next), number(next), number(0)});
      case 1: return b.op(Op::Multiply, {number(next), number(next)});
      case 2: return b.op(Op::Divide, {number(next), number(next)});
      case 3: return b.op(Op::Negate, {number(next)});
      case 4: return b.op(Op::Minimum, {number(next), number(next), number(0)});
      case 5: return b.op(Op::Maximum, {number(next), number(next)});
      case 6: return b.op(Op::Absolute, {number(next)});
      case 7: return b.op(one_of({Op::Ceiling, Op::Floor, Op::Round}), {number(next)});
      case 8: return b.op(Op::If, {truth(next), number(next), number(next)});
      case 9: return b.op(Op::Rate, {number(next)}, seconds());
      case 10: return b.op(Op::MaximumOver, {number(next)}, seconds());
      case 11: return b.op(Op::MinimumOver, {number(next)}, seconds());
      case 12: return b.op(Op::MeanOver, {number(next)}, seconds());
      default: return b.op(Op::Previous, {number(next)});
    }
  }

  Expr truth(int depth) {
    if (depth == 0) {
      return random_.coin() ? b.slot(one_of(flags_))
                            : b.is(one_of(sensed_), static_cast<std::uint32_t>(random_.below(4)));
    }
    const int next = depth - 1;
    switch (random_.below(10)) {
      case 0: return b.not_(truth(next));
      case 1: return b.op(Op::And, {truth(next), truth(next), truth(0)});
      case 2: return b.or_(truth(next), truth(next));
      case 3: return b.op(Op::Implies, {truth(next), truth(next)});
      case 4: return b.op(Op::Iff, {truth(next), truth(next)});
      case 5: return b.op(Op::Held, {truth(next)}, seconds());
      case 6: return b.op(Op::Previous, {truth(next)});
      case 7: return b.op(Op::Equal, {b.slot(one_of(flags_)), truth(next)});
      default:
        return b.op(one_of({Op::Equal, Op::NotEqual, Op::Less, Op::LessEqual}),
                    {number(next), number(next)});
    }
  }

  Random random_;
  std::vector<model::SlotId> sensed_;
  std::vector<model::SlotId> numbers_;
  std::vector<model::SlotId> flags_;
  bool in_option_ = false;
};

TEST(PolicyMachine, AgreesWithThePlainEvaluator) {
  std::size_t acted = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomPolicy policy(seed);
    PolicyMachine machine(policy.b.model, policy.b.grid);
    ReferencePolicy reference(policy.b.model, policy.b.grid);
    std::vector<double> context = policy.context();
    for (int tick = 0; tick < 25; ++tick) {
      if (tick % 3 != 0) context = policy.context();
      const auto ours = machine.step(context);
      const auto theirs = reference.step(context);
      ASSERT_EQ(machine.acted(), reference.acted()) << "seed " << seed << " tick " << tick;
      acted += machine.acted().size();
      for (std::size_t i = 0; i < ours->size(); ++i) {
        ASSERT_NEAR((*ours)[i], (*theirs)[i], 1e-9) << "seed " << seed << " tick " << tick;
      }
    }
  }
  EXPECT_GT(acted, 3'000U);
}

}  // namespace
}  // namespace poise::shake
