#pragma once

// The default generator: flows of all kinds, in an order that is diverse from the start.
//
// Kinds take turns, in a fixed cycle of 17: flows that cover and flows that hold boundary values
// (both dwell_flows.h), flows of the shape library (shapes.h), and a refined elite. Each flow that
// is handed out is the best of several candidates: the one that shows most deviations
// (deviations.h) that no flow has shown yet, if the caller has some; among equals, of holds the one
// in which the subject does what it seldom did, of library flows the one that adds most.
//
// What a flow *adds*, a weighted sum of shares: new pairs, new turns (transitions between cells of
// the grid), a new shape, and, where the caller can tell, behaviour of the subject that is new.
//
// Elites: an archive has a place for each of the 81 shapes (MAP-Elites). Library flows that were
// not handed out compete for the place of their shape by what they add; a flow that was handed out
// only fills an empty place, and gives way to any other. On the elite's turn, up to eight elites,
// those refined least often, are refined by tabu search for pairs and turns that are still missing;
// then the elite that adds most is handed out.

#include "poise/shake/flows/search.h"

namespace poise::shake {

// For a grid with at least one valid instance.
[[nodiscard]] GeneratedFlows portfolio_flows(const Grid& grid, const SearchOptions& options);

}  // namespace poise::shake
