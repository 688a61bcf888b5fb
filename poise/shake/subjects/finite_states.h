#pragma once

// Whether a policy has finitely many states, given finitely many contexts. Then a search through
// all states ends (though perhaps not soon).
//
// History keeps a bounded number of numbers, and there are finitely many whole numbers between two
// bounds. Only a real number (or a whole one without bounds) that is calculated from its own
// earlier values can take infinitely many: x := 0.9 * x + y. An operator that only selects one of
// several numbers, such as max(x, y), makes no new ones. The answer errs on the side of no.

#include "poise/model/model.h"

namespace poise::shake {

[[nodiscard]] bool has_finitely_many_states(const model::Model& model);

}  // namespace poise::shake
