#include "poise/shake/flows/moves.h"

#include <algorithm>
#include <numeric>

#include "poise/base/check.h"

namespace poise::shake {

namespace {

constexpr std::size_t kLargestTable = 1U << 14U;
constexpr int kTries = 400;          // random combinations that estimate the share of valid ones
constexpr int kSweeps = 4;           // random changes per property of a constructed instance
constexpr int kBacktracks = 20'000;  // steps of backtracking; then it starts from the origin

// The place of a value in a table: its index; "no value" comes last.
std::uint32_t place_of(const Property& property, Index index) {
  return index == kNoValue ? static_cast<std::uint32_t>(property.values.size()) : index;
}

}  // namespace

Moves::Moves(const Grid& grid)
    : grid_(&grid), checks_of_(grid.properties.size()), guarded_(grid.properties.size()) {
  for (std::size_t k = 0; k < grid.properties.size(); ++k) {
    if (grid.properties[k].guard) {
      guarded_[*grid.properties[k].guard].push_back(static_cast<std::uint32_t>(k));
    }
  }
  for (const GridConstraint& constraint : grid.constraints) {
    Check check{.constraint = &constraint, .strides = {}, .table = {}};
    std::size_t size = 1;
    for (const std::size_t k : constraint.scope) {
      check.strides.push_back(static_cast<std::uint32_t>(size));
      size *= grid.properties[k].values.size() + 1;
      if (size > kLargestTable) break;
      checks_of_[k].push_back(static_cast<std::uint32_t>(checks_.size()));
    }
    if (size <= kLargestTable) {
      std::vector<double> values(constraint.scope.size());
      for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          const Property& property = grid.properties[constraint.scope[i]];
          const std::size_t place = row / check.strides[i] % (property.values.size() + 1);
          values[i] = value_of(
              property, place < property.values.size() ? static_cast<Index>(place) : kNoValue);
        }
        check.table.push_back(constraint.allows(values) ? 1 : 0);
      }
    } else {
      for (const std::size_t k : constraint.scope) {
        std::vector<std::uint32_t>& of = checks_of_[k];
        if (of.empty() || of.back() != checks_.size()) {
          of.push_back(static_cast<std::uint32_t>(checks_.size()));
        }
      }
    }
    checks_.push_back(std::move(check));
  }
  const std::optional<Instance> origin = origin_of(grid);
  POISE_CHECK(origin);
  origin_ = *origin;
  // Estimated once, from a stream of its own, so that later draws do not depend on it.
  Random random(0);
  int found = 0;
  for (int i = 0; i < kTries; ++i) {
    Instance instance;
    for (const Property& property : grid.properties) {
      instance.push_back(static_cast<Index>(random.below(property.values.size())));
    }
    if (is_valid(fitted(std::move(instance)))) ++found;
  }
  dense_ = found * 50 >= kTries;
}

bool Moves::holds(const Check& check, std::span<const Index> instance, std::size_t property,
                  Index value) const {
  const std::vector<std::size_t>& scope = check.constraint->scope;
  const auto at = [&](std::size_t k) { return k == property ? value : instance[k]; };
  if (!check.table.empty()) {
    std::size_t row = 0;
    for (std::size_t i = 0; i < scope.size(); ++i) {
      row += check.strides[i] * place_of(grid_->properties[scope[i]], at(scope[i]));
    }
    return check.table[row] != 0;
  }
  std::vector<double> values;
  for (const std::size_t k : scope) values.push_back(value_of(grid_->properties[k], at(k)));
  return check.constraint->allows(values);
}

bool Moves::has_value(std::span<const Index> instance, std::size_t property) const {
  const std::optional<std::size_t> guard = grid_->properties[property].guard;
  return !guard ||
         (instance[*guard] != kNoValue && grid_->properties[*guard].values[instance[*guard]] != 0);
}

bool Moves::is_valid(std::span<const Index> instance) const {
  return std::ranges::all_of(checks_, [&](const Check& check) {
    const std::size_t first = check.constraint->scope.empty() ? 0 : check.constraint->scope[0];
    return holds(check, instance, first, instance[first]);
  });
}

bool Moves::allows(std::span<const Index> instance, std::size_t property, Index value) const {
  return std::ranges::all_of(checks_of_[property], [&](std::uint32_t check) {
    return holds(checks_[check], instance, property, value);
  });
}

Instance Moves::fitted(Instance instance) const {
  for (std::size_t k = 0; k < instance.size(); ++k) {
    if (!has_value(instance, k)) {
      instance[k] = kNoValue;
    } else if (instance[k] == kNoValue) {
      instance[k] = grid_->properties[k].origin;
    }
  }
  return instance;
}

