#include "poise/chance/law.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "poise/base/check.h"
#include "poise/base/infinity.h"
#include "poise/chance/normal.h"
#include "poise/chance/quadrature.h"

namespace poise::chance {
namespace {

// The integrals of exp(slope * x), and of x * exp(slope * x), for x from -half to half.
struct ExponentialMoments {
  double zeroth;
  double first;
};
ExponentialMoments exponential_moments(double slope, double half) {
  const double x = slope * half;
  if (std::abs(x) < 1e-3) {
    return {2 * half * (1 + x * x / 6), 2 * half * half * x / 3 * (1 + x * x / 10)};
  }
  const double zeroth = 2 * std::sinh(x) / slope;
  // For small x the two terms nearly cancel; a series has all its digits.
  if (std::abs(x) < 0.5) {
    double term = x / 3;  // x^(2n-1) / ((2n-1)! (2n+1)), from n = 1
    double sum = 0;
    for (int n = 1; n < 12; ++n) {
      sum += term;
      term *= x * x / (2.0 * n * (2 * n + 3));
    }
    return {zeroth, 2 * half * half * sum};
  }
  return {zeroth, 2 * half * half * (std::cosh(x) / x - std::sinh(x) / (x * x))};
}

}  // namespace

Law Law::point(double value) { return uniform(value, value); }
Law Law::uniform(double low, double high) { return {Kind::Uniform, low, high, 0, {}}; }
Law Law::gauss(double low, double high, double deviation) {
  return {Kind::Gauss, low, high, deviation, {}};
}
Law Law::triangle(double low, double high, double top) {
  POISE_CHECK(top <= high - low);
  Law law(Kind::Triangle, low, high, 0, {});
  const double middle = std::clamp(0.0, low + top / 2, high - top / 2);
  law.top_low_ = middle - top / 2;
  law.top_high_ = middle + top / 2;
  return law;
}
Law Law::table(double low, double high, std::vector<double> weights) {
  return {Kind::Table, low, high, 0, std::move(weights)};
}
Law Law::standard_normal() { return gauss(-kInfinity, kInfinity, 1); }

Law::Law(Kind kind, double low, double high, double deviation, std::vector<double> weights)
    : kind_(kind), low_(low), high_(high) {
  POISE_CHECK(low <= high && low < kInfinity && high > -kInfinity);
  if (kind == Kind::Gauss && !is_point()) {
    // A deviation far out of proportion to the range gives the same law whatever its exact value,
    // but its square must neither overflow nor vanish.
    const double finite_low = std::isinf(low) ? 0 : std::abs(low);
    const double size = std::max(finite_low, std::isinf(high) ? 0 : std::abs(high));
    deviation_ = std::max(deviation, size * 1e-150);
    if (size > 0) deviation_ = std::min(deviation_, size * 1e150);
    POISE_CHECK(deviation_ > 0 && deviation_ < kInfinity);
    nearest_ = std::max({0.0, low, -high}) / deviation_;
    total_ = normal_integral(low / deviation_, high / deviation_, nearest_);
  }
  if (kind == Kind::Triangle) top_low_ = top_high_ = std::clamp(0.0, low, high);
  if (kind == Kind::Table && !is_point()) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    POISE_CHECK(sum > 0);
    for (double& weight : weights) weight /= sum;
    weights_ = std::make_shared<const std::vector<double>>(std::move(weights));
  }
}

double Law::mass(double a, double b) const {
  a = std::max(a, low_);
  b = std::min(b, high_);
  if (!(a <= b)) return 0;
  if (a == low_ && b == high_) return 1;
  return std::clamp(integral(a, b), 0.0, 1.0);
}

double Law::paper_mass(double a, double b) const {
  if (kind_ != Kind::Gauss || is_point()) return mass(a, b);
  a = std::max(a, low_);
  b = std::min(b, high_);
  if (!(a <= b)) return 0;
  const double uncut =
      normal_density(nearest_) * normal_integral(a / deviation_, b / deviation_, nearest_);
  return std::clamp(uncut, 0.0, 1.0);
}

double Law::integral(double a, double b) const {
  switch (kind_) {
    case Kind::Uniform: return (b - a) / (high_ - low_);
    case Kind::Gauss: return gauss_integral(a, b);
    case Kind::Triangle: return triangle_integral(a, b);
    case Kind::Table: return table_integral(a, b);
  }
  POISE_CHECK(false);
}

double Law::gauss_integral(double a, double b) const {
  return normal_integral(a / deviation_, b / deviation_, nearest_) / total_;
}

double Law::triangle_height() const { return 2 / ((high_ - low_) + (top_high_ - top_low_)); }

// Up to the top the mass grows with the square of the distance from the low end, and likewise from
// the high end; the difference of two squares is written as a product, which does not cancel.
double Law::triangle_integral(double a, double b) const {
  double sum = 0;
  if (a < top_low_) {
    const double end = std::min(b, top_low_);
    sum += (end - a) * ((end - low_) + (a - low_)) / (2 * (top_low_ - low_));
  }
  sum += std::max(0.0, std::min(b, top_high_) - std::max(a, top_low_));
  if (b > top_high_) {
    const double begin = std::max(a, top_high_);
    sum += (b - begin) * ((high_ - begin) + (high_ - b)) / (2 * (high_ - top_high_));
  }
  return sum * triangle_height();
}

