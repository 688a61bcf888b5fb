#pragma once

// What a generator can be told about the subject (SearchOptions): how long it waits, and what it
// does.

#include <cstddef>
#include <vector>

#include "poise/model/policy.h"
#include "poise/shake/flows/search.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

// How many ticks something in the policy takes, or in what is expected of it: holds, windows,
// cooldowns. Ascending.
[[nodiscard]] std::vector<std::size_t> dwells_of(const model::Policy& policy);

// Of every tick: the variant, the variant with the cell of the context, and what acted. Keeps
// references to both.
[[nodiscard]] Behaviour behaviour_of(Subject& subject, const Grid& grid);

}  // namespace poise::shake
