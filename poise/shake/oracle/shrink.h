#pragma once

// Shrinks a flow that fails to a small one that fails, too: one that a person can read and a
// regression test can replay.
//
//   const auto kills = [&](const Flow& flow) { … run both programs, compare … };
//   const Shrunk small = shrunk(grid, flow, kills);
//
// A flow is a row of *runs*: a context, and for how many ticks it is held. What is smaller comes
// first in this order:
//   changes    how often the context changes, and then how many properties change with it
//   ticks
//   distance   of the values of each run from the nominal ones, in steps on the grid
// The flow is cut after the first failure. Then runs are taken over by their neighbours or left
// out, from halves of the flow down to single runs (as in ddmin: Zeller and Hildebrandt, 2002).
// What still changes is compared with flows that do not, and with flows that change once. Then a
// property keeps its value where it can, runs get shorter, and values move towards nominal ones, of
// all runs that share a value and of single ones. All of that is repeated until nothing gets
// smaller. Every flow that is tried is made of valid instances.
//
// In the result no run can give way to a neighbour, no tick can be left out, and no value can move
// a step towards the nominal one. If it changes at all, then no constant flow of `most_ticks` fails
// as far as contexts could be tried: all of them if they are few, else those of the flow. Shrinking
// it again gives the same. All this holds unless executions ran out. No flow is executed twice.

#include <cstddef>
#include <functional>
#include <vector>

#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

struct ShrinkOptions {
  std::size_t most_executions = 20'000;
  std::size_t most_ticks = 0;  // of flows that change less; 0: as many as the flow that is given
  // By property, its nominal value. Empty: of a number the one nearest to the middle of its range,
  // of others the first.
  std::vector<Index> nominal = {};
};

struct Shrunk {
  Flow flow;
  std::size_t executions = 0;
  bool is_minimal = true;  // false: executions ran out
};

// `fails` says whether a flow fails: the same for the same flow, and true for the one given (which
// otherwise is returned as it is). The empty flow never fails.
[[nodiscard]] Shrunk shrunk(const Grid& grid, const Flow& flow,
                            const std::function<bool(const Flow&)>& fails,
                            const ShrinkOptions& options = {});

}  // namespace poise::shake
