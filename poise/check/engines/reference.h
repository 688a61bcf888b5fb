#pragma once

// The reference engine: the definitions of docs/findings.md, executed on every context, one after
// another. Slow and plain; the faster engines are tested against it. It shares nothing with them
// but the model, its propositional form and the choice of shadowing rules (smallest_cover).

#include "poise/check/options.h"

namespace poise::check {

// Refuses a model with too many contexts, rules or firings; the report says which limit it was.
[[nodiscard]] Report reference(const model::Model& model, const Options& options);

}  // namespace poise::check
