#pragma once

// Exact numbers: every literal of a model, every bound and every value of a context is one. There
// is no binary floating point between the text and a verdict.

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "poise/base/integer.h"

namespace poise {

// numerator / denominator in lowest terms, denominator positive.
class Rational {
 public:
  Rational() = default;
  Rational(std::int64_t value) : numerator_(value) {}        // NOLINT: a number is a number
  Rational(Integer value) : numerator_(std::move(value)) {}  // NOLINT
  Rational(Integer numerator, Integer denominator);          // denominator is not 0

  // "12", "0.25": digits, optionally a point and digits.
  static Rational from_decimal(std::string_view text);

  [[nodiscard]] const Integer& numerator() const { return numerator_; }
  [[nodiscard]] const Integer& denominator() const { return denominator_; }
  [[nodiscard]] bool is_integer() const { return denominator_ == Integer(1); }
  [[nodiscard]] int sign() const { return numerator_.sign(); }
  [[nodiscard]] Integer floor() const { return floor_divide(numerator_, denominator_); }
  [[nodiscard]] Integer ceil() const { return -floor_divide(-numerator_, denominator_); }
  [[nodiscard]] std::size_t hash() const;

  // Exact decimal digits ("-2.5") where there is a finite expansion, else a fraction ("1/3").
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] bool is_decimal() const;

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);  // b is not 0
  friend Rational operator-(const Rational& a);
  friend bool operator==(const Rational& a, const Rational& b) = default;
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

 private:
  Integer numerator_;
  Integer denominator_ = 1;
};

[[nodiscard]] double to_double(const Rational& number);  // the nearest double, or a neighbour of it

// A short decimal strictly between two numbers, low < high: the smallest whole number if there is
// one, else the smallest number with as few decimals as possible. Between 0.33 and 0.5 it is 0.4.
[[nodiscard]] Rational simple_between(const Rational& low, const Rational& high);

}  // namespace poise

template <>
struct std::hash<poise::Rational> {
  std::size_t operator()(const poise::Rational& number) const noexcept { return number.hash(); }
};