double Law::table_integral(double a, double b) const {
  const auto parts = static_cast<double>(weights_->size());
  const double width = (high_ - low_) / parts;
  const auto last_part = weights_->size() - 1;
  const auto first = std::min(static_cast<std::size_t>((a - low_) / width), last_part);
  const auto last = std::min(static_cast<std::size_t>((b - low_) / width), last_part);
  if (first == last) return (*weights_)[first] * (b - a) / width;
  double sum = (*weights_)[first] * (low_ + static_cast<double>(first + 1) * width - a) / width;
  for (std::size_t part = first + 1; part < last; ++part) sum += (*weights_)[part];
  return sum + (*weights_)[last] * (b - low_ - static_cast<double>(last) * width) / width;
}

double Law::density(double error) const {
  if (!(error >= low_ && error <= high_)) return 0;
  if (is_point()) return kInfinity;
  switch (kind_) {
    case Kind::Uniform: return 1 / (high_ - low_);
    case Kind::Gauss: {
      const double x = error / deviation_;
      return std::exp((nearest_ - x) * (nearest_ + x) / 2) / (total_ * deviation_);
    }
    case Kind::Triangle: {
      double share = 1;
      if (error < top_low_) share = (error - low_) / (top_low_ - low_);
      if (error > top_high_) share = (high_ - error) / (high_ - top_high_);
      return share * triangle_height();
    }
    case Kind::Table: {
      const double share = static_cast<double>(weights_->size()) / (high_ - low_);
      const auto part = static_cast<std::size_t>((error - low_) * share);
      return (*weights_)[std::min(part, weights_->size() - 1)] * share;
    }
  }
  POISE_CHECK(false);
}

double Law::tilted_mass(double a, double b, double slope) const {
  POISE_CHECK(!is_point());
  a = std::max(a, low_);
  b = std::min(b, high_);
  if (!(a < b)) return 0;
  if (kind_ == Kind::Gauss) return gauss_tilted(a, b, slope);
  // The density is linear between kinks.
  const double middle = (a + b) / 2;
  double sum = 0;
  const auto add = [&](double from, double to, double bend) {
    from = std::max(a, from);
    to = std::min(b, to);
    if (!(from < to)) return;
    const double here = (from + to) / 2;
    const ExponentialMoments moments = exponential_moments(slope, (to - from) / 2);
    sum +=
        std::exp(slope * (here - middle)) * (density(here) * moments.zeroth + bend * moments.first);
  };
  if (kind_ == Kind::Triangle) {
    add(low_, top_low_, triangle_height() / (top_low_ - low_));
    add(top_low_, top_high_, 0);
    add(top_high_, high_, -triangle_height() / (high_ - top_high_));
  } else if (kind_ == Kind::Table) {
    const std::vector<double> ends = kinks();
    for (std::size_t i = 1; i < ends.size(); ++i) add(ends[i - 1], ends[i], 0);
  } else {
    add(low_, high_, 0);
  }
  return sum;
}

// An exponential times a Gauss density is a Gauss density with another mean. All in deviations.
double Law::gauss_tilted(double a, double b, double slope) const {
  const double half = (b - a) / 2 / deviation_;
  const double middle = (a + b) / 2 / deviation_;
  const double mean = slope * deviation_ - middle;  // of the other density, from the middle
  double exponent = (nearest_ - middle) * (nearest_ + middle) / 2;
  if (std::abs(mean) < half) {
    return std::exp(exponent + mean * mean / 2) * normal_integral(-half - mean, half - mean, 0) /
           total_;
  }
  // Counted from the end that is nearer to that mean.
  exponent += half * (std::abs(mean) - half / 2);
  return std::exp(exponent) * normal_integral_beyond(std::abs(mean) - half, 2 * half) / total_;
}

std::vector<Law::Part> Law::log_concave_parts() const {
  if (is_log_concave()) return {{1, *this}};
  std::vector<Part> parts;
  const std::vector<double> ends = kinks();
  for (std::size_t i = 0; i < weights_->size(); ++i) {
    if ((*weights_)[i] > 0) parts.push_back({(*weights_)[i], uniform(ends[i], ends[i + 1])});
  }
  return parts;
}

double Law::quantile_within(double a, double b, double p) const {
  a = std::max(a, low_);
  b = std::min(b, high_);
  POISE_CHECK(a <= b && p >= 0 && p <= 1);
  if (p == 0 || a == b) return a;
  if (p == 1) return b;
  double found = a;
  switch (kind_) {
    case Kind::Uniform: found = a + p * (b - a); break;
    case Kind::Gauss: found = gauss_quantile(a / deviation_, b / deviation_, p) * deviation_; break;
    case Kind::Triangle: found = triangle_quantile(a, b, p); break;
    case Kind::Table: found = table_quantile(a, b, p); break;
  }
  return std::clamp(found, a, b);
}

