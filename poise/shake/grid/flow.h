#pragma once

// What the environment does over time: one valid instance of the grid after another, each for a
// tick. A condition that is held for ten ticks is the same instance ten times.

#include <vector>

#include "poise/shake/grid/grid.h"

namespace poise::shake {

using Flow = std::vector<Instance>;

}  // namespace poise::shake
