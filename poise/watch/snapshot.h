#pragma once

// All that a monitor knows, as bytes, and back: a monitor that was restored says from then on what
// the other one would have said.
//
//   const std::string bytes = snapshot(monitor);
//   ...
//   Monitor again(model, options);
//   const Result<void> done = restore(again, bytes);
//
// The bytes hold what matters and nothing else, so two monitors that say the same from now on,
// whichever evaluators they have, have the same snapshot, and a restored one is smaller: elements
// that no window holds and nobody remembers, texts and numbers that nobody uses stay behind.
//
// Of the model they hold only what keeps them from being read with one of another shape: whoever
// keeps snapshots has to know which model they belong to, and also the options. The evaluation may
// be another one.

#include <string>
#include <string_view>

#include "poise/base/result.h"
#include "poise/watch/monitor.h"

namespace poise::watch {

[[nodiscard]] std::string snapshot(const Monitor& monitor);

// Into a monitor without instances. Any bytes may be given; where they are no snapshot of such a
// monitor, it stays as it is.
[[nodiscard]] Result<void> restore(Monitor& monitor, std::string_view bytes);

}  // namespace poise::watch
