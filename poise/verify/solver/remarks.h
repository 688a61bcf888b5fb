#pragma once

// Warnings about the world of a model: parts of it that have no effect. The model can be verified,
// but it may be safe for a reason that its author did not intend.

#include <string>
#include <vector>

#include "poise/base/source.h"
#include "poise/base/watchdog.h"
#include "poise/model/model.h"

namespace poise::verify {

struct Remark {
  Position at;
  std::string text;  // like a diagnostic: lower case, code in backticks, no full stop
};

// By position in the text:
//   - a failure after an action that no rule does;
//   - an action, or a failure, whose condition no values satisfy, in their ranges or not;
//   - constraints that nothing satisfies.
// Only what the solver can prove within a second for each question, and before the watchdog barks.
[[nodiscard]] std::vector<Remark> remarks(const model::Model& model, Watchdog* watchdog = nullptr);

}  // namespace poise::verify
