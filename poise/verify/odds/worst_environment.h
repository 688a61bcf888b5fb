#pragma once

// The worst environment of a part of an event: the one in which it is likeliest. There need not be
// one, where a bound is strict; then it is as near to it as makes no difference.
//
// How: along a line, line.h finds it. Else, from where the likeliest noise is likeliest, climb: go
// up along each number by itself, then along directions that keep a bound as it is, with steps that
// double while it goes up, parabolas at the top, and smaller steps each round. For log-concave laws
// (all but tables) and a single way through the stages the logarithm of the probability is concave
// in the environment (Prekopa, 1971), so there is one top; else several starts are climbed from.

#include <vector>

#include "poise/verify/odds/independent_part.h"
#include "poise/verify/odds/part_probability.h"

namespace poise::verify {

struct WorstEnvironment {
  std::vector<double> environment;  // by number of the part
  std::vector<double> rounded;      // almost as bad, with as few decimals as that takes
  Likelihood probability;           // in the first
};

[[nodiscard]] WorstEnvironment worst_of(const IndependentPart& part, PartProbability& joint,
                                        const chance::Precision& precision);

}  // namespace poise::verify
