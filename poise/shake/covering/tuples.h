#pragma once

// A constrained covering array: few valid instances (rows) that together have every feasible tuple
// of values: all pairs (strength 2), all triples, … The paper covered all pairs first and then
// deleted the rows that are not valid, which loses a quarter of the feasible pairs and more.
//
//   const Result<Covering> covering = shake::covering(grid, {.strength = 2});
//   for (const Instance& instance : covering->rows) …
//
// How: first the feasible tuples are listed (feasible.h). Then rows are made one after another. A
// row begins with a tuple that is not covered yet. Then, again and again, the value of whatever
// property is taken that, with the values the row has, covers most new tuples, among the values
// that propagated constraints leave (constraint_space.h). Ties are broken by how many uncovered
// tuples have the value, then at random. Dead ends, rare thanks to propagation, are left by
// backtracking. So every feasible tuple is covered by construction; coverage.h checks that
// independently.
//
// "No value" is in no tuple: it only says that the guard is false, and guards are in tuples. Costs:
// a bit for each tuple; for each row, about (tuples of a row) x (values of a property) look-ups.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "poise/base/result.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

struct TuplesOptions {
  unsigned strength = 2;  // 1 to 4; cut to the number of properties
  std::uint64_t seed = 1;
  std::uint64_t budget = 2'000'000;  // assignments: for listing tuples, and again for making rows
  // Which tuples are to be covered, by their properties in ascending order and their values; all
  // of them if empty. Only these are counted.
  std::function<bool(std::span<const std::size_t>, std::span<const std::size_t>)> wanted = {};
  std::vector<Instance> given = {};  // valid rows that are there already: the first of the result
};

struct Covering {
  std::vector<Instance> rows;
  std::size_t feasible = 0;    // tuples
  std::size_t infeasible = 0;  // no valid instance has them
  std::size_t undecided = 0;   // the budget ended before it was known whether one has them
  std::size_t uncovered = 0;   // feasible, but the budget ended before a row was made for them
  [[nodiscard]] bool complete() const { return undecided == 0 && uncovered == 0; }
};

// Fails where tuples are too many to list.
[[nodiscard]] Result<Covering> covering(const Grid& grid, const TuplesOptions& options = {});

}  // namespace poise::shake
