#pragma once

// The worst environment of a part of an event: the one in which it is likeliest. There need not be
// one, where a bound is strict; then it is as near to it as makes no difference.
//
// How: along a line, chance/path_on_line.h finds it. Otherwise climb, from the environment in which
// the likeliest noise is likeliest: go up along each number by itself, then along directions that
// keep a bound as it is, with steps that double while it goes up, parabolas at the top, and smaller
// steps each round. For log-concave laws (all but tables) and a single way through the stages the
// logarithm of the probability is concave in the environment (Prekopa, 1971), so there is one top;
// otherwise the climb is repeated from up to three starts.
// It may still miss the worst: at_most.h says what no environment exceeds.

#include <optional>
#include <vector>

#include "poise/base/budget.h"
#include "poise/verify/odds/independent_part.h"
#include "poise/verify/odds/part_probability.h"

namespace poise::verify {

struct WorstEnvironment {
  std::vector<double> environment;  // by number of the part
  std::vector<double> rounded;      // almost as bad, with few decimals
  Likelihood probability;           // in `environment`
};

// The worst one that a climb from `begin` comes to. None if the budget does not last.
[[nodiscard]] std::optional<WorstEnvironment> worst_near(const IndependentPart& part,
                                                         PartProbability& joint,
                                                         const std::vector<double>& begin,
                                                         const chance::Precision& precision,
                                                         Budget& budget);

// None if the budget does not last.
[[nodiscard]] std::optional<WorstEnvironment> worst_of(const IndependentPart& part,
                                                       PartProbability& joint,
                                                       const chance::Precision& precision,
                                                       Budget& budget);

}  // namespace poise::verify
