#pragma once

// What a fault takes for granted. `check` cannot see whether conditions over windows of streams,
// and calls of external functions, exclude each other: it takes them as free (model/latest.h). A
// fault that depends on such a condition occurs if the condition can be as it says.

#include <vector>

#include "poise/finding/finding.h"
#include "poise/model/model.h"

namespace poise::finding {

// The free atoms that its condition reads; if that is not known, those of all rules of the states
// that it visits. None for a fault that says that something cannot be, such as a dead rule: where
// more is taken to be possible, it is impossible all the more. Sorted.
[[nodiscard]] std::vector<model::AtomId> assumed_free(const model::Model& model,
                                                      const Fault& fault);

// The same for a rule that may set off another at once: those of the rule and of the rules of the
// state that it leads to.
[[nodiscard]] std::vector<model::AtomId> assumed_free(const model::Model& model,
                                                      model::RuleId unstable);

}  // namespace poise::finding
