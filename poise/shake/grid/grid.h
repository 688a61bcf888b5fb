#pragma once

// The environment as a grid: for each property of the context some representative values, and the
// constraints that say which combinations are valid. Flows go from one point of the grid to
// another.
//
// A property is a sensed variable, or one member of a sensed set. Its values are the ends of its
// range, every constant that the policy compares it with and the neighbours of that constant, the
// corners of its terms, and others evenly between (on its scale), up to a number. An *instance* has
// one index of a value for each property; a property whose guard is false in it has no value, and
// the index kNoValue.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "poise/model/model.h"

namespace poise::shake {

using Index = std::uint16_t;
inline constexpr Index kNoValue = std::numeric_limits<Index>::max();

struct Property {
  enum class Kind { Number, Boolean, Label };  // labels have no order
  std::string name;
  Kind kind = Kind::Number;
  double low = 0;  // the whole range, of which the values are a part; numbers only
  double high = 1;
  bool log = false;  // its scale; then low is more than 0
  double weight = 1;
  std::vector<double> values;      // ascending; labels: as declared; booleans: 0, 1
  std::vector<std::string> texts;  // of the values, as people write them
  // By value: behaviour may change here. It is an end of the range, a constant or beside one, or
  // near where two terms cross.
  std::vector<bool> boundary = {};
  // By value: its cell, a number for a part of the range in which the policy should behave alike:
  // the term that fits best; without terms, the part between two constants; of labels each its own.
  std::vector<std::uint32_t> cells = {};
  std::optional<std::size_t> guard = {};   // an earlier boolean property; has a value only if true
  std::optional<model::SlotId> slot = {};  // where it is in a context of the model
  Index origin = 0;                        // its value in the origin of the grid
  std::vector<std::string> cell_names = {};  // by cell: a term, `< 500`, a label
};

// A constraint on the properties of its scope. `allows` gets their values in the order of the
// scope, NaN for a property without a value.
struct GridConstraint {
  std::vector<std::size_t> scope;  // ascending
  std::function<bool(std::span<const double>)> allows;
  std::string text;
};

struct Grid {
  std::vector<Property> properties;
  std::vector<GridConstraint> constraints;
};

using Instance = std::vector<Index>;

[[nodiscard]] double value_of(const Property& property, Index index);  // NaN for kNoValue
// The values of an instance, by property; NaN for none.
[[nodiscard]] std::vector<double> values_of(const Grid& grid, const Instance& instance);

// Exactly the properties whose guards hold (or that have none) have values, and all constraints
// hold.
[[nodiscard]] bool is_valid(const Grid& grid, const Instance& instance);

// The origin: the instance of every property's origin, or the valid instance nearest to that by
// steps on the grid. Where that takes too long, any valid one. None if there is no valid instance,
// or if none was found after trying some hundred thousand assignments.
[[nodiscard]] std::optional<Instance> origin_of(const Grid& grid);

// How many instances are valid; nothing if that takes looking at more than `most` combinations.
// Counted by elimination, not one by one: grid_count.cpp says how.
[[nodiscard]] std::optional<std::uint64_t> valid_instances(const Grid& grid,
                                                           std::uint64_t most = 50'000'000);

// The grid of a model: from its sensed variables and their terms, its constraints, and the
// constants in policy, rules and expectations. `most` is how many values a number gets, unless its
// constants are more.
[[nodiscard]] Grid grid_of(const model::Model& model, std::size_t most = 12);

}  // namespace poise::shake
