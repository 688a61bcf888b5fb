#pragma once

// How much memory the process uses, for `--memory-limit`.

#include <cstddef>

namespace poise::cli {

// In bytes, of what is in RAM; 0 where the system does not say.
[[nodiscard]] std::size_t resident_memory();

}  // namespace poise::cli
