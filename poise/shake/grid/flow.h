#pragma once

// A flow is what the environment does over time: one valid instance of the grid for each tick. A
// context that is held for ten ticks is the same instance ten times.

#include <vector>

#include "poise/shake/grid/grid.h"

namespace poise::shake {

using Flow = std::vector<Instance>;

}  // namespace poise::shake
