#pragma once

// Pictures of shaking, as SVG: a flow over time with what the subject made of it, a failure before
// and after shrinking, who kills whom, and which shapes of flows there were.

#include <cstddef>
#include <string>

#include "poise/shake/result.h"

namespace poise::report {

// How far the context is from its origin, in steps that are smooth (green), moderate (grey) or
// violent (red), then each property, then each part of the variant.
[[nodiscard]] std::string flow_svg(const shake::Report& report, std::size_t flow);
[[nodiscard]] std::string failure_svg(const shake::Report& report, const shake::Failing& failing);
// A row for each mutant, a column for each flow; the darker, the earlier it was killed. The report
// has mutants.
[[nodiscard]] std::string matrix_svg(const shake::Report& report);
// The 81 shapes, and how many flows have each.
[[nodiscard]] std::string shapes_svg(const shake::Report& report);

}  // namespace poise::report
