#pragma once

// The feasible tuples: tuples of values, of up to four different properties, that some valid
// instance has.
//
// Tuples are numbered. Combinations of properties come in the order of their last property, then of
// the one before it, and so on (colexicographic, so that the rank of a combination is a sum of
// binomials); within a combination the last property's value runs fastest. "No value" is in no
// tuple: it only says that the guard is false, and guards are in tuples.
//
// How: from strength 1 upwards. A tuple whose properties lie in several components of constraints
// is feasible if its part in each component is, which is known by then (and undecided if a part is
// undecided and none is infeasible). Any other tuple is searched
// for, and all tuples of the instance that is found are feasible and need no search. So there are
// about as many successful searches as a covering array has rows, and one for each infeasible
// tuple, which mostly fails at once.

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
  // The first tuple of a combination; its tuples end where those of the next one begin.
  [[nodiscard]] std::size_t offset(std::size_t combination) const { return offsets_[combination]; }

  // The number of a combination, of properties in ascending order.
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
  std::vector<std::size_t> values_;                  // by property: how many
  std::vector<std::vector<std::size_t>> binomials_;  // by place and n
  std::vector<std::size_t> offsets_;                 // by combination, and the end
};

struct FeasibleTuples {
  TupleNumbers numbers;
  std::vector<bool> feasible;   // by number
  std::vector<bool> open = {};  // by number: undecided, because the search ran out of steps
  std::size_t count = 0;
  std::size_t infeasible = 0;
  std::size_t undecided = 0;
};

// Fails if there are more than 10^9 tuples. `steps`: how many assignments may be tried in all.
[[nodiscard]] Result<FeasibleTuples> feasible_tuples(const ConstraintSpace& space,
                                                     unsigned strength, std::uint64_t steps);

// Calls visit(rank, chosen) for each choice of `strength` out of the numbers below `properties`, in
// the order of ranks.
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
