#pragma once

// Where a long report goes, piece by piece, so that it need not be in memory as a whole.

#include <functional>
#include <string_view>

namespace poise::report {

using Sink = std::function<void(std::string_view)>;

}  // namespace poise::report
