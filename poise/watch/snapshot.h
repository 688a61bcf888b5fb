#pragma once

// The state of a monitor as bytes, and back: a restored monitor reports from then on what the
// original would have reported.
//
//   const std::string bytes = snapshot(monitor);
//   ...
//   Monitor again(model, options);
//   const Result<void> done = restore(again, bytes);
//
// The bytes hold what matters and nothing else, so they do not depend on the evaluator, and a
// restored monitor may be smaller: elements that no window holds and nothing remembers, texts and
// numbers that no element uses are left out.
//
// Of the model they hold its shape only (how many states, rules and slots, the fields of streams,
// the windows), against being read with another one. The caller has to know to which model and
// which options a snapshot belongs. The evaluation may be another one.

#include <string>
#include <string_view>

#include "poise/base/result.h"
#include "poise/watch/monitor.h"

namespace poise::watch {

[[nodiscard]] std::string snapshot(const Monitor& monitor);

// Into a monitor without instances. Any bytes may be given: if they are no snapshot of such a
// monitor, it returns an error and the monitor stays as it is.
[[nodiscard]] Result<void> restore(Monitor& monitor, std::string_view bytes);

}  // namespace poise::watch
