#pragma once

// Expressions of policies in the language, for people.

#include <string>

#include "poise/model/model.h"

namespace poise::shake {

// With as few parentheses as it takes. Comparisons are turned as they stood in the text.
[[nodiscard]] std::string to_text(const model::Model& model, model::PolicyExprId expr);

// 90s, 0.35s: durations.
[[nodiscard]] std::string seconds_text(const Rational& seconds);

}  // namespace poise::shake
