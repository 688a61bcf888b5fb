#include "poise/base/rational.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "poise/base/check.h"

namespace poise {

namespace {

// The exponents of 2 and 5 in a number whose only prime factors these are, else nothing.
struct DecimalFactors {
  std::uint32_t twos = 0;
  std::uint32_t fives = 0;
};
std::optional<DecimalFactors> decimal_factors(Integer number) {
  DecimalFactors factors;
  const auto strip = [&number](std::int64_t prime) {
    std::uint32_t count = 0;
    while (true) {
      const Integer quotient = floor_divide(number, prime);
      if (quotient * prime != number) return count;
      number = quotient;
      ++count;
    }
  };
  factors.twos = strip(2);
  factors.fives = strip(5);
  if (number != Integer(1)) return std::nullopt;
  return factors;
}

}  // namespace

Rational::Rational(Integer numerator, Integer denominator)
    : numerator_(std::move(numerator)), denominator_(std::move(denominator)) {
  POISE_CHECK(denominator_.sign() != 0);
  if (denominator_.sign() < 0) {
    numerator_ = -numerator_;
    denominator_ = -denominator_;
  }
  const Integer divisor = gcd(numerator_, denominator_);
  if (divisor != Integer(1)) {
    // Exact: the divisor divides both, so rounding never happens.
    numerator_ = floor_divide(numerator_, divisor);
    denominator_ = floor_divide(denominator_, divisor);
  }
}

Rational Rational::from_decimal(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return Integer::from_digits(text);
  std::string digits(text.substr(0, point));
  const std::string_view decimals = text.substr(point + 1);
  digits += decimals;
  return {Integer::from_digits(digits),
          Integer::power(10, static_cast<std::uint32_t>(decimals.size()))};
}

std::size_t Rational::hash() const { return numerator_.hash() * 31 + denominator_.hash(); }

bool Rational::is_decimal() const { return decimal_factors(denominator_).has_value(); }

std::string Rational::to_string() const {
  if (is_integer()) return numerator_.to_string();
  const std::optional<DecimalFactors> factors = decimal_factors(denominator_);
  if (!factors) return numerator_.to_string() + "/" + denominator_.to_string();
  const std::uint32_t decimals = std::max(factors->twos, factors->fives);
  const Integer scaled = floor_divide(numerator_ * Integer::power(10, decimals), denominator_);
  std::string digits = (scaled.sign() < 0 ? -scaled : scaled).to_string();
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  digits.insert(digits.size() - decimals, ".");
  return scaled.sign() < 0 ? "-" + digits : digits;
}

Rational operator+(const Rational& a, const Rational& b) {
  if (a.is_integer() && b.is_integer()) return a.numerator_ + b.numerator_;
  return {a.numerator_ * b.denominator_ + b.numerator_ * a.denominator_,
          a.denominator_ * b.denominator_};
}

Rational operator-(const Rational& a, const Rational& b) { return a + -b; }

Rational operator*(const Rational& a, const Rational& b) {
  if (a.is_integer() && b.is_integer()) return a.numerator_ * b.numerator_;
  return {a.numerator_ * b.numerator_, a.denominator_ * b.denominator_};
}

Rational operator/(const Rational& a, const Rational& b) {
  return {a.numerator_ * b.denominator_, a.denominator_ * b.numerator_};
}

Rational operator-(const Rational& a) {
  Rational result = a;
  result.numerator_ = -result.numerator_;
  return result;
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (a.denominator_ == b.denominator_) return a.numerator_ <=> b.numerator_;
  return a.numerator_ * b.denominator_ <=> b.numerator_ * a.denominator_;
}

namespace {

double whole_number(const Integer& whole) {
  if (whole.fits_int64()) return static_cast<double>(whole.to_int64());
  const auto extra = static_cast<std::uint32_t>(whole.bits() - 62);
  const Integer top = floor_divide(whole, Integer::power(2, extra));
  return std::ldexp(static_cast<double>(top.to_int64()), static_cast<int>(extra));
}

}  // namespace

double to_double(const Rational& number) {
  const Integer& top = number.numerator();
  const Integer& bottom = number.denominator();
  if (top.bits() <= 53 && bottom.bits() <= 53) return whole_number(top) / whole_number(bottom);
  // Shifted so that the whole part of the quotient has all the bits that a double can hold.
  const auto shift = static_cast<int>(bottom.bits()) - static_cast<int>(top.bits()) + 61;
  const Integer power = Integer::power(2, static_cast<std::uint32_t>(std::abs(shift)));
  const Integer quotient =
      shift > 0 ? floor_divide(top * power, bottom) : floor_divide(top, bottom * power);
  return std::ldexp(whole_number(quotient), -shift);
}

Rational simple_between(const Rational& low, const Rational& high) {
  POISE_CHECK(low < high);
  // With n decimals the smallest candidate above `low` is floor(low * 10^n) + 1, over 10^n; it fits
  // at the latest when 10^-n is less than the gap.
  for (Integer scale = 1;; scale = scale * 10) {
    const Rational candidate((low * scale).floor() + 1, scale);
    if (candidate < high) return candidate;
  }
}

}  // namespace poise
