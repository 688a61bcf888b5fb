#pragma once

// Graphviz, the program that lays out diagrams: `dot`, run as a child process without a shell.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "poise/base/result.h"

namespace poise::cli {

// The picture of a diagram in the DOT language, as SVG. Nothing if the time limit was reached.
// Fails if Graphviz is not installed or reports an error.
[[nodiscard]] Result<std::optional<std::string>> svg_of(std::string_view dot,
                                                        std::chrono::milliseconds time_limit);

}  // namespace poise::cli
