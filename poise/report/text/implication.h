#pragma once

// Whether one guard implies another, so that a cure does not kill the rule it is meant to save.

#include <optional>

#include "poise/model/model.h"

namespace poise::report {

// Whether every feasible context in which `first` holds lets `second` hold as well. Decided by
// trying one context for each distinguishable part of what the two read; none where there are more
// parts than a hint is worth.
[[nodiscard]] std::optional<bool> implies(const model::Model& model, model::FormulaId first,
                                          model::FormulaId second);

}  // namespace poise::report
