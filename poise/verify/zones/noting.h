#pragma once

// Notes what happens (system/happenings.h) while zones are explored. What is known already is not
// worked out again, so that it costs little.

#include <cstddef>
#include <utility>

#include "poise/verify/system/happenings.h"
#include "poise/verify/zones/zones.h"

namespace poise::verify {

class ZoneNotes {
 public:
  // All must outlive it. Once the budget is exhausted, less is noted than happens.
  ZoneNotes(const System& system, const ZoneSystem& zones, Budget& budget);

  // The application is in the state with these values.
  void note(const Zones& before, model::StateId state);
  // What the move makes of them.
  void note(const Zones& before, model::StateId state, std::size_t move,
            const ZoneSystem::Outcome& outcome);

  [[nodiscard]] Happenings take() { return std::move(all_); }

 private:
  const System& system_;
  const ZoneSystem& zones_;
  Budget& budget_;
  Happenings all_;
};

}  // namespace poise::verify