std::optional<Instance> Moves::changed(const Instance& instance, std::size_t property,
                                       Index value) const {
  if (guarded_[property].empty()) {
    if (!has_value(instance, property) || !allows(instance, property, value)) return std::nullopt;
    Instance result = instance;
    result[property] = value;
    return result;
  }
  if (!has_value(instance, property)) return std::nullopt;
  Instance result = instance;
  result[property] = value;
  result = fitted(std::move(result));
  if (!is_valid(result)) return std::nullopt;
  return result;
}

Instance Moves::towards(const Instance& from, const Instance& wanted) const {
  const Instance goal = fitted(wanted);
  if (is_valid(goal)) return goal;
  Instance at = from;
  // Twice: what one property could not do at first may be possible once the others have moved.
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t k = 0; k < at.size(); ++k) {
      if (goal[k] == kNoValue || at[k] == kNoValue || at[k] == goal[k]) continue;
      const int step = goal[k] > at[k] ? -1 : 1;
      for (int value = goal[k]; value != at[k]; value += step) {
        if (std::optional<Instance> next = changed(at, k, static_cast<Index>(value))) {
          at = std::move(*next);
          break;
        }
        if (grid_->properties[k].kind == Property::Kind::Label) break;  // nothing lies between
      }
    }
  }
  return at;
}

Instance Moves::random_instance(Random& random) const {
  for (int i = 0; dense_ && i < 4 * kTries; ++i) {
    Instance instance;
    for (const Property& property : grid_->properties) {
      instance.push_back(static_cast<Index>(random.below(property.values.size())));
    }
    instance = fitted(std::move(instance));
    if (is_valid(instance)) return instance;
  }
  return constructed(random);
}

// Depth first, values in random order, and a constraint is checked as soon as all of its scope has
// values. Then some random changes of one property at a time, those that are valid, because
// backtracking favours instances that differ in the last properties only.
Instance Moves::constructed(Random& random) const {
  const std::size_t count = grid_->properties.size();
  Instance at = origin_;
  std::vector<std::vector<Index>> left(count);
  std::size_t depth = 0;
  bool fresh = true;
  for (int steps = 0; depth < count; ++steps) {
    if (steps == kBacktracks) {
      at = origin_;
      break;
    }
    if (fresh) {
      left[depth].clear();
      if (has_value(at, depth)) {
        left[depth].resize(grid_->properties[depth].values.size());
        std::iota(left[depth].begin(), left[depth].end(), Index{0});
        random.shuffle(std::span(left[depth]));
      } else {
        left[depth].push_back(kNoValue);
      }
    }
    if (left[depth].empty()) {
      POISE_CHECK(depth > 0);
      --depth;
      fresh = false;
      continue;
    }
    at[depth] = left[depth].back();
    left[depth].pop_back();
    fresh = std::ranges::all_of(checks_of_[depth], [&](std::uint32_t check) {
      return checks_[check].constraint->scope.back() > depth ||
             holds(checks_[check], at, depth, at[depth]);
    });
    if (fresh) ++depth;
  }
  for (std::size_t i = 0; i < kSweeps * count; ++i) {
    const std::size_t k = random.below(count);
    const auto value = static_cast<Index>(random.below(grid_->properties[k].values.size()));
    if (std::optional<Instance> next = changed(at, k, value)) at = std::move(*next);
  }
  return at;
}

Instance Moves::walked(const Instance& from, std::size_t reach, Random& random) const {
  const std::size_t count = grid_->properties.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  const auto near = [&](std::size_t k, Index at) {
    const Property& property = grid_->properties[k];
    if (property.kind == Property::Kind::Label) {
      return static_cast<Index>(random.below(property.values.size()));
    }
    const auto far = static_cast<int>(1 + random.below(reach));
    const int by = random.coin() ? far : -far;
    return static_cast<Index>(std::clamp(at + by, 0, static_cast<int>(property.values.size()) - 1));
  };
  // Constraints can couple properties: one that cannot move alone may move together with another.
  constexpr int kAlone = 4;
  constexpr int kTogether = 12;
  for (const std::size_t k : order) {
    for (int i = 0; i < kAlone + kTogether && from[k] != kNoValue; ++i) {
      Instance wanted = from;
      wanted[k] = near(k, from[k]);
      if (wanted[k] == from[k]) continue;
      if (i >= kAlone) {
        const std::size_t other = random.below(count);
        if (from[other] != kNoValue) wanted[other] = near(other, from[other]);
      }
      wanted = fitted(std::move(wanted));
      if (wanted != from && is_valid(wanted)) return wanted;
    }
  }
  return from;
}

}  // namespace poise::shake
