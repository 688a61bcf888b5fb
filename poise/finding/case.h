#pragma once

// A fault in one situation. `check` reports each fault once, with the number of its situations;
// `rank` asks which of these happen, and so takes them one by one (check/cases.h lists them).

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
