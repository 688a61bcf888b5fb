#pragma once

// The three classes of algorithms of the A-FSM paper: hybrid, symbolic and enumerative. They differ
// in how they represent sets of contexts, and give the same findings. docs/engines.md compares
// them. Numbers of algorithms in comments are those of the paper.

#include <vector>

#include "poise/check/engines/findings.h"
#include "poise/check/engines/prepared.h"

namespace poise::check {

struct Findings {
  std::vector<StateFindings> states;  // by state
  std::vector<bool> reachable;        // by state
  ChoiceFindings choices;
  PathFindings paths;
};

// Decision diagrams per state (Algorithms 7, 9, 11 and 13), each with its own variable order.
[[nodiscard]] Findings hybrid(const Prepared& prepared);

// One decision diagram for the whole model, the global activation relation (Algorithms 6, 8, 10 and
// 12).
[[nodiscard]] Findings symbolic(const Prepared& prepared);

// State matrices, row by row (Algorithms 2 to 5).
[[nodiscard]] Findings enumerative(const Prepared& prepared);

// The states from which races and cycles are to be listed, by Options::show.
[[nodiscard]] std::vector<bool> start_states(const Prepared& prepared,
                                             const std::vector<bool>& reachable);

}  // namespace poise::check
