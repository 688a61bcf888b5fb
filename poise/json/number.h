#pragma once

// Numbers as JSON writes them: -12, 0.25, 7.2e-3. Values of a context are read exactly, as
// rationals; times may be read as the nearest double.

#include <cstddef>
#include <optional>
#include <string_view>

#include "poise/base/rational.h"
#include "poise/base/result.h"

namespace poise::json {

// A number beyond these is a mistake, and would be slow to calculate with.
inline constexpr std::size_t kMaxDigits = 1000;
inline constexpr int kMaxExponent = 400;
// Enough for nanoseconds since 1970, and small enough that sums of many durations are finite.
inline constexpr double kMaxTime = 1e20;

// The length of the number that a text starts with; 0 if it starts with none.
[[nodiscard]] std::size_t number_length(std::string_view text);

// The exact value of a text that is a number (number_length() is its size). An error if it has too
// many digits or too large an exponent.
[[nodiscard]] Result<Rational> exact_number(std::string_view text);

// The double that is nearest to a text that is a number, for times; nothing if it is beyond
// kMaxTime.
[[nodiscard]] std::optional<double> nearest_number(std::string_view text);

}  // namespace poise::json
