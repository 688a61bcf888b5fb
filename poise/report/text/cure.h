#pragma once

// A sentence that says how to cure a fault, with a concrete priority or a concrete change of a
// guard: "give ActivateHome priority 3", "add `and not clock >= 690` to ActivateMeeting". If no
// rule on the path changes the context, following it removes the example that the report shows. If
// an action does, the effect of a change is hard to foresee, and the sentence promises less.

#include <cstddef>
#include <string>

#include "poise/finding/groups.h"
#include "poise/model/model.h"

namespace poise::report {

// Longer than `room` columns only where there is no shorter wording.
[[nodiscard]] std::string cure(const model::Model& model, const finding::Group& group,
                               std::size_t room);

}  // namespace poise::report
