#pragma once

// How far an average of samples may be from the mean behind it. Every interval holds the true mean
// with at least the given confidence, 0 < confidence < 1, for any number of samples: these are
// bounds, not approximations for large numbers. Each looks at both sides at once.

#include <cstdint>

namespace poise::chance {

struct Interval {
  double low = 0;
  double high = 1;
};

// What is kept of samples: number, mean and spread. Welford's way, which does not cancel.
struct Samples {
  std::uint64_t count = 0;
  double mean = 0;
  double squares = 0;  // the sum of the squared distances from the mean

  void add(double sample);
  void add(const Samples& others);
  [[nodiscard]] double variance() const;  // without bias; 0 for fewer than two
};

// For samples of 0 .. most. Hoeffding's interval knows only the number of samples; the empirical
// Bernstein interval (Maurer and Pontil, 2009, theorem 4) is much narrower where they vary little.
[[nodiscard]] Interval hoeffding(const Samples& samples, double confidence, double most = 1);
[[nodiscard]] Interval empirical_bernstein(const Samples& samples, double confidence,
                                           double most = 1);

// For `hits` of `count` draws that are hits with the same probability: Clopper and Pearson (1934).
[[nodiscard]] Interval clopper_pearson(std::uint64_t hits, std::uint64_t count, double confidence);

// The regularised incomplete beta function: that a variable with the beta law of a and b, both
// positive, is at most x.
[[nodiscard]] double incomplete_beta(double a, double b, double x);

}  // namespace poise::chance
