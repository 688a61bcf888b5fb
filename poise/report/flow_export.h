#pragma once

// A flow for others: a table, or the load curve of a tool that makes real load, so that what was
// found by shaking a policy can be shown to the system itself.

#include <cstddef>
#include <string>

#include "poise/shake/result.h"

namespace poise::report {

// A line for each tick, with the time in seconds and a column for each property.
[[nodiscard]] std::string flow_csv(const shake::Grid& grid, const shake::Flow& flow, double tick);

// The numbers of one property as the target of a load: equal neighbours are one stage. For k6, the
// `options` of a script; for Locust, a LoadTestShape.
[[nodiscard]] std::string flow_k6(const shake::Grid& grid, const shake::Flow& flow, double tick,
                                  std::size_t property);
[[nodiscard]] std::string flow_locust(const shake::Grid& grid, const shake::Flow& flow, double tick,
                                      std::size_t property);

}  // namespace poise::report
