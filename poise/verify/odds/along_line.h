#pragma once

// Recognises a part of an event that is a motion along a line: the environment chooses the start
// only, one noise after another moves the position, and every condition is about one position, as
// it is or as it is sensed. Then chance/path_on_line.h finds the worst start.

#include <optional>

#include "poise/chance/path_on_line.h"
#include "poise/verify/odds/independent_part.h"

namespace poise::verify {

// None if the part is no such motion.
[[nodiscard]] std::optional<chance::Line> line_of(const IndependentPart& part);

}  // namespace poise::verify
