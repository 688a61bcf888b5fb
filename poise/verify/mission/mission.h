#pragma once

// How likely a failure is within so many decisions, all paths together: the greatest probability
// that an adversary can reach who chooses the start, and later on, knowing all that happened so
// far, whatever actions leave open and which of several triggered rules fires.
//
// That is the value of a Markov decision process with a finite horizon and real-valued states. It
// is bounded from both sides by going backwards on a grid (backward.h), which becomes finer where
// it pays until the bounds are close, or the effort is spent.
//
//   const MissionOdds odds = mission_odds(system, 10, hazards, effort);
//   odds.all->low <= truth && truth <= odds.all->high

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "poise/verify/result.h"
#include "poise/verify/system/paths.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

struct MissionOdds {
  std::optional<Within> all;    // any failure
  std::vector<Within> hazards;  // by hazard; empty if `all` is
  std::string why;              // if there are none: why
};

// Both bounds are right, whatever limits were reached; then they are only farther apart.
[[nodiscard]] MissionOdds mission_odds(const System& system, std::size_t decisions,
                                       std::span<const Hazard> hazards, const Effort& effort);

}  // namespace poise::verify
