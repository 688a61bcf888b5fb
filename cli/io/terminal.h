#pragma once

// What the process's own standard streams are connected to.

#include "cli/io/streams.h"

namespace poise::cli {

[[nodiscard]] Environment terminal_environment();

}  // namespace poise::cli
