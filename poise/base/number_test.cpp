#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "poise/base/integer.h"
#include "poise/base/rational.h"

namespace poise {
namespace {

TEST(Integer, KeepsSmallNumbersInAWord) {
  EXPECT_TRUE(Integer(INT64_MAX).fits_int64());
  EXPECT_FALSE((Integer(INT64_MAX) + 1).fits_int64());
  EXPECT_TRUE((Integer(INT64_MAX) + 1 - 1).fits_int64());
}

TEST(Integer, CountsBeyondSixtyFourBits) {
  EXPECT_EQ(Integer::power(2, 100).to_string(), "1267650600228229401496703205376");
  EXPECT_EQ((Integer(INT64_MIN) - 1).to_string(), "-9223372036854775809");
  EXPECT_EQ(Integer::from_digits("123456789012345678901234567890").to_string(),
            "123456789012345678901234567890");
}

TEST(Integer, DividesRoundingDown) {
  EXPECT_EQ(floor_divide(7, 2), Integer(3));
  EXPECT_EQ(floor_divide(-7, 2), Integer(-4));
  EXPECT_EQ(floor_divide(-Integer::power(10, 30), 3).to_string(),
            "-333333333333333333333333333334");
}

__extension__ using Wide = __int128;

TEST(Integer, AgreesWithWideArithmetic) {
  std::mt19937_64 random(1);
  const auto text = [](Wide value) {
    const bool negative = value < 0;
    std::string digits;
    do {
      const int digit = static_cast<int>(value % 10);
      digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
      value /= 10;
    } while (value != 0);
    return negative ? "-" + digits : digits;
  };
  for (int i = 0; i < 5000; ++i) {
    const auto a = static_cast<std::int64_t>(random()) >> (random() % 64);
    const auto b = static_cast<std::int64_t>(random()) >> (random() % 64);
    EXPECT_EQ((Integer(a) + b).to_string(), text(static_cast<Wide>(a) + b));
    EXPECT_EQ((Integer(a) - b).to_string(), text(static_cast<Wide>(a) - b));
    EXPECT_EQ((Integer(a) * b).to_string(), text(static_cast<Wide>(a) * b));
    EXPECT_EQ(Integer(a) * b + 1 > Integer(a) * b, true);
    EXPECT_EQ(Integer(a) < Integer(b), a < b);
  }
}

TEST(Rational, IsExact) {
  EXPECT_EQ(Rational::from_decimal("0.1") + Rational::from_decimal("0.2"),
            Rational::from_decimal("0.3"));
  EXPECT_EQ(Rational(1, 3) * Rational(3), Rational(1));
  EXPECT_EQ(Rational(2, -4), Rational(-1, 2));
  EXPECT_LT(Rational(1, 3), Rational::from_decimal("0.333333333333333333334"));
}

TEST(Rational, PrintsDecimalsWhereThereAreSome) {
  EXPECT_EQ(Rational::from_decimal("2.50").to_string(), "2.5");
  EXPECT_EQ(Rational(-1, 8).to_string(), "-0.125");
  EXPECT_EQ(Rational(1, 3).to_string(), "1/3");
  EXPECT_EQ(Rational(-7).to_string(), "-7");
  EXPECT_FALSE(Rational(1, 3).is_decimal());
}

TEST(Rational, RoundsToWholeNumbers) {
  EXPECT_EQ(Rational(-5, 2).floor(), Integer(-3));
  EXPECT_EQ(Rational(-5, 2).ceil(), Integer(-2));
  EXPECT_EQ(Rational(4).ceil(), Integer(4));
}

TEST(SimpleBetween, PrefersWholeNumbersThenFewDecimals) {
  EXPECT_EQ(simple_between(5, 70), Rational(6));
  EXPECT_EQ(simple_between(5, 6).to_string(), "5.1");
  EXPECT_EQ(simple_between(Rational::from_decimal("0.99"), 1).to_string(), "0.991");
  EXPECT_EQ(simple_between(Rational(-1, 3), Rational(-1, 4)).to_string(), "-0.3");
}

TEST(Rational, NumbersOfAnySizeBecomeDoubles) {
  EXPECT_EQ(to_double(Rational::from_decimal("0.1")), 0.1);
  EXPECT_EQ(to_double(-Rational::from_decimal("2.5")), -2.5);
  EXPECT_EQ(to_double(Rational(0)), 0);
  EXPECT_NEAR(to_double(Rational(1, 3)), 1.0 / 3, 1e-17);
  const Rational huge(Integer::power(10, 400), Integer::power(10, 380) + 1);
  EXPECT_NEAR(to_double(huge) / 1e20, 1, 1e-15);
  EXPECT_NEAR(to_double(-(Rational(1) / huge)) / -1e-20, 1, 1e-15);
  EXPECT_NEAR(to_double(Rational(Integer::power(10, 300))) / 1e300, 1, 1e-15);
}

}  // namespace
}  // namespace poise
