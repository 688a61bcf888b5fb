#pragma once

// Tabu search in the neighbourhood of one flow, the paper's local search. A move gives one instance
// other values, nearer to a neighbour's or farther away. Of some moves at chance the best is made,
// even if it is for the worse, and its tick is tabu for a while, unless it makes the best flow so
// far. A flow that repeats more than three instances of earlier flows is moved away from them.

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

// Instances of earlier flows, the paper's T. Different ones are taken for the same once in 2^64.
class Memory {
 public:
  void add(const Flow& flow);
  [[nodiscard]] bool has(std::span<const Index> instance) const;

 private:
  std::unordered_set<std::uint64_t> keys_;
};

// What the search maximises, each as a share of the most there can be; compare objectives.h.
struct TabuAim {
  double profiles = 0.6;
  double pairs = 0.4;
  double turns = 0;
};

struct TabuOptions {
  std::size_t steps = 200;
  std::size_t candidates = 40;
  std::size_t tabu = 30;    // ticks; at most half of the flow
  std::size_t repeats = 3;  // instances of the memory that a flow may have
  TabuAim aim = {};
};

// What it works with; all of it stays as it is meanwhile.
struct TabuWorld {
  const ContextSpace& space;
  const Moves& moves;
  const Elements& elements;
  const Covered& covered;
  const Memory& memory;
};

// The best flow seen: no worse than the first by the aim, except where it is moved away from the
// memory.
[[nodiscard]] Flow tabu_search(const TabuWorld& world, Flow first, const TabuOptions& options,
                               Random& random);

}  // namespace poise::shake
