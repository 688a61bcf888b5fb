#pragma once

// A flow in the formats of other tools: a CSV table, or a load profile for k6 or Locust. So a
// failure that shaking found in a policy can be replayed against the real system.

#include <cstddef>
#include <string>

#include "poise/shake/result.h"

namespace poise::report {

// A header, then a line for each tick: the time in seconds, and a column for each property, empty
// where it has no value. `tick` is in seconds, here and below.
[[nodiscard]] std::string flow_csv(const shake::Grid& grid, const shake::Flow& flow, double tick);

// One property as the number of virtual users over time, rounded to whole users; ticks in a row
// with the same number become one stage. A whole script for k6 or Locust, which says its units and
// runs as it is; its users ask for one page.
[[nodiscard]] std::string flow_k6(const shake::Grid& grid, const shake::Flow& flow, double tick,
                                  std::size_t property);
[[nodiscard]] std::string flow_locust(const shake::Grid& grid, const shake::Flow& flow, double tick,
                                      std::size_t property);

}  // namespace poise::report
