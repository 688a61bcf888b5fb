#pragma once

// A system in the language of nuXmv: a state machine with real and whole numbers, errors and what
// the world is free to choose as inputs. NuSMV knows no real numbers; nuXmv needs a command for
// infinite domains:
//
//   nuXmv -int model.smv
//   go_msat
//   check_invar_ic3
//
// Each failure is a variable that is false as long as it has not happened, and an invariant says
// so.

#include <string>

#include "poise/verify/system/system.h"

namespace poise::verify {

[[nodiscard]] std::string smv_text(const System& system);

}  // namespace poise::verify
