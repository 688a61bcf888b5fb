#pragma once

// Tabu search in the neighbourhood of one flow: the paper's local search.
//
// Each step tries some random moves. A move changes the instance at one tick: mostly one property,
// to about the value that the instance before or after it has, or to any value; now and then the
// whole instance. The best move is made, even if the flow gets worse by it; then its tick is
// *tabu*, not to be moved again for some steps, except by a move that gives the best flow so far.
//
// While the flow has more than `repeats` instances that earlier flows have (the memory), only these
// are moved, and only to instances that are not in the memory.

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>

#include "poise/base/random.h"
#include "poise/shake/flows/metrics.h"
#include "poise/shake/flows/moves.h"
#include "poise/shake/flows/score.h"
#include "poise/shake/grid/flow.h"

namespace poise::shake {

// The instances of earlier flows, the paper's T. Keeps hashes of 64 bits only: that a new instance
// is taken for an old one is very unlikely, and would only cost a move.
class Memory {
 public:
  void add(const Flow& flow);
  [[nodiscard]] bool has(std::span<const Index> instance) const;

 private:
  std::unordered_set<std::uint64_t> keys_;
};

// The weights of what the search maximises: earthquake profiles, new pairs and new turns, each as a
// share of the most there can be (compare objectives.h).
struct TabuAim {
  double profiles = 0.6;
  double pairs = 0.4;
  double turns = 0;
};

struct TabuOptions {
  std::size_t steps = 200;
  std::size_t candidates = 40;  // moves tried in a step
  std::size_t tabu = 30;        // steps that a tick stays tabu; at most half of the flow's length
  std::size_t repeats = 3;      // instances of the memory that a flow may have
  TabuAim aim = {};
};

// What a search reads; none of it changes meanwhile, so several searches may share it.
struct TabuWorld {
  const ContextSpace& space;
  const Moves& moves;
  const Elements& elements;
  const Covered& covered;
  const Memory& memory;
};

// The best flow seen: first by how many instances beyond `repeats` it shares with the memory, then
// by the aim. So it is no worse than `first`, unless that had to be moved away from the memory.
[[nodiscard]] Flow tabu_search(const TabuWorld& world, Flow first, const TabuOptions& options,
                               Random& random);

}  // namespace poise::shake
