#pragma once

// Two generators that remember what their earlier flows have done.
//
// DwellFlows: flows that wait. Timers, windows, cooldowns and latches never show in flows that
// never rest, and `<` differs from `<=` at the constant only. So boundary values (grid.h) are held
// for as long as something in the subject waits, and over many flows in all pairs. Kinds of flow
// take turns:
//   Down, Up    one property *leads*: it goes down or up its boundary values and holds each of
//               them, while the other properties hold
//   Jump        the leading property goes from an end of its range to a boundary value, from the
//               other end to the next one, and so on: hysteresis shows there
//   Rise, Fall  the leading property holds a low (high) value for a quarter of the flow, a high
//               (low) one for most of the rest, and is back for the last eighth: windows,
//               cooldowns and latches show there
//   OneHolds    one property holds while the others move
//   AllChange   all properties hold, then all change at once
//   Tied        two numbers that have values in common are held equal, because policies compare
//               such numbers (a temperature and its target)
// Of 24 random candidates for what the other properties hold, the one is taken that gives most
// pairs and values which this kind has not held yet. Lengths of holds are those of the waits plus
// two ticks, then one more tick, one less, and twice as long; the longest first.
//
// covering_flow: random instances. Each is the best of 24 at covering what neither the flows before
// it nor the flow itself covers so far.

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
  // `dwells`: how many ticks things in the subject wait; empty if unknown. Keeps references to
  // moves and elements.
  DwellFlows(const Moves& moves, const Elements& elements, const std::vector<std::size_t>& dwells);

  // A flow of the kind whose turn it is. It prefers boundary values and pairs that the flows before
  // it have not held.
  [[nodiscard]] Flow next(std::size_t length, Random& random);
  // Skips the kind whose turn it is.
  void pass() { ++made_; }

 private:
  enum class Lead { Down, Up, Jump, Rise, Fall };
  static constexpr std::size_t kLeads = 5;
  struct Stop {  // a value that the leading property holds, and for how long
    Index value = 0;
    std::size_t ticks = 0;
  };
  [[nodiscard]] Flow one_leads(Lead kind, std::size_t length, std::size_t dwell, Random& random);
  [[nodiscard]] std::vector<Stop> stops_of(Lead kind, std::size_t lead, std::size_t length,
                                           std::size_t dwell, Random& random) const;
  [[nodiscard]] Flow one_holds(std::size_t length, std::size_t dwell, Random& random);
  [[nodiscard]] Flow all_change(std::size_t length, std::size_t dwell, Random& random);
  [[nodiscard]] Flow tied(std::size_t length, std::size_t dwell, Random& random);
  // A random goal for towards(): mostly boundary values, sometimes with two properties tied.
  [[nodiscard]] Instance wanted(Random& random) const;
  // Values of the instance that were never held, and pairs that are not in `pairs`.
  [[nodiscard]] std::size_t news_of(const Instance& instance,
                                    const std::vector<std::uint8_t>& pairs) const;
  [[nodiscard]] std::size_t lead_of(std::size_t turn) const { return leads_[turn % leads_.size()]; }
  // Boundary values of a property: those that were held least often, in random order.
  [[nodiscard]] std::vector<Index> least_held(std::size_t property, std::size_t count,
                                              Random& random) const;
  void note(const Instance& instance, std::vector<std::uint8_t>& pairs);  // that it was held

  const Moves* moves_;
  const Elements* elements_;
  std::vector<std::size_t> dwells_;                        // lengths of holds; kinds cycle
  std::size_t shortest_ = 1;                               // hold that sees any wait end, in ticks
  std::vector<std::vector<Index>> boundary_;               // by property
  std::vector<std::vector<std::uint32_t>> times_;          // by property and value: how often held
  std::vector<std::uint8_t> pairs_;                        // by pair: all_change or tied held it
  std::array<std::vector<std::uint8_t>, kLeads> led_;      // by Lead and pair: this kind held it
  std::vector<std::pair<std::size_t, std::size_t>> ties_;  // numbers that can be equal
  std::vector<std::size_t> leads_;         // leading properties: once per four boundary values
  std::vector<std::size_t> switches_;      // leading Rise and Fall: numbers twice, others once
  std::array<std::size_t, 8> turns_ = {};  // by kind: flows so far
  std::size_t made_ = 0;                   // flows so far, and kinds skipped
};

[[nodiscard]] Flow covering_flow(const Moves& moves, const Covered& covered, std::size_t length,
                                 Random& random);

}  // namespace poise::shake
