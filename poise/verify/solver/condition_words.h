#pragma once

// The invariants that Spacer finds, in the language. They are over the seen values of slots
// (System::seen), as numbers; the language knows members and variables without a value instead, so
// an atom over those is written for each case by itself.

#include <optional>

#include "poise/smt/solver.h"
#include "poise/verify/result.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// None if it would be very long.
[[nodiscard]] std::optional<Invariant> invariant_of(const System& system, model::StateId state,
                                                    const smt::Conditions& conditions,
                                                    model::FormulaId formula);

}  // namespace poise::verify
