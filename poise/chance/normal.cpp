#include "poise/chance/normal.h"

#include <array>
#include <cmath>
#include <numbers>

#include "poise/base/check.h"
#include "poise/chance/quadrature.h"

namespace poise::chance {
namespace {

constexpr double kRootHalfPi = 1.2533141373155002512;  // the root of pi / 2

double polynomial(const std::array<double, 8>& coefficients, double x) {
  double sum = 0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) sum = sum * x + *c;
  return sum;
}

// The rational approximations of the quantile by Wichura, Algorithm AS 241 (Applied Statistics 37,
// 1988), accurate to about 16 digits: around the middle, in the tails, and far out.
constexpr std::array<double, 8> kMiddleTop = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                              1.9715909503065514427e3, 1.3731693765509461125e4,
                                              4.5921953931549871457e4, 6.7265770927008700853e4,
                                              3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr std::array<double, 8> kMiddleBottom = {1,
                                                 4.2313330701600911252e1,
                                                 6.8718700749205790830e2,
                                                 5.3941960214247511077e3,
                                                 2.1213794301586595867e4,
                                                 3.9307895800092710610e4,
                                                 2.8729085735721942674e4,
                                                 5.2264952788528545610e3};
constexpr std::array<double, 8> kTailTop = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                            5.76949722146069140550e0,  3.64784832476320460504e0,
                                            1.27045825245236838258e0,  2.41780725177450611770e-1,
                                            2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> kTailBottom = {1,
                                               2.05319162663775882187e0,
                                               1.67638483018380384940e0,
                                               6.89767334985100004550e-1,
                                               1.48103976427480074590e-1,
                                               1.51986665636164571966e-2,
                                               5.47593808499534494600e-4,
                                               1.05075007164441684324e-9};
constexpr std::array<double, 8> kFarTop = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                           1.78482653991729133580e0,  2.96560571828504891230e-1,
                                           2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                           2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array<double, 8> kFarBottom = {1,
                                              5.99832206555887937690e-1,
                                              1.36929880922735805310e-1,
                                              1.48753612908506148525e-2,
                                              7.86869131145613259100e-4,
                                              1.84631831751005468180e-5,
                                              1.42151175831644588870e-7,
                                              2.04426310338993978564e-15};

// The integral of exp((nearest^2 - t^2) / 2) from x >= 0 to infinity.
double tail_integral(double x, double nearest) {
  if (nearest == 0) return kRootHalfPi * std::erfc(x / std::numbers::sqrt2);
  return std::exp(-(x - nearest) * (x + nearest) / 2) * mills_ratio(x);
}

// The same from a to b, 0 <= a <= b.
double one_sided_integral(double a, double b, double nearest) {
  const double width = b - a;
  if (width * (a + 1) > 0.25) return tail_integral(a, nearest) - tail_integral(b, nearest);
  return std::exp(-(a - nearest) * (a + nearest) / 2) * normal_integral_beyond(a, width);
}

}  // namespace

double normal_density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }

// If a and b are close, the difference of two tails would cancel; there the integrand is smooth
// enough for quadrature.
double normal_integral_beyond(double a, double width) {
  const auto integrand = [a](double t) { return std::exp(-t * (a + t / 2)); };
  if (width * (a + 1) > 0.25) return mills_ratio(a) - integrand(width) * mills_ratio(a + width);
  static const GaussLegendre kRule(6);
  return kRule.integral(integrand, 0, width);
}

double normal_upper_tail(double x) { return std::erfc(x / std::numbers::sqrt2) / 2; }

double normal_quantile(double p) {
  POISE_CHECK(p > 0 && p < 1);
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kMiddleTop, r) / polynomial(kMiddleBottom, r);
  }
  const double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
  const double x = r <= 5 ? polynomial(kTailTop, r - 1.6) / polynomial(kTailBottom, r - 1.6)
                          : polynomial(kFarTop, r - 5) / polynomial(kFarBottom, r - 5);
  return q < 0 ? -x : x;
}

double mills_ratio(double x) {
  POISE_CHECK(x >= 0);
  if (x < 8) return kRootHalfPi * std::erfc(x / std::numbers::sqrt2) * std::exp(x * x / 2);
  // Laplace's continued fraction 1 / (x + 1 / (x + 2 / (x + ...))): from 8 on, 40 terms are plenty.
  double rest = x;
  for (int term = 40; term > 0; --term) rest = x + term / rest;
  return 1 / rest;
}

double normal_integral(double a, double b, double nearest) {
  POISE_CHECK(a <= b);
  if (a >= 0) return one_sided_integral(a, b, nearest);
  if (b <= 0) return one_sided_integral(-b, -a, nearest);
  const double left = std::erf(-a / std::numbers::sqrt2);
  return kRootHalfPi * (left + std::erf(b / std::numbers::sqrt2));
}

}  // namespace poise::chance
