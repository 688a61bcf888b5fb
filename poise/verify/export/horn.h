#pragma once

// The question whether a system can ever fail, as constrained Horn clauses in SMT-LIB 2, for Z3
// (Spacer), Eldarica or Golem: one predicate for each state, over the values with which it can be
// reached; clauses for the start, for each move, and for each failure. "sat" means that there are
// such predicates, an invariant, so that nothing ever fails; "unsat" that something can.

#include <string>

#include "poise/verify/system/system.h"

namespace poise::verify {

[[nodiscard]] std::string horn_text(const System& system);

}  // namespace poise::verify
