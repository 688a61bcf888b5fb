#pragma once

// Where the grid of a mission needs nodes.

#include <vector>

#include "poise/verify/mission/numbers.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// Numbers at which conditions on actual values change their truth, by axis; and where the
// probability of a reading bends.
struct Borders {
  std::vector<std::vector<double>> marks;
  std::vector<std::vector<double>> nodes;
};
[[nodiscard]] Borders borders_of(const System& system, const MissionNumbers& numbers);

}  // namespace poise::verify
