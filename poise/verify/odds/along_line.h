#pragma once

// A part of an event as a motion along a line, if it is one: the environment chooses the start, one
// noise after the other moves it, and every condition is about one position, as it is or as it is
// sensed. Then line.h knows the worst start.

#include <optional>

#include "poise/chance/path_on_line.h"
#include "poise/verify/odds/independent_part.h"

namespace poise::verify {

[[nodiscard]] std::optional<chance::Line> line_of(const IndependentPart& part);

}  // namespace poise::verify
