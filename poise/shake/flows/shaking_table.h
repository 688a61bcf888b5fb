#pragma once

// The paper's search (its listing 2), with its defects mended: distances without units, named
// weights, shares instead of counts, feasible pairs instead of all pairs.
//
// Each round a local search (tabu.h) improves a random flow. A flow that raises the global
// objective (objectives.h), by pairs or shapes that no flow before it had, joins the solution. Any
// other waits for some rounds, in each of which it may still join, as in the paper. (With this
// objective it never does: the more the solution covers, the less a flow adds.) Local searches move
// away from instances that the solution has. The search ends when there are enough flows, or after
// too many rounds in a row without one that joined.

#include "poise/shake/flows/search.h"

namespace poise::shake {

// For a grid with at least one valid instance.
[[nodiscard]] GeneratedFlows paper_flows(const Grid& grid, const SearchOptions& options);

}  // namespace poise::shake
