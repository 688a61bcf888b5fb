#pragma once

// Text that people bring from elsewhere: a time of day, a percentage, a name with a dash in it, the
// marks of a merge conflict, YAML. None of it is ever a part of a correct model, so the lexer and
// the parser may look for it without changing what a text means. Offsets are bytes of the text.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "poise/base/source.h"

namespace poise::lang {

// How long the time of day is with which the text starts: `22:00`, `7:30:15`. 0 if there is none.
[[nodiscard]] std::size_t time_length(std::string_view text);
// What to write in its place. `before` is the text before it: behind `last` and the like it is
// meant to be a duration.
[[nodiscard]] std::string time_hint(std::string_view time, std::string_view before);

// The number before the `%` at this offset, if that is a percent sign and no remainder.
[[nodiscard]] std::optional<std::string_view> percentage(std::string_view text, std::uint32_t at);

// The end of a word that would be a name if names could have dashes and begin with digits:
// `front-door`, `2open`. Nothing for a proper name or a number.
[[nodiscard]] std::optional<std::uint32_t> odd_name_end(std::string_view text, std::uint32_t begin);
// The word that the name at a span is a part of, if dashes join it to other names and to nothing
// else: all of `front-door` for `door`, but nothing for the `x` of `x-5`.
[[nodiscard]] std::optional<Span> dashed_name(std::string_view text, Span name);
// `front_door`, `_2open`
[[nodiscard]] std::string proper_name(std::string_view odd_name);

// The sign of the mark of a merge conflict that starts at this offset: one of `<`, `|`, `=`, `>`.
[[nodiscard]] std::optional<char> conflict_mark(std::string_view text, std::uint32_t at);

// The end of the YAML that starts at this offset, which is the first of its line but for spaces;
// nothing if it does not look like what Home Assistant reads.
[[nodiscard]] std::optional<std::uint32_t> yaml_end(std::string_view text, std::uint32_t begin);

}  // namespace poise::lang
