#pragma once

// The data of the summary that `poise watch` prints at the end: counts of the monitor, and of the
// program around it.

#include <cstddef>
#include <optional>

#include "poise/watch/result.h"

namespace poise::report {

// How long events took, in nanoseconds.
struct WatchTimes {
  double median = 0;
  double most = 0;  // the 99th percentile
  double longest = 0;
};

struct WatchSummary {
  watch::Summary monitor;
  std::size_t skipped = 0;          // lines that could not be read
  std::optional<std::size_t> late;  // lines that came later than allowed; none without `--lateness`
  std::size_t unknown = 0;          // names in events that the model does not declare
  std::optional<WatchTimes> times;
};

// The kinds that are faults; an adaptation is not one.
inline constexpr watch::Kind kFaultKinds[] = {watch::Kind::Nondeterminism, watch::Kind::Race,
                                              watch::Kind::Cycle};

}  // namespace poise::report
