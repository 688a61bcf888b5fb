#pragma once

// Realism: how much a flow looks like a recording. It is 1 less the largest Kolmogorov-Smirnov
// statistic, of the values of any property and of the step lengths; so 1 is as real as the
// recording itself. (The paper has a distance and maximises it, which has the wrong sign.)
//
//   const Reference reference(space, recorded);
//   const Realism realism = reference.realism_of(grid, flow);
//
// Without a recording there is no realism, and nothing depends on it.

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

// The largest difference, over all x, between the shares of numbers up to x; in [0, 1]. Both lists
// are sorted and not empty.
[[nodiscard]] double kolmogorov_smirnov(const std::vector<double>& a, const std::vector<double>& b);

struct Realism {
  double value = 0;                // the paper's RE, in [0, 1]
  std::vector<double> properties;  // by property: its statistic
  double steps = 0;                // the statistic of the step lengths
};

// A recording, to compare flows with.
class Reference {
 public:
  // Refers to the space. The recording has at least two ticks.
  Reference(const ContextSpace& space, const Recording& recorded);

  [[nodiscard]] Realism realism_of(const Recording& recording) const;
  [[nodiscard]] Realism realism_of(const Grid& grid, const Flow& flow) const;

  // Thresholds that suit the recording (metrics.h).
  [[nodiscard]] std::optional<Thresholds> thresholds() const { return thresholds_of(steps_); }

 private:
  struct Samples {
    std::vector<std::vector<double>> properties;  // by property: its values, sorted
    std::vector<double> steps;                    // their lengths, sorted
  };
  [[nodiscard]] Samples samples_of(const Recording& recording) const;

  const ContextSpace* space_;
  std::vector<std::vector<double>> properties_;
  std::vector<double> steps_;
};

}  // namespace poise::shake
