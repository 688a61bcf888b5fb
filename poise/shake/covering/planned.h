#pragma once

// A covering array by a plan: with sub-models and with negative values.
//
// Negative values: rows without any come first. Then, with at most one in a row, every tuple that
// has one.
//
// Sub-models: each is covered by itself, in its own strength. The rows that come out are the values
// of one new property, which is combined with everything outside of the sub-model. A constraint may
// leave a tuple out that only another row of the sub-model would have had, so whatever is missing
// of the tuples between sub-models is added at the end.
//
//   const Result<Covering> rows = planned_covering(grid, imported.plan, {.strength = 2});
//
// The counts of the result are those of tuples between sub-models and other properties.

#include "poise/shake/covering/tuples.h"
#include "poise/shake/grid/combination_plan.h"

namespace poise::shake {

// The grid must not have guards; `options` without `wanted` and `given`.
[[nodiscard]] Result<Covering> planned_covering(const Grid& grid, const CombinationPlan& plan,
                                                const TuplesOptions& options);

}  // namespace poise::shake
