#pragma once

// Pictures of shaking, as SVG: a flow over time with the variants of the subject, a failure before
// and after shrinking, the matrix of mutants and flows, and the shapes of the flows.

#include <cstddef>
#include <string>

#include "poise/shake/result.h"

namespace poise::report {

// Bands over time, one below the other: the distance of the context from its origin, with smooth
// steps in green, moderate ones in grey and violent ones in red; then each property; then each
// field of the variant.
[[nodiscard]] std::string flow_svg(const shake::Report& report, std::size_t flow);
// Two such pictures: the flow as it was found, and the smallest one that fails in the same way.
[[nodiscard]] std::string failure_svg(const shake::Report& report, const shake::Failing& failing);
// A row for each mutant, a column for each flow. The darker a cell, the earlier the flow kills the
// mutant; an equivalent mutant has a grey row. The report must have mutants.
[[nodiscard]] std::string matrix_svg(const shake::Report& report);
// The 81 shapes of flows (shake/flows/metrics.h), with the number of flows of each.
[[nodiscard]] std::string shapes_svg(const shake::Report& report);

}  // namespace poise::report
