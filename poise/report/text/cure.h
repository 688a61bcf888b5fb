#pragma once

// What would cure a fault, in a sentence: a concrete priority or a concrete change of a guard.
// Where no rule on the way changes the context, doing as told removes the example that the report
// shows; where an action does, the text says less.

#include <cstddef>
#include <string>

#include "poise/finding/groups.h"
#include "poise/model/model.h"

namespace poise::report {

// Longer than `room` columns only where there is nothing shorter to say.
[[nodiscard]] std::string cure(const model::Model& model, const finding::Group& group,
                               std::size_t room);

}  // namespace poise::report
