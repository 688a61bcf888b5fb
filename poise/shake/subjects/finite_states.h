#pragma once

// Whether a policy has finitely many states, given finitely many contexts: then a search through
// all of them comes to an end (though perhaps not soon).
//
// History keeps a bounded number of numbers, and whole numbers between bounds are finitely many.
// What may go on for ever is a real number (or a whole one without bounds) that is calculated from
// its own former values: x := 0.9 * x + y. To keep one of several numbers, as max(x, y) does, makes
// no new ones. The answer errs on the side of no.

#include "poise/model/model.h"

namespace poise::shake {

[[nodiscard]] bool has_finitely_many_states(const model::Model& model);

}  // namespace poise::shake
