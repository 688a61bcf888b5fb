#include "poise/shake/grid/grid.h"

#include <algorithm>
#include <cmath>

#include "poise/base/check.h"
#include "poise/shake/grid/constraint_space.h"

namespace poise::shake {

namespace {

// How many assignments are tried, for each component, to find the nearest valid instance; and then
// to find any.
constexpr std::uint64_t kOriginSteps = 50'000;
constexpr std::uint64_t kAnySteps = 200'000;

std::size_t steps_from_origin(const ConstraintSpace& space, std::size_t property,
                              std::size_t value) {
  const Property& of = space.grid().properties[property];
  if (value >= of.values.size()) return 0;  // no value: only the guard counts
  const std::size_t origin = of.origin;
  if (of.kind == Property::Kind::Label) return value == origin ? 0 : 1;
  return value > origin ? value - origin : origin - value;
}

// The assignment of a component that is nearest to the origin, by iterative deepening (IDA*): a
// search with a bound on the steps from the origin, then with the least bound that the last attempt
// exceeded, and so on. So the first assignment found is a nearest one.
class NearestToOrigin {
 public:
  NearestToOrigin(const ConstraintSpace& space, SpaceSearch& search,
                  const std::vector<std::size_t>& component)
      : space_(space), search_(search), component_(component) {}

  bool found() {
    std::size_t most = least();
    for (;;) {
      needed_ = kImpossible;
      if (assigned(most)) return true;
      if (needed_ == kImpossible || search_.steps_left() == 0) return false;
      most = needed_;
    }
  }

 private:
  inline static constexpr std::size_t kImpossible = SIZE_MAX;

  // A lower bound: the sum of the least steps that each property's remaining values need.
  std::size_t least() const {
    std::size_t sum = 0;
    for (const std::size_t property : component_) {
      std::size_t nearest = kImpossible;
      for (std::size_t v = 0; v < space_.values_and_none(property); ++v) {
        if (search_.has(property, v)) {
          nearest = std::min(nearest, steps_from_origin(space_, property, v));
        }
      }
      sum += nearest;
    }
    return sum;
  }

  bool assigned(std::size_t most) {
    const std::size_t needed = least();
    if (needed > most) {
      needed_ = std::min(needed_, needed);
      return false;
    }
    const auto open = std::ranges::find_if(
        component_, [&](std::size_t property) { return search_.count(property) > 1; });
    if (open == component_.end()) return true;
    std::vector<std::size_t> values;
    for (std::size_t v = 0; v < space_.values_and_none(*open); ++v) {
      if (search_.has(*open, v)) values.push_back(v);
    }
    std::ranges::stable_sort(values, {},
                             [&](std::size_t v) { return steps_from_origin(space_, *open, v); });
    for (const std::size_t value : values) {
      if (search_.steps_left() == 0) return false;
      const SpaceSearch::Mark before = search_.mark();
      if (search_.assign(*open, value) && assigned(most)) return true;
      search_.undo(before);
    }
    return false;
  }

  const ConstraintSpace& space_;
  SpaceSearch& search_;
  const std::vector<std::size_t>& component_;
  std::size_t needed_ = kImpossible;
};

}  // namespace

double value_of(const Property& property, Index index) {
  if (index == kNoValue) return std::numeric_limits<double>::quiet_NaN();
  POISE_CHECK(index < property.values.size());
  return property.values[index];
}

std::vector<double> values_of(const Grid& grid, const Instance& instance) {
  POISE_CHECK(instance.size() == grid.properties.size());
  std::vector<double> values(instance.size());
  for (std::size_t i = 0; i < instance.size(); ++i) {
    values[i] = value_of(grid.properties[i], instance[i]);
  }
  return values;
}

bool is_valid(const Grid& grid, const Instance& instance) {
  if (instance.size() != grid.properties.size()) return false;
  for (std::size_t i = 0; i < instance.size(); ++i) {
    const Property& property = grid.properties[i];
    if (instance[i] != kNoValue && instance[i] >= property.values.size()) return false;
    const bool present = !property.guard ||
                         value_of(grid.properties[*property.guard], instance[*property.guard]) == 1;
    if (present != (instance[i] != kNoValue)) return false;
  }
  constexpr std::size_t kFew = 8;
  double few[kFew];
  for (const GridConstraint& constraint : grid.constraints) {
    const std::size_t size = constraint.scope.size();
    std::vector<double> many(size > kFew ? size : 0);
    double* values = many.empty() ? few : many.data();
    for (std::size_t i = 0; i < size; ++i) {
      values[i] = value_of(grid.properties[constraint.scope[i]], instance[constraint.scope[i]]);
    }
    if (!constraint.allows(std::span<const double>(values, size))) return false;
  }
  return true;
}

std::optional<Instance> origin_of(const Grid& grid) {
  const ConstraintSpace space(grid);
  SpaceSearch search(space, kOriginSteps);
  if (!search.possible()) return std::nullopt;
  for (const std::vector<std::size_t>& component : space.components()) {
    const SpaceSearch::Mark before = search.mark();
    if (NearestToOrigin(space, search, component).found()) continue;
    if (search.steps_left() > 0) return std::nullopt;
    search.undo(before);
    search.set_steps(kAnySteps);
    if (search.complete(space.component(component.front())) != SpaceSearch::Answer::Yes) {
      return std::nullopt;
    }
    search.set_steps(kOriginSteps);
  }
  return search.instance();
}

}  // namespace poise::shake
