#pragma once

#include <limits>

namespace poise {

// Of doubles: the ends of ranges that have none.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace poise
