#pragma once

// The reference engine: every fault by definition, on every context, one after another. Slow, plain
// and right; every faster engine is compared with it.

#include "poise/check/options.h"

namespace poise::check {

// Refuses a model with too many contexts: then the report is empty and says how many there are.
[[nodiscard]] Report reference(const model::Model& model, const Options& options);

}  // namespace poise::check
