#pragma once

// Flows of all kinds, in an order that is diverse from the start (the default generator).
//
// Kinds take turns: a flow that covers (random instances, each the best of some for new pairs and
// turns), one that holds boundary values, one of the shape library. Each is the best of some: the
// one that shows most deviations (deviations.h) that none before it has shown, where the caller has
// some, and then the one that adds most. All that is made, handed out or not, competes for the 81
// cells of an archive of shapes (MAP-Elites): a cell keeps the flow that covers most. Every now and
// then some elites are refined by tabu search for pairs and turns that are still missing, and the
// elite that adds most is handed out next. What a flow adds: new pairs, new turns from cell to cell
// of the grid, a new shape, and, where the caller can tell, what the subject never did before.

#include "poise/shake/flows/search.h"

namespace poise::shake {

// For a grid with at least one valid instance.
[[nodiscard]] GeneratedFlows portfolio_flows(const Grid& grid, const SearchOptions& options);

}  // namespace poise::shake
