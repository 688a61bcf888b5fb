#pragma once

// The propositional form of a model, as the papers see it (`--ignore constraints`): every atom is
// an independent boolean variable, whatever it says. Types, ranges and constraints no longer rule
// anything out; `speed > 70` and `not speed > 5` can hold together.

#include "poise/model/model.h"

namespace poise::check {

// States, rules, atoms and formulas keep their ids; slot i stands for atom i. An action sets the
// atoms that read the variable it assigns. Two kinds of atoms it frees instead, so that they may
// become true or false: those that read other variables too, and those that read a variable behind
// a guard which the action makes true.
[[nodiscard]] model::Model propositional(const model::Model& model);

}  // namespace poise::check
