#pragma once

// What instances and flows cover, of what can be covered: the judge of every generator, and of
// nothing that a generator says. It shares no code with feasible.h and tuples.h: what is feasible
// is found by looking at every valid instance where they are few, else by a plain search for an
// instance with each element that nothing covers.
//
//   const Coverage pairs = coverage(grid, rows, 2);
//   if (pairs.covered < pairs.feasible) … pairs.missing …
//   const FlowCoverage all = coverage(grid, flows);
//
// Elements are feasible if some valid instance has them; a transition is if both of its cells are,
// for the environment may go from anywhere to anywhere. Properties without a value make no tuples.
// What is not valid covers nothing.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

struct CoverageOptions {
  std::size_t listed = 20;             // elements that are named as missing, at most
  std::uint64_t enumerated = 200'000;  // combinations up to which all are looked at
  std::uint64_t steps = 5'000'000;     // of searches, in all
  std::size_t cells = 4096;            // more label cells than this are not counted
};

struct Coverage {
  std::size_t covered = 0;
  std::size_t feasible = 0;
  std::size_t infeasible = 0;  // tuples only
  std::size_t undecided = 0;  // tuples for which the steps did not suffice; not counted as feasible
  std::size_t invalid = 0;    // instances that cannot be, and count for nothing
  bool counted = true;        // false: too many to count, and the other numbers say nothing
  std::vector<std::string> missing;  // feasible and not covered, the first of them
  [[nodiscard]] bool complete() const { return counted && covered == feasible && undecided == 0; }
};

// Of tuples of values; strength 1: values, 2: pairs, … up to 4. With fewer properties than that
// there are no tuples.
[[nodiscard]] Coverage coverage(const Grid& grid, std::span<const Instance> instances,
                                unsigned strength, const CoverageOptions& options = {});

// The criteria that every report shows. A *cell* is made of one cell of each property: the term
// that fits its value best, or what lies between two constants (grid.h); none if it has no value.
struct FlowCoverage {
  Coverage values;
  Coverage pairs;
  Coverage cells;
  Coverage transitions;  // from one cell to the next, a tick later; also to the same
  Coverage orders;       // of a cell, and any other or the same at some later tick of the flow
};

[[nodiscard]] FlowCoverage coverage(const Grid& grid, std::span<const Flow> flows,
                                    const CoverageOptions& options = {});

}  // namespace poise::shake
