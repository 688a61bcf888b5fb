#pragma once

// What happens in the world of a system: which guards hold on what is sensed, which rules fire,
// which of their acts happen, and where rules lead out of constraints. Engines note it while they
// search; vacuous() reads from it what never happens. A safe model in which the dangerous rule
// never fires is safe for a reason that its author may not have intended.
//
// Whatever is noted happens. What is not noted does not happen only if the search was complete.

#include <cstddef>
#include <vector>

#include "poise/verify/result.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

struct Happenings {
  struct OfMove {
    bool holds = false;  // its guard, on some reading, whatever stronger guards say
    bool fires = false;
    std::size_t acts = 0;      // so many of its acts happen, from the first on
    std::vector<bool> leaves;  // by System::always: it leads out of this constraint
  };
  std::vector<bool> looks;                 // by state: the application looks at its sensors there
  std::vector<std::vector<OfMove>> moves;  // by state, as System::moves
};

// Nothing happens yet.
[[nodiscard]] Happenings nothing_happens(const System& system);

// Whether it makes sense to ask if the move leads out of a constraint (an index of System::always):
// its acts change variables that the constraint reads, and none that it reads is left open at the
// end. What an act leaves open the world chooses, and it chooses what can happen. Never with
// AsPrinted, where constraints are about values that nothing ties to each other.
[[nodiscard]] bool may_leave(const System& system, const Move& move, std::size_t constraint);

// What never happens: rules, guards, actions, then failures, each by position in the text.
[[nodiscard]] std::vector<Vacuous> vacuous(const System& system, const Happenings& all);

// Where rules lead out of constraints, by constraint, then by state and rule.
[[nodiscard]] std::vector<Departure> departures(const System& system, const Happenings& all);

}  // namespace poise::verify
