#pragma once

// The last line of `poise watch`.

#include <cstddef>
#include <optional>

#include "poise/watch/result.h"

namespace poise::report {

// How long events took, in nanoseconds.
struct WatchTimes {
  double median = 0;
  double most = 0;  // of 99 in a hundred
  double longest = 0;
};

struct WatchSummary {
  watch::Summary monitor;
  std::size_t skipped = 0;          // lines that could not be read
  std::optional<std::size_t> late;  // lines, where some lateness is allowed
  std::size_t unknown = 0;          // names that the model does not know
  std::optional<WatchTimes> times;
};

inline constexpr watch::Kind kFaultKinds[] = {watch::Kind::Nondeterminism, watch::Kind::Race,
                                              watch::Kind::Cycle};

}  // namespace poise::report
