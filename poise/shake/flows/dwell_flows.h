#pragma once

// Flows that know what earlier ones have done.
//
// DwellFlows: conditions that last. Policies with timers, windows, cooldowns and latches show
// nothing to flows that never rest, and comparisons differ at their constants only: so values of
// the boundary are held, for long enough, in all pairs. Kinds take turns. One property leads while
// the others hold: down or up its boundary values, or from an end of its range to a boundary value
// and to the other end (hysteresis shows there), or from one value to one on the other side for the
// rest of the flow (windows and cooldowns). Or one property holds while the others move. Or all
// hold, and all change at once. Or two properties of the same values are held equal: policies
// compare those.
//
// covering_flow: random instances, each the best of some for what no flow before it covers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "poise/base/random.h"
#include "poise/shake/flows/moves.h"
#include "poise/shake/flows/score.h"
#include "poise/shake/grid/flow.h"

namespace poise::shake {

class DwellFlows {
 public:
  // `dwells` are lengths, in ticks, that something in the subject waits for; none if unknown.
  DwellFlows(const Moves& moves, const Elements& elements, const std::vector<std::size_t>& dwells);

  // The next one; each goes on where the last one ended in covering boundary values and pairs.
  [[nodiscard]] Flow next(std::size_t length, Random& random);
  // Leaves the next kind out.
  void pass() { ++made_; }

 private:
  // One property leads, ...
  enum class Lead { Down, Up, Jump, Rise, Fall };
  static constexpr std::size_t kLeads = 5;
  struct Stop {
    Index value = 0;
    std::size_t ticks = 0;
  };
  [[nodiscard]] Flow one_leads(Lead kind, std::size_t length, std::size_t dwell, Random& random);
  [[nodiscard]] std::vector<Stop> stops_of(Lead kind, std::size_t lead, std::size_t length,
                                           std::size_t dwell, Random& random) const;
  [[nodiscard]] Flow one_holds(std::size_t length, std::size_t dwell, Random& random);
  [[nodiscard]] Flow all_change(std::size_t length, std::size_t dwell, Random& random);
  [[nodiscard]] Flow tied(std::size_t length, std::size_t dwell, Random& random);
  [[nodiscard]] Instance wanted(Random& random) const;
  [[nodiscard]] std::size_t news_of(const Instance& instance,
                                    const std::vector<std::uint8_t>& pairs) const;
  [[nodiscard]] std::size_t lead_of(std::size_t turn) const { return leads_[turn % leads_.size()]; }
  [[nodiscard]] std::vector<Index> least_held(std::size_t property, std::size_t count,
                                              Random& random) const;
  void note(const Instance& instance, std::vector<std::uint8_t>& pairs);

  const Moves* moves_;
  const Elements* elements_;
  std::vector<std::size_t> dwells_;
  std::size_t shortest_ = 1;                               // that shows what any wait ends in
  std::vector<std::vector<Index>> boundary_;               // by property
  std::vector<std::vector<std::uint32_t>> times_;          // by property and value: it was held
  std::vector<std::uint8_t> pairs_;                        // that all_change held
  std::array<std::vector<std::uint8_t>, kLeads> led_;      // pairs that each kind held
  std::vector<std::pair<std::size_t, std::size_t>> ties_;  // properties that can be equal
  std::vector<std::size_t> leads_;         // properties, those with most boundary values more often
  std::vector<std::size_t> switches_;      // those that rise and fall once: modes, too
  std::array<std::size_t, 8> turns_ = {};  // by kind: how many there were
  std::size_t made_ = 0;
};

[[nodiscard]] Flow covering_flow(const Moves& moves, const Covered& covered, std::size_t length,
                                 Random& random);

}  // namespace poise::shake
