#pragma once

// Makes the subject of a model or of a mutant: a PolicyMachine if it has a policy, else a
// RuleMachine. Neither keeps a reference to the model or the grid.

#include <memory>

#include "poise/model/model.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/mutants/mutants.h"
#include "poise/shake/subjects/stateful.h"

namespace poise::shake {

[[nodiscard]] std::unique_ptr<StatefulSubject> subject_of(const model::Model& model,
                                                          const Grid& grid);
[[nodiscard]] std::unique_ptr<StatefulSubject> subject_of(const Mutant& mutant, const Grid& grid);

}  // namespace poise::shake
