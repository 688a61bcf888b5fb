#pragma once

// The numbers that stand in declarations: bounds, weights, durations.

#include <optional>
#include <string>
#include <string_view>

#include "poise/lang/reader.h"
#include "poise/lang/syntax.h"

namespace poise::lang {

// A number, perhaps with a sign. `what` says in a message what is missing: "a weight".
[[nodiscard]] std::optional<Bound> read_bound(Reader& reader, std::string_view what,
                                              std::string hint);

// LOW..HIGH behind the word `int` or `real`.
[[nodiscard]] std::optional<NumberType> read_range(Reader& reader, std::string_view word);

// A number with a unit, more than 0; `shape` says how it is written here: "it is written `tick
// 1s`".
[[nodiscard]] std::optional<Bound> read_duration(Reader& reader, std::string_view shape);

// A number of seconds that is no length of time, put into words; nothing if all is well. `text` is
// the number as written.
[[nodiscard]] std::optional<diag::Diagnostic> wrong_duration(std::string_view text,
                                                             const Rational& seconds, Span span);

}  // namespace poise::lang
