#include "poise/shake/subjects/trace.h"

#include <limits>

#include <gtest/gtest.h>

namespace poise::shake {
namespace {

// Adds up what it is shown; fails at 9.
class Adder final : public Subject {
 public:
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] const Variant& variant() const override { return sum_; }
  void reset() override { sum_ = {0}; }
  Result<std::span<const double>> step(std::span<const double> context) override {
    if (context[0] == 9) return failure("it broke");
    sum_[0] += context[0];
    return std::span<const double>(sum_);
  }
  [[nodiscard]] std::vector<std::string> acted() const override { return {}; }

 private:
  std::vector<Field> fields_ = {{.name = "sum"}};
  Variant sum_ = {0};
};

const Grid kGrid = {.properties = {{.name = "x", .values = {0, 1, 2, 9}}}, .constraints = {}};

Trace trace_with(std::vector<double> values) {
  return {.initial = {0},
          .variants = {.width = 1, .count = values.size(), .values = values},
          .ended = {}};
}

TEST(Trace, HoldsTheVariantAfterEveryTick) {
  Adder adder;
  const Trace trace = trace_of(adder, kGrid, {{1}, {2}, {0}});
  EXPECT_EQ(trace.initial, Variant{0});
  EXPECT_EQ(trace.ticks(), 3u);
  EXPECT_EQ(trace[1][0], 3);
  EXPECT_EQ(trace[2][0], 3);
  EXPECT_FALSE(trace.ended);
  EXPECT_EQ(trace_of(adder, kGrid, {{1}})[0][0], 1) << "each flow starts anew";
}

TEST(Trace, EndsWhereTheSubjectFails) {
  Adder adder;
  const Trace trace = trace_of(adder, kGrid, {{1}, {3}, {0}});
  EXPECT_EQ(trace.ticks(), 1u);
  ASSERT_TRUE(trace.ended);
  EXPECT_EQ(trace.ended->message, "it broke");
}

TEST(Trace, DiffersAtTheFirstTickThatDiffers) {
  EXPECT_EQ(first_difference(trace_with({1, 2, 3}), trace_with({1, 2, 3})), std::nullopt);
  EXPECT_EQ(first_difference(trace_with({1, 2, 3}), trace_with({1, 4, 4})), 1u);
}

TEST(Trace, ToleratesRoundingAndNothingMore) {
  EXPECT_EQ(first_difference(trace_with({0.3}), trace_with({0.1 + 0.2})), std::nullopt);
  EXPECT_EQ(first_difference(trace_with({0.3}), trace_with({0.3 + 2e-9})), 0u);
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(first_difference(trace_with({none}), trace_with({none})), std::nullopt);
  EXPECT_EQ(first_difference(trace_with({none}), trace_with({0})), 0u);
}

TEST(Trace, DiffersWhereOneFailsAndTheOtherDoesNot) {
  Trace failed = trace_with({1, 2});
  failed.ended = Error{"it broke"};
  EXPECT_EQ(first_difference(failed, trace_with({1, 2, 3})), 2u);
  EXPECT_EQ(first_difference(failed, trace_with({1, 2})), 2u);
  EXPECT_EQ(first_difference(failed, failed), std::nullopt);
}

}  // namespace
}  // namespace poise::shake
