#include "poise/verify/zones/noting.h"

#include <algorithm>

namespace poise::verify {

ZoneNotes::ZoneNotes(const System& system, const ZoneSystem& zones, Budget& budget)
    : system_(system), zones_(zones), budget_(budget), all_(nothing_happens(system)) {}

void ZoneNotes::note(const Zones& before, model::StateId state) {
  if (!all_.looks[state.index]) all_.looks[state.index] = zones_.looks(before, budget_);
}

void ZoneNotes::note(const Zones& before, model::StateId state, std::size_t move,
                     const ZoneSystem::Outcome& outcome) {
  Happenings::OfMove& known = all_.moves[state.index][move];
  known.fires = known.fires || outcome.fires;
  known.holds = known.holds || outcome.fires || zones_.holds(before, state, move, budget_);
  known.acts = std::max(known.acts, outcome.acts);
  for (std::size_t i = 0; i < known.leaves.size(); ++i) {
    if (known.leaves[i] || !may_leave(system_, system_.moves[state.index][move], i)) continue;
    known.leaves[i] = zones_.leave(outcome.after, i, budget_);
  }
}

}  // namespace poise::verify
