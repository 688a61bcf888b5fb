#pragma once

// A system as constrained Horn clauses, for models that zones do not fit. Each state is a predicate
// over the values with which it can be reached; each move is a clause from one state to another, or
// to a failure. Spacer (smt/horn.h) finds an invariant, or a path that fails.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "poise/smt/horn.h"
#include "poise/verify/result.h"
#include "poise/verify/system/paths.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// A place where a failure is checked: what becomes a Hazard if it can happen.
struct Place {
  model::StateId state;
  std::size_t move = 0;
  std::size_t act = 0;
  model::FailureId failure;
};
[[nodiscard]] std::vector<Place> places_to_fail(const System& system);

// The question whether it can fail at one of these places. The system must outlive the clauses.
[[nodiscard]] smt::System clauses_of(const System& system, const std::vector<Place>& places);

struct Proof {
  Verdict verdict = Verdict::Unknown;
  std::vector<Hazard> hazards;        // each with a path, which need not be a shortest one
  std::vector<Place> without_path;    // it can fail there, but the solver shows no path
  std::vector<Invariant> invariants;  // if Safe, and if the language can say it
  bool checked = false;               // the invariant was confirmed by smt::check_invariant
  std::string why;                    // why some place, or all of it, is Unknown
};
// Asks about all places at once; if that gives no answer, about one place after another. With a
// limit on the work of the solver (smt::HornOptions) it asks only once, and Unsafe comes without
// hazards.
[[nodiscard]] Proof proof_by_clauses(const System& system, const Effort& effort,
                                     std::optional<unsigned> work = {});

// Of several invariants of the same predicates, each of which satisfies the clauses of a question
// about some places: the one that says all that they say, and so excludes all of these places.
[[nodiscard]] smt::Invariant conjunction(std::span<const smt::Invariant> invariants);

}  // namespace poise::verify
