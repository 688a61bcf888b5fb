#pragma once

// Few instances that together have every tuple of values that a valid instance can have: all pairs
// (strength 2), all triples, …  (a constrained covering array). The paper took all pairs first and
// deleted instances that cannot be, which loses a quarter of the pairs that can.
//
//   const Result<Covering> covering = shake::covering(grid, {.strength = 2});
//   for (const Instance& instance : covering->rows) …
//
// First the feasible tuples are listed (feasible.h). Then row after row begins with a tuple that is
// not covered yet, and takes the value, of whatever property, that covers most tuples more with
// what it has, among those that constraints leave; ties are broken by what is left to cover
// elsewhere, then by chance. A dead end, rare thanks to propagation, is left by backtracking. So
// every feasible tuple is covered by construction; coverage.h checks it independently.
//
// A property without a value is in no tuple: its guard tells why it has none, and guards are in
// tuples. Costs: a bit for each tuple; about (number of tuples of a row) x (values of a property)
// look-ups for each row.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "poise/base/result.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

struct TuplesOptions {
  unsigned strength = 2;  // 1 to 4; of fewer properties, all of them
  std::uint64_t seed = 1;
  std::uint64_t budget = 2'000'000;  // assignments that may be tried
};

struct Covering {
  std::vector<Instance> rows;
  std::size_t feasible = 0;    // tuples
  std::size_t infeasible = 0;  // no valid instance has them
  std::size_t undecided = 0;   // the budget ended before it was known whether one has
  std::size_t uncovered = 0;   // feasible, but the budget ended
  [[nodiscard]] bool complete() const { return undecided == 0 && uncovered == 0; }
};

// Fails where tuples are too many to list.
[[nodiscard]] Result<Covering> covering(const Grid& grid, const TuplesOptions& options = {});

}  // namespace poise::shake
