#pragma once

// Expressions of policies as text in the language, for descriptions of mutants.

#include <string>

#include "poise/model/model.h"

namespace poise::shake {

// With as few parentheses as possible. A comparison reads as in the source: the model has `a > b`
// as b < a.
[[nodiscard]] std::string to_text(const model::Model& model, model::PolicyExprId expr);

// A duration: 90s, 0.35s.
[[nodiscard]] std::string seconds_text(const Rational& seconds);

}  // namespace poise::shake
