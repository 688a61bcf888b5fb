#pragma once

// What is suspicious about the world of a model, although it can be verified: parts of it that say
// nothing. They make a model safe that its author did not mean.

#include <string>
#include <vector>

#include "poise/base/source.h"
#include "poise/model/model.h"

namespace poise::verify {

struct Remark {
  Position at;
  std::string text;  // as messages are: in lower case, code in backticks, without a full stop
};

// By place in the text:
//   - a failure after an action that no rule does;
//   - an action, or a failure, whose condition no values satisfy, in their ranges or not;
//   - constraints that nothing satisfies.
// Only what a solver is sure of within a second.
[[nodiscard]] std::vector<Remark> remarks(const model::Model& model);

}  // namespace poise::verify
