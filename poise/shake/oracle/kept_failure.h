#pragma once

// A kept failure, called a *quake* on the command line: a flow that once failed, as a JSON text, so
// that it can be tried first from then on. The values are written out, not their indices, because a
// grid has other values when the policy has other constants.
//
//   {"model": "WebServer", "failure": "calm",
//    "flow": [{"ticks": 3, "density": 10, "dispersion": 0.3}, {"ticks": 1, "density": 1000, ...}]}
//
// `ticks` repeats a context. If a property is called `ticks`, the key means that property, and each
// tick is written by itself.

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
  std::string failure;  // its name: that of an expectation, for instance
  // By tick and property: a value as it is written in JSON, "null" for none.
  std::vector<std::vector<std::string>> contexts;
};

inline constexpr std::size_t kMostKeptTicks = 100'000;  // as many as a flow may have

// Fails unless each context has all properties of the grid and no others, with values of their
// kinds and within their ranges.
[[nodiscard]] Result<KeptFailure> kept_failure_from(std::string_view text, const Grid& grid);

// The grid with the values of the quake that it lacks appended, and the quake as a flow of that
// grid. Indices of the old grid mean the same in the new one, but values are not ascending any
// more. Fails if a context is not valid.
struct Replay {
  Grid grid;
  Flow flow;
};
[[nodiscard]] Result<Replay> replay_of(const KeptFailure& quake, const Grid& grid);

}  // namespace poise::shake
