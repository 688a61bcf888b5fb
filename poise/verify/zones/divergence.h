#pragma once

// Values that drift away: a counter that only grows makes a new octagon with every step, and zones
// have no end. That cannot be told for sure, but it shows: the bounds of a variable keep moving
// outwards, and the model compares it with nothing that is farther out, so nothing stops it there.
//
// Whether it is so decides only when a solver is asked for an invariant, never what is answered.

#include <deque>
#include <vector>

#include "poise/base/rational.h"
#include "poise/verify/zones/zones.h"

namespace poise::verify {

class Divergence {
 public:
  Divergence(const System& system, const ZoneSystem& zones);

  // Of octagons in the order in which they were found: whether some of the newer half are farther
  // out than all of the older one, and than all that the model has to compare with.
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
    bool any = false;
    bool has_low = true;  // else it goes on for ever
    bool has_high = true;
    Rational low;
    Rational high;
  };
  static void widen(std::vector<Range>& ranges, const Octagon& zone);
  [[nodiscard]] bool is_beyond(const std::vector<Range>& newer,
                               const std::vector<Range>& older) const;

  std::vector<Rational> farthest_;  // by dimension, in ticks: from 0
};

}  // namespace poise::verify
