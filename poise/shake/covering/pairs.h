#pragma once

// The feasible pairs: pairs of values of two properties that some valid instance has, numbered from
// 0. To list the pairs of an instance of k properties takes k(k-1)/2 look-ups.
//
//   const PairTable pairs(grid);
//   std::vector<bool> covered(pairs.size(), false);
//   pairs.for_each(instance, [&](std::uint32_t pair) { covered[pair] = true; });
//
// A property without a value makes no pair: that it has none only says that its guard is false, and
// the guard makes pairs. Costs: 4 bytes for each pair of values, and the searches of feasible.h.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "poise/base/result.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

class PairTable {
 public:
  explicit PairTable(const Grid& grid);  // of() must not fail for this grid
  // Fails if there are more than a hundred million pairs of values: memory should hold them.
  [[nodiscard]] static Result<PairTable> of(const Grid& grid);

  // How many pairs have a number: the feasible ones.
  [[nodiscard]] std::size_t size() const { return feasible_.size(); }
  [[nodiscard]] std::size_t infeasible() const { return infeasible_; }
  // Pairs for which the search gave up; they have no number. More than 0 only for hard constraints.
  [[nodiscard]] std::size_t undecided() const { return undecided_; }

  struct Pair {
    std::size_t first = 0;  // a property, before the second
    Index first_value = 0;
    std::size_t second = 0;
    Index second_value = 0;
  };
  [[nodiscard]] Pair pair(std::uint32_t number) const;

  // Calls visit(number) for each pair of a valid instance.
  template <class Visit>
  void for_each(const Instance& instance, const Visit& visit) const {
    for (std::size_t second = 1; second < instance.size(); ++second) {
      for (std::size_t first = 0; first < second; ++first) look_up(instance, first, second, visit);
    }
  }

  // Only the pairs with the property's value: those that change if it does.
  template <class Visit>
  void for_each_with(const Instance& instance, std::size_t property, const Visit& visit) const {
    for (std::size_t first = 0; first < property; ++first) {
      look_up(instance, first, property, visit);
    }
    for (std::size_t second = property + 1; second < instance.size(); ++second) {
      look_up(instance, property, second, visit);
    }
  }

 private:
  inline static constexpr std::uint32_t kNoPair = UINT32_MAX;

  template <class Visit>
  void look_up(const Instance& instance, std::size_t first, std::size_t second,
               const Visit& visit) const {
    if (instance[first] == kNoValue || instance[second] == kNoValue) return;
    const std::uint32_t number = numbers_[offsets_[second * (second - 1) / 2 + first] +
                                          instance[first] * counts_[second] + instance[second]];
    if (number != kNoPair) visit(number);
  }

  std::vector<std::size_t> counts_;     // by property: how many values
  std::vector<std::size_t> offsets_;    // by pair of properties: where it begins in numbers_
  std::vector<std::uint32_t> numbers_;  // by pair of values; kNoPair if not feasible
  std::vector<std::size_t> feasible_;   // by number: its place in numbers_
  std::size_t infeasible_ = 0;
  std::size_t undecided_ = 0;
};

}  // namespace poise::shake