// All in deviations. Counts from the side with the smaller tail, whose digits are all significant.
double Law::gauss_quantile(double a, double b, double p) const {
  if (b <= 0) return -gauss_quantile(-b, -a, 1 - p);
  const double above_b = normal_upper_tail(b);
  if (a < 0) {
    const double below_a = normal_upper_tail(-a);
    const double between = normal_integral(a, b, 0) / std::sqrt(2 * std::numbers::pi);
    const double below = below_a + p * between;
    if (below <= 0.5) return normal_quantile(below);
    return -normal_quantile(above_b + (1 - p) * between);
  }
  const double above_a = normal_upper_tail(a);
  if (above_a > 1e-300) return -normal_quantile(above_b + (1 - p) * (above_a - above_b));
  // So far out that the tail itself underflows: bisect the scaled integral.
  const double wanted = p * normal_integral(a, b, nearest_);
  double below = a;
  double above = std::min(b, a + 800 / a);
  for (int round = 0; round < 100; ++round) {
    const double middle = (below + above) / 2;
    (normal_integral(a, middle, nearest_) < wanted ? below : above) = middle;
  }
  return below;
}

double Law::triangle_quantile(double a, double b, double p) const {
  const double left = a < top_low_ ? triangle_integral(a, std::min(b, top_low_)) : 0;
  const double right = b > top_high_ ? triangle_integral(std::max(a, top_high_), b) : 0;
  const double height = triangle_height();
  const double begin = std::max(a, top_low_);
  const double top = std::max(0.0, std::min(b, top_high_) - begin) * height;
  const double below = p * (left + top + right);
  if (below <= left) {
    const double squared = (a - low_) * (a - low_) + below * 2 * (top_low_ - low_) / height;
    return low_ + std::sqrt(squared);
  }
  const double above = (1 - p) * (left + top + right);
  if (above >= right) return begin + (below - left) / height;
  return high_ - std::sqrt((high_ - b) * (high_ - b) + above * 2 * (high_ - top_high_) / height);
}

double Law::table_quantile(double a, double b, double p) const {
  const double width = (high_ - low_) / static_cast<double>(weights_->size());
  double wanted = p * table_integral(a, b);
  for (std::size_t part = 0; part < weights_->size(); ++part) {
    const double begin = std::max(a, low_ + static_cast<double>(part) * width);
    const double end = std::min(b, low_ + static_cast<double>(part + 1) * width);
    if (begin >= end) continue;
    const double here = (*weights_)[part] * (end - begin) / width;
    if (here >= wanted && here > 0) return begin + (end - begin) * wanted / here;
    wanted -= here;
  }
  return b;
}

double Law::sample(Random& random) const {
  // Odd multiples of 2^-54: neither 0 nor 1, so no infinite range gives an infinite error.
  return quantile((static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53);
}

double Law::sample_whole(Random& random) const {
  return std::clamp(std::round(sample(random)), low_ + 0.5, high_ - 0.5);
}

Law Law::around(double middle) const {
  POISE_CHECK(kind_ == Kind::Gauss && !is_point());
  return gauss(low_ - middle, high_ - middle, deviation_);
}

double Law::moment(int power, double around) const {
  const GaussLegendre rule(16);
  const std::vector<double> ends = panels();
  const auto weighted = [&](double x) { return density(x) * std::pow(x - around, power); };
  const auto density_here = [&](double x) { return density(x); };
  return rule.integral(weighted, ends) / rule.integral(density_here, ends);
}

double Law::mean() const {
  if (is_point()) return low_;
  const std::vector<double> ends = panels();
  const double around = (ends.front() + ends.back()) / 2;
  return around + moment(1, around);
}

double Law::variance() const { return is_point() ? 0 : moment(2, mean()); }

std::vector<double> Law::kinks() const {
  std::vector<double> found = {low_};
  if (kind_ == Kind::Triangle) {
    for (const double top : {top_low_, top_high_}) {
      if (top > found.back() && top < high_) found.push_back(top);
    }
  }
  if (kind_ == Kind::Table && !is_point()) {
    const double width = (high_ - low_) / static_cast<double>(weights_->size());
    for (std::size_t part = 1; part < weights_->size(); ++part) {
      found.push_back(low_ + static_cast<double>(part) * width);
    }
  }
  if (!is_point()) found.push_back(high_);
  return found;
}

std::vector<double> Law::panels() const {
  if (kind_ != Kind::Gauss || is_point()) return kinks();
  // A Gauss law that is cut far from 0 is nearly exponential, and the steeper the farther out it
  // is. 20 steps to each side reach beyond all its mass in both cases.
  const double step = 2 * deviation_ / std::max(1.0, nearest_);
  const double middle = std::clamp(0.0, low_, high_);
  std::vector<double> ends;
  for (int i = -20; i <= 20; ++i) {
    const double at = middle + i * step;
    if (at > low_ && at < high_) ends.push_back(at);
  }
  if (!std::isinf(low_)) ends.insert(ends.begin(), low_);
  if (!std::isinf(high_)) ends.push_back(high_);
  return ends;
}

}  // namespace poise::chance
