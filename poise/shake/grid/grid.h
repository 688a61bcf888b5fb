#pragma once

// The environment as a grid: for each property of the context some representative values, and
// which combinations can happen. Flows go from one point of the grid to another.
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
  std::vector<double> values;       // ascending; labels: as declared; booleans: 0, 1
  std::vector<std::string> texts;   // of the values, as people write them
  std::vector<bool> boundary = {};  // by value: an end, a constant, beside one, a crossing of terms
  std::vector<std::uint32_t> cells = {};   // by value: the term that fits best; without terms, the
                                           // part between constants; a label's own number
  std::optional<std::size_t> guard = {};   // a boolean property before it; without it no value
  std::optional<model::SlotId> slot = {};  // where it is in a context of the model
  Index origin = 0;                        // of the value in the origin of the space
  std::vector<std::string> cell_names = {};  // by cell: a term, `< 500`, a label
};

// Holds for values of the properties of its scope, in that order; NaN for one that has no value.
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
// By property.
[[nodiscard]] std::vector<double> values_of(const Grid& grid, const Instance& instance);

// Guards are respected and all constraints hold.
[[nodiscard]] bool is_valid(const Grid& grid, const Instance& instance);

// The instance of all origins, or the valid one that is nearest to it by steps. Where that takes
// too long, any valid one. None if there is no valid instance, or if constraints are so knotty that
// none is found in some hundred thousand attempts.
[[nodiscard]] std::optional<Instance> origin_of(const Grid& grid);

// How many instances are valid; nothing where there are too many combinations to look at.
[[nodiscard]] std::optional<std::uint64_t> valid_instances(const Grid& grid,
                                                           std::uint64_t most = 50'000'000);

// The grid of a model: of its sensed variables, constraints, terms, and constants in policy, rules
// and expectations. `most` is how many values a number gets, unless its constants are more.
[[nodiscard]] Grid grid_of(const model::Model& model, std::size_t most = 12);

}  // namespace poise::shake
