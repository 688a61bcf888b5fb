#pragma once

// Confirms a certificate: the conditions under which its invariants prove what is claimed, built
// from the model alone and put to a solver.
//
//   - the start: whatever the declarations allow, with constraints and `start`, satisfies the
//     condition of the initial state;
//   - failures: where the condition of a state and all constraints hold and a rule of the state
//     fires, no failure is there after any of its actions;
//   - steps: and the values after its last action satisfy the condition of its target.
//
// If all of them hold, no run of any length fails. This is a second, plain encoding of what
// docs/language.md (section 9) and docs/verify.md ("What a run is") say; it shares nothing with
// verify/system, zones or solver, so that a mistake there does not confirm itself. It is written to
// be obviously right, not to be fast.

#include "poise/base/budget.h"
#include "poise/verify/certificate/opened.h"
#include "poise/verify/result.h"

namespace poise::verify {

[[nodiscard]] Confirmation confirm(const Opened& opened, const Limits& limits = {});

}  // namespace poise::verify
