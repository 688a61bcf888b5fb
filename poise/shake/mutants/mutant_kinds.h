#pragma once

// The three makers behind mutants_of(): the paper's groups, and the usual ones for policies and for
// rules. Each gives nothing for a group that it does not know. Ids are given by mutants_of().

#include <vector>

#include "poise/shake/mutants/mutants.h"

namespace poise::shake {

[[nodiscard]] std::vector<Mutant> paper_mutants(const model::Model& model, const Grid& grid,
                                                MutantGroup group);
[[nodiscard]] std::vector<Mutant> policy_mutants(const model::Model& model, MutantGroup group);
[[nodiscard]] std::vector<Mutant> rule_mutants(const model::Model& model, MutantGroup group);

}  // namespace poise::shake
