#pragma once

// Whether one guard implies another, for words such as "whenever it holds".

#include <optional>

#include "poise/model/model.h"

namespace poise::report {

// Whether `second` holds in every feasible context in which `first` holds. A true answer is exact;
// a false one may ignore constraints if they are many. Nothing where the search would take longer
// than a hint is worth.
[[nodiscard]] std::optional<bool> implies(const model::Model& model, model::FormulaId first,
                                          model::FormulaId second);

}  // namespace poise::report
