#pragma once

// Diagnostics as text for a terminal:
//
//   unknown_name.poise:9:33: error: unknown variable `temprature` [unknown-name]
//    9 | rule cool: idle -> cooling when temprature > 26
//      |                                 ^^^^^^^^^^ did you mean `temperature`?
//    4 | sense temperature : int 5..40
//      |       ----------- declared here

#include <cstddef>
#include <string>

#include "poise/base/source.h"
#include "poise/diag/diagnostic.h"

namespace poise::diag {

enum class Color { No, Yes };

// Further diagnostics are only counted.
inline constexpr std::size_t kMaxShown = 100;

[[nodiscard]] std::string render(const Source& source, const Diagnostics& diagnostics,
                                 Color color = Color::No);

}  // namespace poise::diag
