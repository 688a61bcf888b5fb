#include "poise/verify/odds/affine.h"

#include <algorithm>

namespace poise::verify {

using Sign = Literal::Sign;

Affine affine(NumberId number) { return {0, {{number, 1}}}; }

Affine sum(const Affine& a, const Affine& b, const Rational& factor) {
  Affine result{a.constant + factor * b.constant, {}};
  result.terms.reserve(a.terms.size() + b.terms.size());
  auto one = a.terms.begin();
  for (const Affine::Term& term : b.terms) {
    for (; one != a.terms.end() && one->number < term.number; ++one) result.terms.push_back(*one);
    Rational total = factor * term.factor;
    if (one != a.terms.end() && one->number == term.number) total = total + (one++)->factor;
    if (total.sign() != 0) result.terms.push_back({term.number, std::move(total)});
  }
  result.terms.insert(result.terms.end(), one, a.terms.end());
  return result;
}

Rational factor_of(const Affine& value, NumberId number) {
  const auto found = std::ranges::lower_bound(value.terms, number, {}, &Affine::Term::number);
  return found != value.terms.end() && found->number == number ? found->factor : Rational(0);
}

Affine substituted(const Affine& value, NumberId number, const Affine& by) {
  const Rational factor = factor_of(value, number);
  if (factor.sign() == 0) return value;
  Affine rest = value;
  std::erase_if(rest.terms, [&](const Affine::Term& term) { return term.number == number; });
  return sum(rest, by, factor);
}

Rational value_of(const Affine& value, std::span<const Rational> numbers) {
  Rational total = value.constant;
  for (const Affine::Term& term : value.terms) {
    total = total + term.factor * numbers[term.number.index];
  }
  return total;
}

namespace {

bool holds(Sign sign, const Rational& value) {
  switch (sign) {
    case Sign::Less: return value.sign() < 0;
    case Sign::AtMost: return value.sign() <= 0;
    case Sign::Equal: return value.sign() == 0;
  }
  return false;
}

struct Range {
  Rational low;
  Rational high;
};

Range range_of(const Affine& value, const Numbers& numbers) {
  Range range{value.constant, value.constant};
  for (const Affine::Term& term : value.terms) {
    const Number& number = numbers[term.number];
    const bool up = term.factor.sign() > 0;
    range.low = range.low + term.factor * (up ? number.low : number.high);
    range.high = range.high + term.factor * (up ? number.high : number.low);
  }
  return range;
}

bool never(const Bound& bound, const Range& range) {
  const bool beyond = bound.sign == Sign::Less ? range.low.sign() >= 0 : range.low.sign() > 0;
  return beyond || (bound.sign == Sign::Equal && range.high.sign() < 0);
}

bool always(const Bound& bound, const Range& range) {
  switch (bound.sign) {
    case Sign::Less: return range.high.sign() < 0;
    case Sign::AtMost: return range.high.sign() <= 0;
    case Sign::Equal: return range.low.sign() == 0 && range.high.sign() == 0;
  }
  return false;
}

// Over whole numbers only: multiplied until all factors are whole, and rounded. x < 4.5 becomes
// x <= 4.
Bound tightened(const Bound& bound, const Numbers& numbers) {
  if (bound.sign == Sign::Equal || bound.value.terms.empty()) return bound;
  Integer common = 1;
  for (const Affine::Term& term : bound.value.terms) {
    if (!numbers[term.number].whole) return bound;
    const Integer& denominator = term.factor.denominator();
    common = floor_divide(common * denominator, gcd(common, denominator));
  }
  Bound result{{}, Sign::AtMost};
  for (const Affine::Term& term : bound.value.terms) {
    result.value.terms.push_back({term.number, term.factor * Rational(common)});
  }
  const Rational most = -bound.value.constant * Rational(common);
  const Integer whole = bound.sign == Sign::Less ? most.ceil() - Integer(1) : most.floor();
  result.value.constant = -Rational(whole);
  return result;
}

}  // namespace

bool holds(const Bound& bound, std::span<const Rational> numbers) {
  return holds(bound.sign, value_of(bound.value, numbers));
}

std::optional<Bounds> simplified(const Bounds& bounds, const Numbers& numbers) {
  Bounds kept;
  for (const Bound& bound : bounds) {
    const Range range = range_of(bound.value, numbers);
    if (never(bound, range)) return std::nullopt;
    if (!always(bound, range)) kept.push_back(tightened(bound, numbers));
  }
  return kept;
}

namespace {

// Whether a <= 0 and b <= 0 (< 0 for one of them if strict) contradict each other, because b is a
// negative multiple of a apart from the constant.
bool exclude(const Affine& a, const Affine& b, bool strict) {
  if (a.terms.size() != b.terms.size() || a.terms.empty()) return false;
  const Rational ratio = -a.terms.front().factor / b.terms.front().factor;
  if (ratio.sign() <= 0) return false;
  const Affine both = sum(a, b, ratio);
  return both.terms.empty() && (strict ? both.constant.sign() >= 0 : both.constant.sign() > 0);
}

}  // namespace

bool exclude_each_other(const Bounds& a, const Bounds& b) {
  // An equation is a bound from both sides.
  const auto sides = [](const Bounds& bounds) {
    Bounds all = bounds;
    for (const Bound& bound : bounds) {
      if (bound.sign == Sign::Equal) all.push_back({sum({}, bound.value, -1), Sign::Equal});
    }
    return all;
  };
  for (const Bound& one : sides(a)) {
    for (const Bound& other : sides(b)) {
      const bool strict = one.sign == Sign::Less || other.sign == Sign::Less;
      if (exclude(one.value, other.value, strict)) return true;
    }
  }
  return false;
}

}  // namespace poise::verify
