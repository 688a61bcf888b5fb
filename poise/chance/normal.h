#pragma once

// The standard normal distribution, accurate to the last few digits also far out in its tails. What
// is far out on the right is asked for as an upper tail: its complement would be 1.

namespace poise::chance {

[[nodiscard]] double normal_density(double x);
[[nodiscard]] double normal_upper_tail(double x);  // P(Z >= x)

// Where the probability below is p, 0 < p < 1. In the upper half this knows p no better than a
// number near 1 does: ask for -normal_quantile(upper tail) there.
[[nodiscard]] double normal_quantile(double p);

// The upper tail by the density, times what keeps it from vanishing: both become 0 near 38, their
// ratio (the one of Mills) goes on as 1/x. x >= 0.
[[nodiscard]] double mills_ratio(double x);

// The integral of exp((nearest^2 - x^2) / 2) for x from a to b: the mass between a and b in units
// that do not become 0 however far out the two are. nearest >= 0 is how near to 0 any a or b can
// be, so the integrand is at most 1; it is 0 if a < 0 < b.
[[nodiscard]] double normal_integral(double a, double b, double nearest);

}  // namespace poise::chance
