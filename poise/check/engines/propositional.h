#pragma once

// The model as the papers see it: every atom is a boolean variable of its own, whatever it says.
// Types, ranges and constraints no longer rule anything out (`--ignore constraints`).

#include "poise/model/model.h"

namespace poise::check {

// States, rules, atoms and formulas keep their ids; slot i is atom i. An action sets the atoms over
// the variable it assigns. An atom that reads other variables too, or that reads a variable behind
// a guard which the action makes true, may become true or false.
[[nodiscard]] model::Model propositional(const model::Model& model);

}  // namespace poise::check
