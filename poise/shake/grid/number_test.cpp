#include "poise/shake/grid/number.h"

#include <gtest/gtest.h>

namespace poise::shake {
namespace {

TEST(Number, IsTheNearestDouble) {
  EXPECT_EQ(to_double(Rational::from_decimal("0.3")), 0.3);
  EXPECT_EQ(to_double(-Rational::from_decimal("12.75")), -12.75);
  EXPECT_EQ(to_double(Rational(Integer(1), Integer(3))), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(to_double(Rational::from_decimal("0.1234567890123456789012345")),
                   0.1234567890123456789012345);
  EXPECT_DOUBLE_EQ(to_double(Rational::from_decimal("123456789012345678901234567890")),
                   123456789012345678901234567890.0);
}

TEST(Number, RoundsTicksUp) {
  EXPECT_EQ(ticks_in(0, 1), 0);
  EXPECT_EQ(ticks_in(10, 1), 10);
  EXPECT_EQ(ticks_in(10, 3), 4);
  EXPECT_EQ(ticks_in(Rational::from_decimal("99999999999999999999"), 1), 1e15);
}

TEST(Number, ForgivesWhatRoundingDid) {
  EXPECT_NE(0.1 + 0.2, 0.3);
  EXPECT_TRUE(is_near(0.1 + 0.2, 0.3));
  EXPECT_TRUE(is_near(0.1 + 0.2 - 0.3, 0));
  EXPECT_FALSE(is_near(0.3, 0.3000001));
  EXPECT_FALSE(is_near(kNoNumber, kNoNumber));
  EXPECT_EQ(ceiling_near(10 * 0.3 / 0.1), 30);
  EXPECT_EQ(ceiling_near(30.001), 31);
  EXPECT_EQ(floor_near(0.7 / 0.1), 7);
  EXPECT_EQ(round_near(2.5), 3);
  EXPECT_EQ(round_near(-2.5), -3);
  EXPECT_EQ(round_near(5 * 0.1 * 5 - 1e-15), 3);
}

}  // namespace
}  // namespace poise::shake
