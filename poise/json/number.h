#pragma once

// Numbers as JSON writes them: -12, 0.25, 7.2e-3.

#include <cstddef>
#include <optional>
#include <string_view>

#include "poise/base/rational.h"
#include "poise/base/result.h"

namespace poise::json {

// What is beyond these is a mistake, and would be slow to calculate with.
inline constexpr std::size_t kMaxDigits = 1000;
inline constexpr int kMaxExponent = 400;
// Even in nanoseconds since 1970; the durations of many are still finite.
inline constexpr double kMaxTime = 1e20;

// The length of the number that a text starts with; 0 if it starts with none.
[[nodiscard]] std::size_t number_length(std::string_view text);

// The exact value of a text that is a number.
[[nodiscard]] Result<Rational> exact_number(std::string_view text);

// Its nearest binary number, for times; nothing if it is too large.
[[nodiscard]] std::optional<double> nearest_number(std::string_view text);

}  // namespace poise::json
