#include "poise/shake/flows/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "poise/base/check.h"

namespace poise::shake {

namespace {

// The trend is flat if the means of the two halves differ by no more than this.
constexpr double kTrend = 0.08;

FlowShape::Trend trend_of(std::span<const double> numbers) {
  const std::size_t half = numbers.size() / 2;
  if (half == 0) return FlowShape::Trend::Flat;
  const auto mean = [](std::span<const double> part) {
    return std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(part.size());
  };
  const double rise = mean(numbers.last(half)) - mean(numbers.first(half));
  if (rise > kTrend) return FlowShape::Trend::Up;
  return rise < -kTrend ? FlowShape::Trend::Down : FlowShape::Trend::Flat;
}

FlowShape::Share share_of(std::size_t part, std::size_t whole, double some, double most) {
  const double share =
      whole == 0 ? 0
                 : static_cast<double>(part) / static_cast<double>(whole) + ContextSpace::kSlack;
  if (share < some) return FlowShape::Share::Few;
  return share < most ? FlowShape::Share::Some : FlowShape::Share::Most;
}

std::vector<double> distances_from_origin(const ContextSpace& space, const Flow& flow) {
  std::vector<double> distances(flow.size());
  std::ranges::transform(flow, distances.begin(),
                         [&](const Instance& instance) { return space.from_origin(instance); });
  return distances;
}

}  // namespace

bool are_sound(const Thresholds& thresholds) {
  return thresholds.smooth >= 0 && thresholds.smooth < thresholds.violent / 2 &&
         thresholds.still >= 0;
}

std::optional<Thresholds> thresholds_of(std::vector<double> lengths) {
  if (lengths.empty()) return std::nullopt;
  std::ranges::sort(lengths);
  const auto quantile = [&](double share) {
    return lengths[static_cast<std::size_t>(share * static_cast<double>(lengths.size() - 1))];
  };
  const Thresholds thresholds{.violent = quantile(0.95), .smooth = quantile(0.5)};
  if (!are_sound(thresholds)) return std::nullopt;
  return thresholds;
}

ContextSpace::ContextSpace(const Grid& grid, const Thresholds& thresholds)
    : thresholds_(thresholds) {
  POISE_CHECK(are_sound(thresholds));
  double weights = 0;
  for (const Property& property : grid.properties) weights += property.weight;
  for (const Property& property : grid.properties) {
    Axis axis;
    axis.ordered = property.kind != Property::Kind::Label;
    axis.log = property.kind == Property::Kind::Number && property.log;
    if (property.kind == Property::Kind::Number) {
      axis.low = axis.log ? std::log(property.low) : property.low;
      axis.range = (axis.log ? std::log(property.high) : property.high) - axis.low;
    } else {
      axis.range = 1;
    }
    axis.weight =
        weights > 0 ? property.weight / weights : 1 / static_cast<double>(grid.properties.size());
    axes_.push_back(std::move(axis));
    for (std::size_t i = 0; i < property.values.size(); ++i) {
      axes_.back().at.push_back(axes_.back().ordered
                                    ? coordinate_of(axes_.size() - 1, property.values[i])
                                    : static_cast<double>(i));
    }
  }
  if (const std::optional<Instance> origin = origin_of(grid)) {
    origin_ = *origin;
  } else {
    for (const Property& property : grid.properties) origin_.push_back(property.origin);
  }
}

double ContextSpace::coordinate_of(std::size_t property, double value) const {
  const Axis& axis = axes_[property];
  if (!axis.ordered) return value;
  if (!(axis.range > 0)) return 0;
  return ((axis.log ? std::log(value) : value) - axis.low) / axis.range;
}

double ContextSpace::difference_of(std::size_t property, double a, double b) const {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : 1;
  if (!axes_[property].ordered) return a == b ? 0 : 1;
  return std::abs(coordinate_of(property, a) - coordinate_of(property, b));
}

double ContextSpace::distance(std::span<const Index> a, std::span<const Index> b) const {
  double sum = 0;
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const double gap = difference(k, a[k], b[k]);
    sum += axes_[k].weight * gap * gap;
  }
  return std::sqrt(sum);
}

double ContextSpace::distance_of(std::span<const double> a, std::span<const double> b) const {
  double sum = 0;
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const double gap = difference_of(k, a[k], b[k]);
    sum += axes_[k].weight * gap * gap;
  }
  return std::sqrt(sum);
}

std::vector<double> step_lengths(const ContextSpace& space, const Flow& flow) {
  std::vector<double> lengths;
  for (std::size_t i = 1; i < flow.size(); ++i) {
    lengths.push_back(space.distance(flow[i - 1], flow[i]));
  }
  return lengths;
}

std::vector<StepKind> step_kinds(const ContextSpace& space, const Flow& flow) {
  std::vector<StepKind> kinds;
  for (const double length : step_lengths(space, flow)) kinds.push_back(space.kind_of(length));
  return kinds;
}

std::size_t earthquake_profiles(std::span<const StepKind> kinds, std::size_t gap) {
  std::size_t profiles = 0;
  std::optional<std::size_t> last;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == StepKind::Moderate) continue;
    if (last && kinds[*last] != kinds[i] && i - *last <= gap) ++profiles;
    last = i;
  }
  return profiles;
}

std::size_t earthquake_profiles(const ContextSpace& space, const Flow& flow) {
  return earthquake_profiles(step_kinds(space, flow), space.thresholds().gap);
}

bool is_earthquake(const ContextSpace& space, const Flow& flow) {
  return earthquake_profiles(space, flow) > 0;
}

double oscillation(const ContextSpace& space, const Flow& flow) {
  if (flow.size() < 3) return 0;
  const std::vector<double> distances = distances_from_origin(space, flow);
  std::size_t turns = 0;
  int direction = 0;
  for (std::size_t i = 1; i < distances.size(); ++i) {
    const double rise = distances[i] - distances[i - 1];
    if (std::abs(rise) <= ContextSpace::kSlack) continue;
    const int now = rise > 0 ? 1 : -1;
    if (direction == -now) ++turns;
    direction = now;
  }
  return static_cast<double>(turns) / static_cast<double>(flow.size() - 2);
}

std::vector<std::size_t> dwells(const ContextSpace& space, const Flow& flow) {
  if (flow.empty()) return {};
  std::vector<std::size_t> runs = {1};
  for (const double length : step_lengths(space, flow)) {
    if (length <= space.thresholds().still) {
      ++runs.back();
    } else {
      runs.push_back(1);
    }
  }
  return runs;
}

std::size_t longest_dwell(const ContextSpace& space, const Flow& flow) {
  const std::vector<std::size_t> runs = dwells(space, flow);
  return runs.empty() ? 0 : *std::ranges::max_element(runs);
}

FlowShape shape_of(const ContextSpace& space, const Flow& flow) {
  const std::vector<double> distances = distances_from_origin(space, flow);
  const std::vector<double> lengths = step_lengths(space, flow);
  const auto violent = static_cast<std::size_t>(std::ranges::count_if(
      lengths, [&](double length) { return space.kind_of(length) == StepKind::Violent; }));
  return {.distance = trend_of(distances),
          .steps = trend_of(lengths),
          .violent = share_of(violent, lengths.size(), 0.15, 0.5),
          .hold = share_of(longest_dwell(space, flow), flow.size(), 0.10, 0.33)};
}

std::bitset<kShapeCells> shape_cells(const ContextSpace& space, std::span<const Flow> flows) {
  std::bitset<kShapeCells> cells;
  for (const Flow& flow : flows) cells.set(shape_of(space, flow).cell());
  return cells;
}

}  // namespace poise::shake
