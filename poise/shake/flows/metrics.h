#pragma once

// How far apart instances are, and what a flow looks like: violent and smooth steps, earthquake
// profiles, oscillation, dwell, shape. All numbers are free of units: a property's difference is
// its share of the whole range, on its scale (linear or logarithmic). With the paper's Euclidean
// distance of raw values, a property from 0 to 1 hardly counts beside one from 1 to 1000.
//
//   const ContextSpace space(grid);
//   if (is_earthquake(space, flow)) ... shape_of(space, flow).cell() ...
//
// Everything takes time in proportion to ticks times properties.

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

struct Thresholds {
  double violent = 0.5;  // steps from this on
  double smooth = 0.1;   // steps up to this; less than half of `violent`
  std::size_t gap = 8;   // how far apart the two steps of an earthquake profile may be
  double still = 0;      // steps up to this belong to a dwell
};

[[nodiscard]] bool are_sound(const Thresholds& thresholds);

// Thresholds for the step lengths of a recorded trace: the longest 5 % are violent, the shorter
// half is smooth. None if the two thresholds are less than a factor of two apart.
[[nodiscard]] std::optional<Thresholds> thresholds_of(std::vector<double> lengths);

enum class StepKind : std::uint8_t { Smooth, Moderate, Violent };

// The instances of a grid as points, with a distance. Does not refer to the grid afterwards.
class ContextSpace {
 public:
  explicit ContextSpace(const Grid& grid, const Thresholds& thresholds = {});

  [[nodiscard]] std::size_t size() const { return axes_.size(); }  // properties
  [[nodiscard]] const Thresholds& thresholds() const { return thresholds_; }

  // Whether its values have an order; labels have none.
  [[nodiscard]] bool is_ordered(std::size_t property) const { return axes_[property].ordered; }

  // Where a value lies in its property's range, in [0, 1]; labels: its index.
  [[nodiscard]] double coordinate(std::size_t property, Index index) const {
    return axes_[property].at[index];
  }
  // The same for a value that need not be on the grid.
  [[nodiscard]] double coordinate_of(std::size_t property, double value) const;

  // In [0, 1]; labels, and no value: 0 if equal, else 1.
  [[nodiscard]] double difference(std::size_t property, Index a, Index b) const {
    if (a == b) return 0;
    const Axis& axis = axes_[property];
    if (!axis.ordered || a == kNoValue || b == kNoValue) return 1;
    const double gap = axis.at[a] - axis.at[b];
    return gap < 0 ? -gap : gap;
  }
  // The same for values that need not be on the grid; NaN is no value.
  [[nodiscard]] double difference_of(std::size_t property, double a, double b) const;

  // The root of the weighted mean of squared differences; a metric, in [0, 1].
  [[nodiscard]] double distance(std::span<const Index> a, std::span<const Index> b) const;
  [[nodiscard]] double distance_of(std::span<const double> a, std::span<const double> b) const;

  [[nodiscard]] double from_origin(std::span<const Index> instance) const {
    return distance(instance, origin_);
  }
  [[nodiscard]] const Instance& origin() const { return origin_; }

  // Of a step, by its distance; also of the difference of one property. A jump of one property
  // alone over its whole range is a distance of 0.577 if there are three properties of equal
  // weight, and of 0.447, by default no longer violent, if there are five.
  [[nodiscard]] StepKind kind_of(double length) const {
    if (length >= thresholds_.violent - kSlack) return StepKind::Violent;
    return length <= thresholds_.smooth + kSlack ? StepKind::Smooth : StepKind::Moderate;
  }

  // Rounding makes differences of decimals a little too long or too short. A step whose length is
  // this near to a threshold counts as being at it.
  static constexpr double kSlack = 1e-9;

 private:
  struct Axis {
    bool ordered = true;
    bool log = false;
    double low = 0;          // on its scale
    double range = 0;        // on its scale
    double weight = 1;       // the weights of all axes sum to 1
    std::vector<double> at;  // by value: its coordinate
  };

  Thresholds thresholds_;
  std::vector<Axis> axes_;
  Instance origin_;
};

// From each instance to the next: one fewer than there are instances.
[[nodiscard]] std::vector<double> step_lengths(const ContextSpace& space, const Flow& flow);
[[nodiscard]] std::vector<StepKind> step_kinds(const ContextSpace& space, const Flow& flow);

// The paper's EP: among the steps that are not moderate, how often a violent and a smooth one
// follow each other, at most `gap` steps apart. At most two fewer than there are instances.
//   smooth violent moderate smooth smooth: 2 profiles
[[nodiscard]] std::size_t earthquake_profiles(std::span<const StepKind> kinds, std::size_t gap = 8);
[[nodiscard]] std::size_t earthquake_profiles(const ContextSpace& space, const Flow& flow);
[[nodiscard]] bool is_earthquake(const ContextSpace& space, const Flow& flow);

// How often the distance to the origin turns from rising to falling or back, as a share of how
// often it could. (The paper has a condition on every three instances instead; a constant flow
// satisfies it.)
[[nodiscard]] double oscillation(const ContextSpace& space, const Flow& flow);

// The lengths of the runs of ticks without a step; they sum to the flow's length.
[[nodiscard]] std::vector<std::size_t> dwells(const ContextSpace& space, const Flow& flow);
[[nodiscard]] std::size_t longest_dwell(const ContextSpace& space, const Flow& flow);

// The shape of a flow: four features of three degrees each, so 81 cells. The paper's figure 4 shows
// (up, flat, few), (flat, flat, few) and (flat, growing, some); its shapes have no dwell.
inline constexpr std::size_t kShapeCells = 81;

struct FlowShape {
  enum class Trend : std::uint8_t { Down, Flat, Up };
  enum class Share : std::uint8_t { Few, Some, Most };
  Trend distance = Trend::Flat;  // to the origin: the second half of the flow against the first
  Trend steps = Trend::Flat;     // of step lengths, likewise
  Share violent = Share::Few;    // Few: less than 0.15 of the steps; Some: less than 0.5
  Share hold = Share::Few;       // the longest dwell; Few: less than 0.10 of the ticks; Some: 0.33

  [[nodiscard]] std::size_t cell() const {  // below kShapeCells
    return ((static_cast<std::size_t>(distance) * 3 + static_cast<std::size_t>(steps)) * 3 +
            static_cast<std::size_t>(violent)) *
               3 +
           static_cast<std::size_t>(hold);
  }
  friend bool operator==(const FlowShape&, const FlowShape&) = default;
};

[[nodiscard]] FlowShape shape_of(const ContextSpace& space, const Flow& flow);

// The cells that the flows are in; how many there are is the paper's S.
[[nodiscard]] std::bitset<kShapeCells> shape_cells(const ContextSpace& space,
                                                   std::span<const Flow> flows);

}  // namespace poise::shake
