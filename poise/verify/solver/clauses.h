#pragma once

// A system as constrained Horn clauses: for each state a predicate, the values with which it can be
// reached. For what zones do not fit, a solver finds invariants on its own (Spacer), or a path that
// fails.

#include <optional>
#include <string>
#include <vector>

#include "poise/base/budget.h"
#include "poise/smt/horn.h"
#include "poise/verify/result.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// One way to fail.
struct Place {
  model::StateId state;
  std::size_t move = 0;
  std::size_t act = 0;
  model::FailureId failure;
};
[[nodiscard]] std::vector<Place> places_to_fail(const System& system);

// Can it fail at one of these places? The system must outlive the clauses.
[[nodiscard]] smt::System clauses_of(const System& system, const std::vector<Place>& places);

struct Proof {
  Verdict verdict = Verdict::Unknown;
  std::vector<Hazard> hazards;        // with a path each, which need not be a shortest one
  std::vector<Invariant> invariants;  // Safe
  bool checked = false;               // by satisfiability alone
  std::string why;                    // Unknown
};
// With a limit on the work of the solver (smt::HornOptions), a system that can fail is called
// Unsafe without saying where.
[[nodiscard]] Proof proof_by_clauses(const System& system, const Budget& budget,
                                     std::optional<unsigned> work = {});

// A condition over slots in the language.
[[nodiscard]] std::string condition_text(const model::Model& model, const smt::Conditions& tables,
                                         model::FormulaId formula);

}  // namespace poise::verify
