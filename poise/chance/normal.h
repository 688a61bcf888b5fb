#pragma once

// The standard normal distribution, accurate to the last few digits also far out in its tails. For
// the right tail ask for the upper tail: the probability below would be rounded to 1.

namespace poise::chance {

[[nodiscard]] double normal_density(double x);
[[nodiscard]] double normal_upper_tail(double x);  // P(Z >= x)

// The x with P(Z <= x) = p, 0 < p < 1. A p close to 1 has few significant digits in 1 - p: in the
// upper half use -normal_quantile(upper tail).
[[nodiscard]] double normal_quantile(double p);

// Mills' ratio, normal_upper_tail(x) / normal_density(x), for x >= 0. Both become 0 near 38; their
// ratio goes on, about as 1/x.
[[nodiscard]] double mills_ratio(double x);

// The integral of exp((nearest^2 - x^2) / 2) for x from a to b: the mass between a and b, in a unit
// so small that it does not underflow however far out a and b are. nearest >= 0 must not exceed the
// distance of a .. b from 0, so that the integrand is at most 1; it must be 0 if a < 0 < b.
[[nodiscard]] double normal_integral(double a, double b, double nearest);
// The same from a >= 0 to a + width, with a as the nearest; accurate however large a is.
[[nodiscard]] double normal_integral_beyond(double a, double width);

}  // namespace poise::chance
