#pragma once

// A flow that once failed, kept as a text, so that it is tried first from then on. The values are
// written out, not their indices: a grid has other values when the policy has other constants.
//
//   {"model": "WebServer", "failure": "calm",
//    "flow": [{"ticks": 3, "density": 10, "dispersion": 0.3}, {"ticks": 1, "density": 1000, ...}]}
//
// A property may be called `ticks`: then that is what it means, and each tick stands for itself.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/result.h"
#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

struct KeptFailure {
  std::string model;
  std::string failure;
  // By tick and property: a value as it is written in JSON, "null" for none.
  std::vector<std::vector<std::string>> contexts;
};

inline constexpr std::size_t kMostKeptTicks = 100'000;  // as many as a flow may have

// All properties of the grid, and no others; values of their kinds and within their ranges.
[[nodiscard]] Result<KeptFailure> kept_failure_from(std::string_view text, const Grid& grid);

// The grid with the values that the quake has beyond it, and the quake as a flow of that grid.
// Fails where a context is not valid.
struct Replay {
  Grid grid;
  Flow flow;
};
[[nodiscard]] Result<Replay> replay_of(const KeptFailure& quake, const Grid& grid);

}  // namespace poise::shake
