#pragma once

// Hints about the subject for a generator (SearchOptions): how long it waits, and what it did in a
// flow.

#include <cstddef>
#include <vector>

#include "poise/model/policy.h"
#include "poise/shake/flows/search.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

// The waits of a policy and of its expectations, in ticks, ascending: holds, windows, cooldowns.
// `stable within D` waits for D and the longest wait of the policy, because a variant that is not
// stable changes at the end of one more wait. `at most N changes in D` is no wait.
[[nodiscard]] std::vector<std::size_t> dwells_of(const model::Policy& policy);

// A function that runs the subject through a flow and gives numbers for what happened at each tick:
// for the variant, for the variant together with the cell of the context, and for each option or
// rule that acted. The same number always stands for the same thing. Keeps references to both.
[[nodiscard]] Behaviour behaviour_of(Subject& subject, const Grid& grid);

}  // namespace poise::shake
