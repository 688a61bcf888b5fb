#pragma once

// The paper's search (its listing 2), with its defects mended: distances without units, named
// weights, shares instead of counts, pairs that are possible.
//
// Round by round a local search gives a flow. A flow that raises the global objective, by pairs or
// shapes that no flow before it had, joins the solution; another one waits in a memory for some
// rounds, during which it may still join. The instances of the solution are what local searches
// move away from.

#include "poise/shake/flows/search.h"

namespace poise::shake {

// For a grid with at least one valid instance.
[[nodiscard]] GeneratedFlows paper_flows(const Grid& grid, const SearchOptions& options);

}  // namespace poise::shake
