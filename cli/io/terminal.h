#pragma once

// The environment of the process itself: whether its standard streams are terminals, how wide they
// are, and the variables that matter.

#include "cli/io/streams.h"

namespace poise::cli {

[[nodiscard]] Environment terminal_environment();

}  // namespace poise::cli
