#pragma once

// The inductive invariant that reached() has found, in two forms: as text for the report, and as
// conditions that a solver checks independently, so that a verdict Safe does not rest on octagons
// alone.

#include <optional>
#include <string>
#include <vector>

#include "poise/smt/solver.h"
#include "poise/verify/zones/zones.h"

namespace poise::verify {

struct Invariants {
  Table<model::AtomId, model::Atom> atoms;
  Table<model::FormulaId, model::Formula> formulas;
  std::vector<model::FormulaId> by_state;  // over actual values; false if it cannot be reached
};

[[nodiscard]] Invariants invariants(const System& system, const ZoneSystem& zones,
                                    const std::vector<Zones>& by_state);

// A union of zones as text: a condition for each zone, "disF > 0 and disF + disB <= 400", and the
// bounds that all of them have in common (zone_words.cpp).
[[nodiscard]] Invariant invariant_of(const System& system, const ZoneSystem& zones,
                                     model::StateId state, const Zones& union_of);

// Checks with a solver that the invariant holds at the start, that every step keeps it, and that
// nothing fails where it holds. None if all of that is proved; otherwise the first thing that is
// not.
[[nodiscard]] std::optional<std::string> objection(const System& system,
                                                   const Invariants& invariants,
                                                   Watchdog* watchdog = nullptr);

}  // namespace poise::verify
