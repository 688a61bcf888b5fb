#pragma once

// What happens in any number of steps (system/happenings.h), for models that zones do not fit: one
// question to the Horn solver for each thing that may happen.

#include <optional>

#include "poise/verify/system/happenings.h"
#include "poise/verify/system/paths.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// None if the solver does not know some answer, or has no time left for it.
[[nodiscard]] std::optional<Happenings> happenings_by_clauses(const System& system,
                                                              const Effort& effort);

}  // namespace poise::verify
