#pragma once

// How far apart instances are, and what a flow looks like: violent and smooth steps, earthquake
// profiles, oscillation, dwell, shape. All numbers are free of units: a property's difference is
// its share of the whole range, on its scale (the paper's raw Euclidean distance drowns every
// property whose numbers are small).
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

// Of a recorded trace's own steps: violent are the longest 5 %, smooth the shorter half. None where
// the halves are too alike to tell the two apart.
[[nodiscard]] std::optional<Thresholds> thresholds_of(std::vector<double> lengths);

enum class StepKind : std::uint8_t { Smooth, Moderate, Violent };

// Made once for a grid, which it does not refer to afterwards.
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

  // D1: the root of the weighted mean of squared differences; a metric, in [0, 1].
  [[nodiscard]] double distance(std::span<const Index> a, std::span<const Index> b) const;
  [[nodiscard]] double distance_of(std::span<const double> a, std::span<const double> b) const;

  [[nodiscard]] double from_origin(std::span<const Index> instance) const {
    return distance(instance, origin_);
  }
  [[nodiscard]] const Instance& origin() const { return origin_; }

  // D2. For a distance, or for the difference of one property: a jump of one of three properties
  // alone is a distance of at most 0.577.
  [[nodiscard]] StepKind kind_of(double length) const {
    if (length >= thresholds_.violent - kSlack) return StepKind::Violent;
    return length <= thresholds_.smooth + kSlack ? StepKind::Smooth : StepKind::Moderate;
  }

  // Differences of decimals come out a little too long or too short; steps that are this near to a
  // threshold are at it.
  static constexpr double kSlack = 1e-9;

 private:
  struct Axis {
    bool ordered = true;
    bool log = false;
    double low = 0;     // on its scale
    double range = 0;   // on its scale
    double weight = 1;  // all of them are 1 together
    std::vector<double> at;
  };

  Thresholds thresholds_;
  std::vector<Axis> axes_;
  Instance origin_;
};

// From each instance to the next: one fewer than there are instances.
[[nodiscard]] std::vector<double> step_lengths(const ContextSpace& space, const Flow& flow);
[[nodiscard]] std::vector<StepKind> step_kinds(const ContextSpace& space, const Flow& flow);

// D3, the paper's EP: leaving out moderate steps, how many neighbours differ, one violent and one
// smooth, and are at most `gap` steps apart. At most two fewer than there are instances.
[[nodiscard]] std::size_t earthquake_profiles(std::span<const StepKind> kinds, std::size_t gap = 8);
[[nodiscard]] std::size_t earthquake_profiles(const ContextSpace& space, const Flow& flow);
[[nodiscard]] bool is_earthquake(const ContextSpace& space, const Flow& flow);

// D4: how often the distance to the origin turns from rising to falling or back, as a share of how
// often it could. (Asked of every three instances, as the paper does, a constant flow oscillates.)
[[nodiscard]] double oscillation(const ContextSpace& space, const Flow& flow);

// D5: the lengths of the runs of ticks without a step; together they are the flow's length.
[[nodiscard]] std::vector<std::size_t> dwells(const ContextSpace& space, const Flow& flow);
[[nodiscard]] std::size_t longest_dwell(const ContextSpace& space, const Flow& flow);

// D6: four features of three degrees each. The paper's figure 4 shows (up, flat, few),
// (flat, flat, few) and (flat, growing, some).
inline constexpr std::size_t kShapeCells = 81;

struct FlowShape {
  enum class Trend : std::uint8_t { Down, Flat, Up };
  enum class Share : std::uint8_t { Few, Some, Most };
  Trend distance = Trend::Flat;  // to the origin: its second half against the first
  Trend steps = Trend::Flat;     // their lengths
  Share violent = Share::Few;    // below 0.15 of the steps, below 0.5, more
  Share hold = Share::Few;       // the longest dwell: below 0.10 of the ticks, below 0.33, more

  [[nodiscard]] std::size_t cell() const {  // below kShapeCells
    return ((static_cast<std::size_t>(distance) * 3 + static_cast<std::size_t>(steps)) * 3 +
            static_cast<std::size_t>(violent)) *
               3 +
           static_cast<std::size_t>(hold);
  }
  friend bool operator==(const FlowShape&, const FlowShape&) = default;
};

[[nodiscard]] FlowShape shape_of(const ContextSpace& space, const Flow& flow);

// The paper's S is how many there are.
[[nodiscard]] std::bitset<kShapeCells> shape_cells(const ContextSpace& space,
                                                   std::span<const Flow> flows);

}  // namespace poise::shake
