#pragma once

// A fault in one situation. Where `check` says in how many situations a fault occurs, whoever asks
// which of them happen needs them one by one.

#include <cstdint>
#include <optional>

#include "poise/finding/finding.h"

namespace poise::finding {

struct Case {
  std::uint32_t fault;                  // an index into the faults of a report
  Conjunction situation;                // the truth of every atom that it is counted over; sorted
  std::optional<Witness> witness = {};  // a concrete context in which it occurs, if one was sought
};

}  // namespace poise::finding
