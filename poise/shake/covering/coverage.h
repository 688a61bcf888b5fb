#pragma once

// Coverage: how many of the feasible elements (values, pairs, cells, ...) instances and flows
// cover. It judges all generators and believes none of them: it shares no code with feasible.h and
// tuples.h. Which elements are feasible is found by looking at every valid instance where they are
// few, else by a plain search (plain_search.h) for an instance with each element that nothing
// covers.
//
//   const Coverage pairs = coverage(grid, rows, 2);
//   if (pairs.covered < pairs.feasible) … pairs.missing …
//   const FlowCoverage all = coverage(grid, flows);
//
// An element is feasible if some valid instance has it. A transition is feasible if both of its
// cells are, because the environment may go from any context to any other. Properties without a
// value make no tuples. Instances that are not valid cover nothing.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

struct CoverageOptions {
  std::size_t listed = 20;             // most elements that are named as missing
  std::uint64_t enumerated = 200'000;  // most combinations of values that are all looked at
  std::uint64_t steps = 5'000'000;     // of all searches together
  std::size_t cells = 4096;            // if there are more cells, they are not counted
};

struct Coverage {
  std::size_t covered = 0;
  std::size_t feasible = 0;
  std::size_t infeasible = 0;        // tuples only
  std::size_t undecided = 0;         // tuples for which steps ran out; not counted as feasible
  std::size_t invalid = 0;           // instances that are not valid, and cover nothing
  bool counted = true;               // false: there are too many to count; ignore the other numbers
  std::vector<std::string> missing;  // the first elements that are feasible and not covered
  [[nodiscard]] bool complete() const { return counted && covered == feasible && undecided == 0; }
};

// The coverage of tuples of values: strength 1 is values, 2 is pairs, up to 4. With fewer
// properties than the strength there are no tuples.
[[nodiscard]] Coverage coverage(const Grid& grid, std::span<const Instance> instances,
                                unsigned strength, const CoverageOptions& options = {});

// The criteria that every report shows. A *cell* of the grid combines one cell of each property:
// the term that fits its value best, or the part between two constants (Property::cells); "no
// value" is a cell, too.
struct FlowCoverage {
  Coverage values;
  Coverage pairs;
  Coverage cells;
  Coverage transitions;  // from a cell to another or the same, one tick later
  Coverage orders;       // a cell, and another or the same at any later tick of the flow
};

[[nodiscard]] FlowCoverage coverage(const Grid& grid, std::span<const Flow> flows,
                                    const CoverageOptions& options = {});

}  // namespace poise::shake
