#pragma once

// The makers behind mutants.h, each for the groups it knows; ids are given later.

#include <vector>

#include "poise/shake/mutants/mutants.h"

namespace poise::shake {

[[nodiscard]] std::vector<Mutant> paper_mutants(const model::Model& model, const Grid& grid,
                                                MutantGroup group);
[[nodiscard]] std::vector<Mutant> policy_mutants(const model::Model& model, MutantGroup group);
[[nodiscard]] std::vector<Mutant> rule_mutants(const model::Model& model, MutantGroup group);

}  // namespace poise::shake
