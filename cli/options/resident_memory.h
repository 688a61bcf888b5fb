#pragma once

// How much memory the process uses, for `--memory-limit`.

#include <cstddef>

namespace poise::cli {

// Resident set size in bytes; 0 where the system does not tell.
[[nodiscard]] std::size_t resident_memory();

}  // namespace poise::cli
