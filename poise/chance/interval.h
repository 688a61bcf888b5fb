#pragma once

// Confidence intervals: how far the average of some samples may be from the true mean. Every
// interval contains the true mean with at least the given confidence, 0 < confidence < 1, for any
// number of samples: these are bounds, not approximations for large numbers. All are two-sided.

#include <cstdint>

namespace poise::chance {

struct Interval {
  double low = 0;
  double high = 1;
};

// Number, mean and spread of samples that are not kept themselves. Welford's method: it subtracts
// no large sums from each other, so no digits cancel.
struct Samples {
  std::uint64_t count = 0;
  double mean = 0;
  double squares = 0;  // sum of the squared distances from the mean

  void add(double sample);
  void add(const Samples& others);
  [[nodiscard]] double variance() const;  // unbiased (divides by count - 1); 0 for fewer than two
};

// For independent samples between 0 and `most`. Hoeffding's width depends on the number of samples
// only; the empirical Bernstein interval (Maurer and Pontil, 2009, theorem 4) also uses their
// variance, and is much narrower if they vary little.
[[nodiscard]] Interval hoeffding(const Samples& samples, double confidence, double most = 1);
[[nodiscard]] Interval empirical_bernstein(const Samples& samples, double confidence,
                                           double most = 1);

// For the probability of a hit, after `hits` hits in `count` independent draws: Clopper and Pearson
// (1934).
[[nodiscard]] Interval clopper_pearson(std::uint64_t hits, std::uint64_t count, double confidence);

// The regularised incomplete beta function: the probability that a variable with the beta law of
// a and b, both positive, is at most x.
[[nodiscard]] double incomplete_beta(double a, double b, double x);

}  // namespace poise::chance
