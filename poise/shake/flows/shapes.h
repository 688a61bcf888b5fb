#pragma once

// The shape library: flows that look like something, at chance places. Every instance is valid;
// where constraints forbid what a shape wants, the flow comes as near as they let it.
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
  // Curves of one or more properties over time; the others hold, wander or follow.
  Spike,
  Ramp,
  Saw,
  Stairs,
  Sine,
  Square,
  // And others.
  Walk,        // smooth steps only, as far as the grid is fine enough
  Hold,        // on boundary values: holds.h
  Earthquake,  // a smooth step, a violent one, and so on
  Cover,       // random, but every instance the best of some for covering what is new: holds.h
  Random,      // uniform
  Corners,     // bang-bang: every number at an end of its range
};

[[nodiscard]] std::string_view name_of(Shape shape);

class Shapes {
 public:
  Shapes(const ContextSpace& space, const Moves& moves) : space_(&space), moves_(&moves) {}

  // Not for Hold and Cover, which depend on the flows before them.
  [[nodiscard]] Flow flow(Shape shape, std::size_t length, Random& random) const;

  // The value that is nearest to a coordinate; labels: to an index.
  [[nodiscard]] Index nearest(std::size_t property, double coordinate) const;

 private:
  [[nodiscard]] Flow curves(Shape shape, std::size_t length, Random& random) const;
  [[nodiscard]] Flow walk(std::size_t length, Random& random) const;
  [[nodiscard]] Flow earthquake(std::size_t length, Random& random) const;
  [[nodiscard]] Flow corners(std::size_t length, Random& random) const;

  const ContextSpace* space_;
  const Moves* moves_;
};

// Values of a property at which behaviour changes, if anywhere: those that the grid marks, or else
// the ends; all of a boolean or of labels.
[[nodiscard]] std::vector<Index> boundary_values(const Property& property);

}  // namespace poise::shake
