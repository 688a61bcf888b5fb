#pragma once

// Recognises values that diverge: a counter that only grows makes a new octagon with every step, so
// that the search of explore.h does not terminate. This cannot be decided, but there are signs: the
// bounds of a variable keep moving outwards, beyond every number that the model compares it with,
// so that nothing is left to stop it.
//
// A heuristic: it decides when a solver is asked for an invariant, never what the answer is.

#include <deque>
#include <vector>

#include "poise/base/rational.h"
#include "poise/verify/zones/zones.h"

namespace poise::verify {

class Divergence {
 public:
  Divergence(const System& system, const ZoneSystem& zones);

  // For octagons in the order in which they were found: whether some variable reaches farther out
  // in the newer half than in the older half, and beyond all numbers that it is compared with.
  template <class Found>
  [[nodiscard]] bool shows_in(const std::deque<Found>& found) const {
    std::vector<Range> older(farthest_.size());
    std::vector<Range> newer(farthest_.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      widen(i < found.size() / 2 ? older : newer, found[i].zone);
    }
    return is_beyond(newer, older);
  }

 private:
  struct Range {
    bool any = false;     // some octagon was counted
    bool has_low = true;  // bounded from below
    bool has_high = true;
    Rational low;
    Rational high;
  };
  static void widen(std::vector<Range>& ranges, const Octagon& zone);
  [[nodiscard]] bool is_beyond(const std::vector<Range>& newer,
                               const std::vector<Range>& older) const;

  // By dimension: how far from 0 the numbers are that it is compared with, at most, in ticks.
  std::vector<Rational> farthest_;
};

}  // namespace poise::verify
