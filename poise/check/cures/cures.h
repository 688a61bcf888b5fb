#pragma once

// Cures for the faults that a text report shows, each tried (trial.h): alone, and together with all
// cures of earlier faults. Of several changes that are cures, the one is taken that sends the
// fewest situations elsewhere.

#include <vector>

#include "poise/base/budget.h"
#include "poise/check/options.h"
#include "poise/check/result.h"

namespace poise::check {

// In the order of text reports. `model` is the one that was checked: the user's, or its
// propositional form. How much is tried depends on the size of the model and of the report, so that
// it takes no longer than the check did; `budget` is only a further limit.
[[nodiscard]] std::vector<finding::Treatment> treatments(const model::Model& model,
                                                         const Options& options,
                                                         const Report& report, Budget budget);

}  // namespace poise::check
