#pragma once

// What cannot be, whatever the environment does. The AFChecker paper asks it of pairs of atoms that
// look at the same variable or sensor (its Fig. 4); types and constraints as a whole say more.

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

// Every truth of two atoms over a common variable or source that types and guards rule out, sorted.
// Constraints that the user wrote are not looked at. Fails where a budget ends.
[[nodiscard]] Result<std::vector<Exclusion>> exclusions(const model::Model& model, Budget budget);

// By case: the first exclusion that it violates, as an index.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> pruned_by_pairs(
    std::span<const finding::Case> cases, std::span<const Exclusion> exclusions);

// Faults together with their cases.
struct Reported {
  std::span<const finding::Fault> faults;
  std::span<const finding::Case> cases;
};

// By case of what was reported with atoms taken as independent: the same case among what is
// possible when types, guards and constraints are respected, as an index. None: it is pruned
// exactly. (A situation can be possible although the fault is not possible in it, because of atoms
// that it is not counted over.)
[[nodiscard]] std::vector<std::optional<std::uint32_t>> possible_cases(const Reported& reported,
                                                                       const Reported& possible);

}  // namespace poise::rank
