#pragma once

// The probability of a part of an event by sampling, with a guarantee: for any laws and any number
// of ways, the interval contains it with the given confidence.
//
// Only noise that several conditions depend on is drawn, such as errors of acting. Given that, each
// condition has an exact probability, because each of its bounds has at most one noise left; a
// sample is the product of these (a conditional expectation: Rao and Blackwell). So samples are
// between 0 and 1 and vary little, and the empirical Bernstein interval is narrow.

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
  // The draws depend on the seed only, so they are the same for every environment.
  [[nodiscard]] Sampled sampled(const std::vector<double>& environment,
                                const Sampling& sampling) const;

 private:
  struct Condition {  // all stages with one origin
    std::vector<std::vector<AffineRow>> ways;
    std::vector<std::size_t> exact;  // noise that is integrated exactly, not drawn
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

// Which branches count, given their probabilities. At each act with several outcomes, groups
// exclude each other and add up; of the choices in a group, the environment takes the one that
// makes the event likeliest, and the others do not count.
[[nodiscard]] std::vector<bool> counting(const std::vector<PartBranch>& branches,
                                         const std::vector<double>& probabilities);

}  // namespace poise::verify
