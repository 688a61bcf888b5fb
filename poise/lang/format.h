#pragma once

// The one canonical layout of a model's text (`poise fmt`). Works on the tokens, so nothing but
// white space changes: comments stay where they belong and the meaning cannot.

#include <optional>
#include <string>
#include <string_view>

namespace poise::lang {

// Nothing if the text does not parse. format(*format(text)) == *format(text).
[[nodiscard]] std::optional<std::string> format(std::string_view text);

}  // namespace poise::lang
