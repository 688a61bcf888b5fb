#pragma once

// From a flow that fails to a small one that fails, too: what a person wants to read, and a unit
// test wants to replay.
//
//   const auto kills = [&](const Flow& flow) { … run both programs, compare … };
//   const Shrunk small = shrunk(grid, flow, kills);
//
// It is cut after the first failure; instances are left out as long as it fails (Zeller and
// Hildebrandt's ddmin, 2002); then values move to the origin, or as near to it as they can, first
// together as long as a property is held, then one by one. All of that is repeated until nothing
// changes. Every flow that is tried is made of valid instances.
//
// The result is *1-minimal*: without any one of its instances it does not fail, and no value can
// move a step towards the origin alone. Shrinking it again gives the same. All this holds unless
// the number of executions ran out; a flow that was tried is not executed again.

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
