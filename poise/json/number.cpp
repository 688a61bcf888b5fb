#include "poise/json/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/base/text.h"

namespace poise::json {

namespace {

std::size_t digits_end(std::string_view text, std::size_t begin) {
  while (begin < text.size() && is_digit(text[begin])) ++begin;
  return begin;
}

// digits / scale, where both are small. Nearly all numbers in logs are like that.
struct ShortNumber {
  std::int64_t digits = 0;
  std::int64_t scale = 1;
};

std::optional<ShortNumber> short_number(std::string_view text) {
  constexpr std::size_t kDigits = 15;  // a double holds every whole number of so many digits
  constexpr auto kPowers = [] {
    std::array<std::int64_t, kDigits + 1> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
  }();
  const bool negative = text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.size() > kDigits) return std::nullopt;
  std::int64_t digits = 0;
  std::size_t decimals = 0;
  bool after_point = false;
  for (const char c : text) {
    if (is_digit(c)) {
      digits = digits * 10 + (c - '0');
      decimals += after_point ? 1 : 0;
    } else if (c == '.') {
      after_point = true;
    } else {
      return std::nullopt;
    }
  }
  return ShortNumber{.digits = negative ? -digits : digits, .scale = kPowers[decimals]};
}

Rational power_of_ten(int exponent) {
  const Integer power = Integer::power(10, static_cast<std::uint32_t>(std::abs(exponent)));
  return exponent < 0 ? Rational(1, power) : Rational(power);
}

}  // namespace

std::size_t number_length(std::string_view text) {
  std::size_t end = !text.empty() && text.front() == '-' ? 1 : 0;
  const std::size_t whole = digits_end(text, end);
  if (whole == end || (text[end] == '0' && whole > end + 1)) return 0;
  end = whole;
  if (end < text.size() && text[end] == '.') {
    const std::size_t decimals = digits_end(text, end + 1);
    if (decimals == end + 1) return 0;
    end = decimals;
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    end = digits_end(text, exponent);
    if (end == exponent) return 0;
  }
  return end;
}

Result<Rational> exact_number(std::string_view text) {
  POISE_CHECK(!text.empty());
  if (const auto number = short_number(text)) {
    if (number->scale == 1) return Rational(number->digits);
    return Rational(number->digits, number->scale);
  }

  const bool negative = text.front() == '-';
  if (negative) text.remove_prefix(1);
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  const std::string_view decimal = text.substr(0, mark);
  if (decimal.size() > kMaxDigits) {
    return failure(fmt::format("a number of more than {} digits", kMaxDigits));
  }
  const Rational number = Rational::from_decimal(decimal);
  const Rational signed_number = negative ? -number : number;
  if (mark == text.size()) return signed_number;

  std::string_view exponent_text = text.substr(mark + 1);
  if (exponent_text.front() == '+') exponent_text.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] =
      std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  if (error != std::errc() || std::abs(exponent) > kMaxExponent) {
    return failure(fmt::format("an exponent that is not in -{0}..{0}", kMaxExponent));
  }
  return signed_number * power_of_ten(exponent);
}

std::optional<double> nearest_number(std::string_view text) {
  // Both are exact as doubles, so their quotient is rounded once and is the nearest double.
  if (const auto number = short_number(text)) {
    return static_cast<double>(number->digits) / static_cast<double>(number->scale);
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || std::abs(number) > kMaxTime) return std::nullopt;
  return number;
}

}  // namespace poise::json
