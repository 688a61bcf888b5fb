#pragma once

// Shrinks a flow that fails to a small one that fails, too: one that a person can read and a
// regression test can replay.
//
//   const auto kills = [&](const Flow& flow) { … run both programs, compare … };
//   const Shrunk small = shrunk(grid, flow, kills);
//
// The flow is cut after the first failure. Instances are left out as long as it fails (ddmin:
// Zeller and Hildebrandt, 2002). Then values move to the origin, or as near to it as they can:
// first all values of a hold together, then one by one. All of that is repeated until nothing
// changes. Every flow that is tried is made of valid instances.
//
// The result is *1-minimal*: without any one of its instances it does not fail, and no value alone
// can move a step towards the origin. Shrinking it again gives the same. All this holds unless
// executions ran out. No flow is executed twice.

#include <cstddef>
#include <functional>

#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

struct ShrinkOptions {
  std::size_t most_executions = 20'000;
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
