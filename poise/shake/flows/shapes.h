#pragma once

// The shape library: flows of a given form (a ramp, a saw, an earthquake) with random properties,
// values and periods. Every instance is valid: where constraints forbid an instance of the form,
// the flow comes as near as they allow (Moves::towards).
//
//   const Shapes shapes(space, moves);
//   const Flow flow = shapes.flow(Shape::Saw, 60, random);

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "poise/base/random.h"
#include "poise/shake/flows/metrics.h"
#include "poise/shake/flows/moves.h"
#include "poise/shake/grid/flow.h"

namespace poise::shake {

enum class Shape : std::uint8_t {
  // Curves over time. A random property has it, each other one too with a chance of 40 %; else it
  // has another curve, holds, or wanders.
  Spike,
  Ramp,
  Saw,
  Stairs,
  Sine,
  Square,
  // Other forms.
  Walk,        // smooth steps only, as far as the grid is fine enough
  Hold,        // boundary values, held: dwell_flows.h
  Earthquake,  // smooth and violent steps in turns
  Cover,       // random instances that cover what is new: dwell_flows.h
  Random,      // uniform
  Corners,     // bang-bang: every number at an end of its range
};

[[nodiscard]] std::string_view name_of(Shape shape);

class Shapes {
 public:
  Shapes(const ContextSpace& space, const Moves& moves) : space_(&space), moves_(&moves) {}

  // Not for Hold and Cover, which depend on the flows before them.
  [[nodiscard]] Flow flow(Shape shape, std::size_t length, Random& random) const;

  // The value nearest to a coordinate (ContextSpace); of labels, to an index.
  [[nodiscard]] Index nearest(std::size_t property, double coordinate) const;

 private:
  [[nodiscard]] Flow curves(Shape shape, std::size_t length, Random& random) const;
  [[nodiscard]] Flow walk(std::size_t length, Random& random) const;
  [[nodiscard]] Flow earthquake(std::size_t length, Random& random) const;
  [[nodiscard]] Flow corners(std::size_t length, Random& random) const;

  const ContextSpace* space_;
  const Moves* moves_;
};

// The values of a property at which behaviour may change: those that the grid marks as boundary, or
// else the ends; of booleans and labels all.
[[nodiscard]] std::vector<Index> boundary_values(const Property& property);

}  // namespace poise::shake
