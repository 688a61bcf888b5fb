#pragma once

// A model as something to shake: its policy if it has one, else its states and rules.

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
