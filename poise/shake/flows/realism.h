#pragma once

// How much a flow looks like what was recorded (D7): 1 - the largest Kolmogorov-Smirnov statistic
// of a property's values and of the step lengths. 1 is as real as the recording itself. (The paper
// adds a distance to what it maximises; a similarity can be added.)
//
//   const Reference reference(space, recorded);
//   const Realism realism = reference.realism_of(grid, flow);
//
// Without a recording there is no realism, and its weight is 0: a report says so.

#include <cstddef>
#include <optional>
#include <vector>

#include "poise/shake/flows/metrics.h"
#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

// By tick and property; NaN for no value.
using Recording = std::vector<std::vector<double>>;

[[nodiscard]] Recording recording_of(const Grid& grid, const Flow& flow);

// The largest difference between the shares of numbers up to any x; in [0, 1]. Both are sorted and
// none is empty.
[[nodiscard]] double kolmogorov_smirnov(const std::vector<double>& a, const std::vector<double>& b);

struct Realism {
  double value = 0;                // RE, in [0, 1]
  std::vector<double> properties;  // the statistic of each
  double steps = 0;                // and of the step lengths
};

class Reference {
 public:
  // Refers to the space. The recording has at least two ticks.
  Reference(const ContextSpace& space, const Recording& recorded);

  [[nodiscard]] Realism realism_of(const Recording& recording) const;
  [[nodiscard]] Realism realism_of(const Grid& grid, const Flow& flow) const;

  // Of the recording's own steps; metrics.h.
  [[nodiscard]] std::optional<Thresholds> thresholds() const { return thresholds_of(steps_); }

 private:
  struct Samples {
    std::vector<std::vector<double>> properties;  // sorted
    std::vector<double> steps;
  };
  [[nodiscard]] Samples samples_of(const Recording& recording) const;

  const ContextSpace* space_;
  std::vector<std::vector<double>> properties_;
  std::vector<double> steps_;
};

}  // namespace poise::shake
