#pragma once

// A system in the language of nuXmv: a state machine with real and whole numbers, with errors and
// free choices of the world as inputs. NuSMV has no real numbers; nuXmv needs a command for
// infinite domains:
//
//   nuXmv -int model.smv
//   go_msat
//   check_invar_ic3
//
// Each failure is a boolean variable that becomes true when it happens, and an INVARSPEC asks
// whether it stays false.

#include <string>

#include "poise/verify/system/system.h"

namespace poise::verify {

[[nodiscard]] std::string smv_text(const System& system);

}  // namespace poise::verify
