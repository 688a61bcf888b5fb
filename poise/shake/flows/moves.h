#pragma once

// Moves on a grid from one valid instance to another.
//
//   const Moves moves(grid);                          // refers to the grid
//   Instance at = moves.random_instance(random);      // needs a grid with valid instances
//   at = moves.towards(at, wanted);                   // as near as the constraints allow
//   if (const auto next = moves.changed(at, property, value)) at = *next;
//
// A change of one property is checked only against the constraints that read it. A constraint with
// at most 16,384 combinations of values is a table: a check takes some nanoseconds then. A larger
// one is evaluated each time.

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

  // Whether a valid instance stays valid if the property gets this value. For properties that guard
  // others use changed().
  [[nodiscard]] bool allows(std::span<const Index> instance, std::size_t property,
                            Index value) const;

  // The instance with this value. Properties that it guards lose their values, or get those of
  // their origins. None if that is not valid.
  [[nodiscard]] std::optional<Instance> changed(const Instance& instance, std::size_t property,
                                                Index value) const;

  // `wanted` where it is valid. Otherwise, starting from a valid instance, each property in turn
  // goes as near to its wanted value as the others allow.
  [[nodiscard]] Instance towards(const Instance& from, const Instance& wanted) const;

  // Takes away values whose guards do not hold, and gives guarded properties without a value that
  // of their origins where the guard holds.
  [[nodiscard]] Instance fitted(Instance instance) const;

  // A random valid instance. Where at least 2 % of random combinations are valid, by rejection:
  // all valid instances are equally likely, except that instances with fewer values (a guard is
  // false) are likelier. Else by backtracking in random order: not uniform.
  [[nodiscard]] Instance random_instance(Random& random) const;

  // A neighbour: one property, or two where constraints couple them, has another value, at most
  // `reach` places away on the grid (a label: any). The same instance if none was found.
  [[nodiscard]] Instance walked(const Instance& from, std::size_t reach, Random& random) const;

  // Whether some other property has a value only while this one is true.
  [[nodiscard]] bool is_guard(std::size_t property) const { return !guarded_[property].empty(); }
  // Whether the property's guard, if any, holds in the instance.
  [[nodiscard]] bool has_value(std::span<const Index> instance, std::size_t property) const;

 private:
  struct Check {
    const GridConstraint* constraint;
    std::vector<std::uint32_t> strides;  // in the table, by place in the scope
    std::vector<std::uint8_t> table;     // empty: too large, evaluate the constraint
  };
  [[nodiscard]] bool holds(const Check& check, std::span<const Index> instance,
                           std::size_t property, Index value) const;
  [[nodiscard]] bool is_valid(std::span<const Index> instance) const;
  [[nodiscard]] Instance constructed(Random& random) const;

  const Grid* grid_;
  std::vector<Check> checks_;
  std::vector<std::vector<std::uint32_t>> checks_of_;  // by property: those that read it
  std::vector<std::vector<std::uint32_t>> guarded_;    // by property: those that it guards
  Instance origin_;
  bool dense_ = true;  // at least 2 % of random combinations are valid
};

}  // namespace poise::shake
