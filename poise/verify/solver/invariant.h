#pragma once

// What always holds in each state: as zones say it, in words of the model, and as conditions that a
// solver can check on its own.

#include <optional>
#include <string>
#include <vector>

#include "poise/smt/solver.h"
#include "poise/verify/zones/zones.h"

namespace poise::verify {

struct Invariants {
  Table<model::AtomId, model::Atom> atoms;
  Table<model::FormulaId, model::Formula> formulas;
  std::vector<model::FormulaId> by_state;  // over actual values; false where nothing gets
};

[[nodiscard]] Invariants invariants(const System& system, const ZoneSystem& zones,
                                    const std::vector<Zones>& by_state);

// A union of zones in words of the model: a condition for each, "disF > 0 and disF + disB <= 400",
// and the bounds of all of them.
[[nodiscard]] Invariant invariant_of(const System& system, const ZoneSystem& zones,
                                     model::StateId state, const Zones& union_of);

// It holds at the start, every step keeps it, and where it holds nothing fails. What is wrong with
// it, if something is; or why that is not known.
[[nodiscard]] std::optional<std::string> objection(const System& system,
                                                   const Invariants& invariants);

}  // namespace poise::verify
