#include "poise/chance/interval.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "poise/base/check.h"

namespace poise::chance {
namespace {

Interval around(double mean, double distance, double most) {
  return {std::clamp(mean - distance, 0.0, most), std::clamp(mean + distance, 0.0, most)};
}

// The error of Stirling's formula: log gamma(z) = (z - 1/2) log z - z + log(2 pi)/2 + this. With
// it alone, the large parts of three gammas cancel on paper instead of in doubles.
double stirling_rest(double z) {
  double rest = 0;
  for (; z < 16; ++z) rest += (z + 0.5) * std::log1p(1 / z) - 1;
  const double square = 1 / (z * z);
  return rest + (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - square / 1680) * square) * square) / z;
}

// x^a (1-x)^b / B(a, b). Written, as Loader (2000) writes the binomial, with the distance of x from
// a / (a + b): the direct form loses digits for large a and b.
double beta_front(double a, double b, double x) {
  const double off = x * b - (1 - x) * a;
  const double exponent = a * std::log1p(off / a) + b * std::log1p(-off / b) +
                          stirling_rest(a + b) - stirling_rest(a) - stirling_rest(b);
  return std::exp(exponent) * std::sqrt(a / (a + b) * b / (2 * std::numbers::pi));
}

// The continued fraction of the incomplete beta function by the method of Lentz. It converges fast
// for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto not_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (double m = 1; m < 1e7; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / not_zero(1 + even * d);
    c = not_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / not_zero(1 + odd * d);
    c = not_zero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

// The quantile p of the beta law, between two neighbouring doubles. Bisection; near 0 it divides by
// 4 instead, so that small quantiles become as accurate in proportion as others.
Interval beta_quantile(double a, double b, double p) {
  Interval bracket = {0, 1};
  for (int round = 0; round < 2000; ++round) {
    const double middle =
        bracket.low < bracket.high / 4 ? bracket.high / 4 : (bracket.low + bracket.high) / 2;
    if (middle <= bracket.low || middle >= bracket.high) break;
    (incomplete_beta(a, b, middle) < p ? bracket.low : bracket.high) = middle;
  }
  return bracket;
}

}  // namespace

void Samples::add(double sample) {
  ++count;
  const double off = sample - mean;
  mean += off / static_cast<double>(count);
  squares += off * (sample - mean);
}

void Samples::add(const Samples& others) {
  if (others.count == 0) return;
  const auto before = static_cast<double>(count);
  const auto more = static_cast<double>(others.count);
  const double off = others.mean - mean;
  count += others.count;
  mean += off * more / (before + more);
  squares += others.squares + off * off * before * more / (before + more);
}

double Samples::variance() const {
  return count < 2 ? 0 : squares / static_cast<double>(count - 1);
}

Interval hoeffding(const Samples& samples, double confidence, double most) {
  POISE_CHECK(confidence > 0 && confidence < 1);
  if (samples.count == 0) return {0, most};
  const double n = static_cast<double>(samples.count);
  return around(samples.mean, most * std::sqrt(std::log(2 / (1 - confidence)) / (2 * n)), most);
}

Interval empirical_bernstein(const Samples& samples, double confidence, double most) {
  POISE_CHECK(confidence > 0 && confidence < 1);
  if (samples.count < 2) return {0, most};
  const double n = static_cast<double>(samples.count);
  // The theorem is one-sided, with log(2 / d); each side gets half of d = 1 - confidence.
  const double log_term = std::log(4 / (1 - confidence));
  const double spread = std::sqrt(2 * samples.variance() * log_term / n);
  return around(samples.mean, spread + 7 * most * log_term / (3 * (n - 1)), most);
}

Interval clopper_pearson(std::uint64_t hits, std::uint64_t count, double confidence) {
  POISE_CHECK(hits <= count && confidence > 0 && confidence < 1);
  const double each_side = (1 - confidence) / 2;
  const auto k = static_cast<double>(hits);
  const auto n = static_cast<double>(count);
  Interval interval;
  if (hits > 0) interval.low = beta_quantile(k, n - k + 1, each_side).low;
  if (hits < count) interval.high = beta_quantile(k + 1, n - k, 1 - each_side).high;
  return interval;
}

double incomplete_beta(double a, double b, double x) {
  POISE_CHECK(a > 0 && b > 0);
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = beta_front(a, b, x);
  const bool small = x < (a + 1) / (a + b + 2);
  const double part =
      small ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
  return std::clamp(part, 0.0, 1.0);
}

}  // namespace poise::chance
