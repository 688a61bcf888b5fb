#pragma once

// Getting about on a grid without leaving its valid instances.
//
//   const Moves moves(grid);                          // refers to the grid
//   Instance at = moves.random_instance(random);      // needs a grid with valid instances
//   at = moves.towards(at, wanted);                   // as near as the constraints let us
//   if (const auto next = moves.changed(at, property, value)) at = *next;
//
// A change is checked against the constraints of the properties that it touches only. Constraints
// over few values are tables: a check takes some nanoseconds then.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/base/random.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

class Moves {
 public:
  explicit Moves(const Grid& grid);

  [[nodiscard]] const Grid& grid() const { return *grid_; }

  // Whether this value instead of the one it has leaves the instance valid. For properties that
  // guard others use changed().
  [[nodiscard]] bool allows(std::span<const Index> instance, std::size_t property,
                            Index value) const;

  // With this value, and with or without values of the properties that it guards; none if that is
  // not valid.
  [[nodiscard]] std::optional<Instance> changed(const Instance& instance, std::size_t property,
                                                Index value) const;

  // A valid instance: from a valid one, one property after another comes as near to what is wanted
  // as the others let it. What is wanted itself where that is valid.
  [[nodiscard]] Instance towards(const Instance& from, const Instance& wanted) const;

  // What has a value although its guard does not hold loses it, and the other way round.
  [[nodiscard]] Instance fitted(Instance instance) const;

  // All alike, where the valid ones are not too few to find by chance; else every one can come, but
  // some are likelier.
  [[nodiscard]] Instance random_instance(Random& random) const;

  // One property (or more, where that alone is not valid) has another value, at most `reach` away;
  // the same instance where there is none to go to.
  [[nodiscard]] Instance walked(const Instance& from, std::size_t reach, Random& random) const;

  // By property: some other property has its value only while this one holds.
  [[nodiscard]] bool is_guard(std::size_t property) const { return !guarded_[property].empty(); }
  // It has a value in this instance.
  [[nodiscard]] bool has_value(std::span<const Index> instance, std::size_t property) const;

 private:
  struct Check {
    const GridConstraint* constraint;
    std::vector<std::uint32_t> strides;  // by place in the scope
    std::vector<std::uint8_t> table;     // empty: too large, ask
  };
  [[nodiscard]] bool holds(const Check& check, std::span<const Index> instance,
                           std::size_t property, Index value) const;
  [[nodiscard]] bool is_valid(std::span<const Index> instance) const;
  [[nodiscard]] Instance constructed(Random& random) const;

  const Grid* grid_;
  std::vector<Check> checks_;
  std::vector<std::vector<std::uint32_t>> checks_of_;  // by property
  std::vector<std::vector<std::uint32_t>> guarded_;    // by property: those that it guards
  Instance origin_;
  bool dense_ = true;  // chance finds valid instances
};

}  // namespace poise::shake
