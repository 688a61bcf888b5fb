#pragma once

// The conditions that a fault takes as free (finding/assumed.h), for people.

#include <cstddef>
#include <span>
#include <string>

#include "poise/model/model.h"

namespace poise::report {

// "A; B": the first few of them, or in more than about `room` columns their number. Empty for none.
[[nodiscard]] std::string free_conditions_text(const model::Model& model,
                                               std::span<const model::AtomId> free,
                                               std::size_t room);

}  // namespace poise::report
