#pragma once

// The probability of a part of an event by chance, with a guarantee: whatever the laws and however
// many ways there are, the interval holds it with the given confidence.
//
// Only noise that several stages depend on is drawn, such as what is done; given that, each stage
// has a probability that is exact, because each of its bounds has one noise left, and a sample is
// the product of those (a conditional expectation: Rao and Blackwell). So samples are between 0 and
// 1 and vary little, and the empirical Bernstein interval is narrow.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "poise/chance/interval.h"
#include "poise/verify/odds/independent_part.h"

namespace poise::verify {

struct Sampling {
  std::size_t samples = 20'000;
  std::uint64_t seed = 1;
  double confidence = 0.95;
};

struct Sampled {
  double mean = 0;
  chance::Interval interval;
};

class Sampler {
 public:
  explicit Sampler(const IndependentPart& part);
  // The same draws for every environment.
  [[nodiscard]] Sampled sampled(const std::vector<double>& environment,
                                const Sampling& sampling) const;

 private:
  struct Condition {  // one origin of stages
    std::vector<std::vector<AffineRow>> ways;
    std::vector<std::size_t> exact;  // noise that is integrated
  };
  struct Branch {
    std::vector<Condition> conditions;
    std::vector<std::size_t> drawn;
  };
  [[nodiscard]] double sample(const Branch& branch, const std::vector<double>& environment,
                              const std::vector<double>& noise) const;
  [[nodiscard]] double probability(const Condition& condition, const std::vector<AffineRow>& way,
                                   const std::vector<double>& environment,
                                   const std::vector<double>& noise) const;

  const IndependentPart& part_;
  std::vector<Branch> branches_;
};

// Which branches count, by their probabilities. At each act with several outcomes, groups exclude
// each other, so that they add up, and of the choices of a group the environment takes the one with
// which it all becomes likeliest: what comes after one choice says nothing about another.
[[nodiscard]] std::vector<bool> counting(const std::vector<PartBranch>& branches,
                                         const std::vector<double>& probabilities);

}  // namespace poise::verify
