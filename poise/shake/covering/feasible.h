#pragma once

// Which tuples of values of a few different properties some valid instance has.
//
// Tuples are numbered: combinations of properties in the order of their last property, then of the
// one before it, and so on (colexicographic, so that the rank of a combination is a sum of
// binomials); within a combination the last property's value runs fastest. A tuple without a value
// is none: that a property has no value is what its guard says.
//
// Decided from few properties to many. A tuple that falls apart into several components of
// constraints is feasible if its parts are, which are known by then. Any other is searched for, and
// whatever else the instance has that is found needs no search any more. So the searches are about
// as many as rows of a covering array, and one for each tuple that is infeasible, which mostly is
// seen at once.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "poise/base/result.h"
#include "poise/shake/grid/constraint_space.h"

namespace poise::shake {

inline constexpr unsigned kMostStrength = 4;

class TupleNumbers {
 public:
  TupleNumbers(const ConstraintSpace& space, unsigned strength);

  [[nodiscard]] unsigned strength() const { return strength_; }
  [[nodiscard]] std::size_t size() const { return offsets_.back(); }  // tuples
  [[nodiscard]] std::size_t combinations() const { return offsets_.size() - 1; }
  // The tuples of a combination are those from its offset up to the next one's.
  [[nodiscard]] std::size_t offset(std::size_t combination) const { return offsets_[combination]; }

  // Of properties in ascending order.
  [[nodiscard]] std::size_t rank(std::span<const std::size_t> properties) const {
    std::size_t rank = 0;
    for (std::size_t i = 0; i < properties.size(); ++i) rank += binomials_[i][properties[i]];
    return rank;
  }
  // C(n, place + 1): what a property at this place of a combination adds to its rank.
  [[nodiscard]] std::size_t binomial(std::size_t place, std::size_t n) const {
    return binomials_[place][n];
  }
  [[nodiscard]] std::vector<std::size_t> properties(std::size_t combination) const;

  struct Tuple {
    std::vector<std::size_t> properties;
    std::vector<std::size_t> values;
  };
  [[nodiscard]] Tuple tuple(std::size_t number) const;

 private:
  unsigned strength_;
  std::vector<std::size_t> values_;  // by property: how many
  std::vector<std::vector<std::size_t>> binomials_;
  std::vector<std::size_t> offsets_;
};

struct FeasibleTuples {
  TupleNumbers numbers;
  std::vector<bool> feasible;  // by number
  std::size_t count = 0;
  std::size_t infeasible = 0;
  std::size_t undecided = 0;  // the search gave up; not feasible as far as this table goes
};

// Fails if the tuples are too many for memory. `steps` are assignments that may be tried.
[[nodiscard]] Result<FeasibleTuples> feasible_tuples(const ConstraintSpace& space,
                                                     unsigned strength, std::uint64_t steps);

// Calls visit(combination, properties) for each choice of `strength` out of so many properties, in
// the order of their ranks.
template <class Visit>
void for_each_combination_of(std::size_t properties, unsigned strength, const Visit& visit) {
  if (strength == 0 || strength > properties) return;
  std::vector<std::size_t> chosen(strength);
  for (std::size_t i = 0; i < strength; ++i) chosen[i] = i;
  for (std::size_t rank = 0;; ++rank) {
    visit(rank, std::span<const std::size_t>(chosen));
    std::size_t place = 0;
    while (place + 1 < strength && chosen[place] + 1 == chosen[place + 1]) {
      chosen[place] = place;
      ++place;
    }
    if (++chosen[place] == properties) return;
  }
}

}  // namespace poise::shake
