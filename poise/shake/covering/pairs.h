#pragma once

// The pairs of values of two properties that some valid instance has, numbered from 0. What a
// search for flows asks over and over, which pairs an instance covers, is k(k-1)/2 look-ups here.
//
//   const PairTable pairs(grid);
//   std::vector<bool> covered(pairs.size(), false);
//   pairs.for_each(instance, [&](std::uint32_t pair) { covered[pair] = true; });
//
// A property without a value makes no pair: that it has none is what its guard says, and the guard
// makes pairs. Costs: 4 bytes for each pair of values, and one search for each pair within a
// component of constraints that no instance found before has.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "poise/base/result.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

class PairTable {
 public:
  explicit PairTable(const Grid& grid);  // of a grid for which of() does not fail
  // Fails if there are more pairs of values than memory should hold (a hundred million).
  [[nodiscard]] static Result<PairTable> of(const Grid& grid);

  // Of the numbers; pairs that are not feasible have none.
  [[nodiscard]] std::size_t size() const { return feasible_.size(); }
  [[nodiscard]] std::size_t infeasible() const { return infeasible_; }
  // Pairs for which the search gave up; they are not numbered. 0 but for knotty constraints.
  [[nodiscard]] std::size_t undecided() const { return undecided_; }

  struct Pair {
    std::size_t first = 0;  // a property; less than the second
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

  // Only those that have the property's value: what changes if it does.
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

  std::vector<std::size_t> counts_;     // of values, by property
  std::vector<std::size_t> offsets_;    // by pair of properties
  std::vector<std::uint32_t> numbers_;  // by pair of values
  std::vector<std::size_t> feasible_;   // by number: its place in numbers_
  std::size_t infeasible_ = 0;
  std::size_t undecided_ = 0;
};

}  // namespace poise::shake
