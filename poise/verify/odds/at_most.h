#pragma once

// What no environment exceeds: a proved upper bound of the probability of a part of an event, over
// all its environments, and the environment in which the most is proved to be reached.
//
// How: branch and bound. A box of environments is narrowed to those in which each row can hold,
// bounded from above, and split in two unless the bound is hardly more than what is reached
// already. Two bounds are taken, and the better one counts. One lets each row have the environment
// of the box that suits it best; it is off by the size of the box. The other is for probabilities
// that are log-concave in the environment (Prekopa, 1971): there the values in the middle of the
// box and of its sides bound all others, off by the square of its size:
//
//   ln P(middle + t) <= ln P(middle) + sum over i of |t_i| / r_i * (ln P(middle) - ln P(middle -+
//   r_i))
//
// for |t_i| <= r_i, with the side opposite to t_i: a concave function lies below its secants.
//
// If an environment has many open numbers, there are too many boxes. Then, instead, open numbers
// are chosen late, with what happened so far in mind (chain_of.h): more than an environment can do,
// so still a bound, but not always a close one.

#include <cstddef>
#include <vector>

#include "poise/base/budget.h"
#include "poise/chance/interval.h"
#include "poise/verify/odds/independent_part.h"

namespace poise::verify {

struct AtMost {
  double high = 1;  // no environment exceeds it
  // The environment in which the most is proved to be reached, by number of the part, and the
  // bounds there. Empty, if in none.
  std::vector<double> environment;
  chance::Interval there = {0, 1};
};

struct AtMostOptions {
  std::size_t work = 2000;    // most chains to look at, by moves
  double relative = 0.04;     // a bound that is so little more than what is reached is good enough
  double reached = 0;         // what some environment is known to reach
  std::vector<double> known;  // an environment to begin with, by number of the part; may be empty
};

[[nodiscard]] AtMost at_most(const IndependentPart& part, const AtMostOptions& options,
                             Budget& budget);

}  // namespace poise::verify
