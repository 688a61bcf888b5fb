#pragma once

// Deterministic constraints: situations that are impossible, whatever the environment does. The
// cases in them are pruned. The AFChecker paper finds them for pairs of atoms that read the same
// variable or sensor (its Fig. 4). Types and constraints as a whole rule out more; both ways are
// here.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/base/budget.h"
#include "poise/base/result.h"
#include "poise/finding/case.h"
#include "poise/finding/finding.h"
#include "poise/model/model.h"
#include "poise/rank/result.h"

namespace poise::rank {

// Every pair of literals, over atoms with a common variable or sensor, that types and guards rule
// out; sorted. Constraints that the user wrote are not taken into account. Fails if the budget is
// exhausted.
[[nodiscard]] Result<std::vector<Exclusion>> exclusions(const model::Model& model, Budget budget);

// By case: the index of the first exclusion that it violates; none if it violates none.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> pruned_by_pairs(
    std::span<const finding::Case> cases, std::span<const Exclusion> exclusions);

// Faults together with their cases.
struct Reported {
  std::span<const finding::Fault> faults;
  std::span<const finding::Case> cases;
};

// Exact pruning. `reported` are the cases that `check` finds with atoms as independent booleans,
// `possible` those that it finds with types, guards and constraints respected. For each reported
// case: the index of the same case among the possible ones; none if it is pruned. (It is not enough
// to ask whether the situation is possible: atoms that are not counted can still rule out the fault
// in it.)
[[nodiscard]] std::vector<std::optional<std::uint32_t>> possible_cases(const Reported& reported,
                                                                       const Reported& possible);

}  // namespace poise::rank
