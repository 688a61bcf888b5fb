#pragma once

// Is there a valid instance with these values left? The plain way, for who checks others: lists of
// values, constraints that are asked whether anything of one list goes with anything of the other,
// and a search that copies the lists. Slow, and independent of space.h on purpose.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "poise/shake/grid/grid.h"

namespace poise::shake {

class PlainSearch {
 public:
  PlainSearch(const Grid& grid, std::uint64_t steps);

  using Choices = std::vector<std::vector<Index>>;  // by property; kNoValue is one of a guarded one
  [[nodiscard]] const Choices& everything() const { return everything_; }

  // Rules out what goes with nothing. False if nothing is left of some list.
  [[nodiscard]] bool narrow(Choices& choices) const;

  // An instance with values of these lists; none if there is none, or if the search gave up, which
  // gave_up() tells for the last call.
  [[nodiscard]] std::optional<Instance> instance(Choices choices);
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  // Calls visit(instance) for every valid instance; nothing happens, and false is returned, if
  // there are more than `most` combinations of values.
  template <class Visit>
  bool for_each_valid(std::uint64_t most, const Visit& visit) const {
    double combinations = 1;
    for (const std::vector<Index>& values : everything_) {
      combinations *= static_cast<double>(values.size());
    }
    if (combinations > static_cast<double>(most)) return false;
    if (combinations == 0) return true;
    std::vector<std::size_t> places(everything_.size(), 0);
    for (;;) {
      Instance instance(places.size());
      for (std::size_t i = 0; i < places.size(); ++i) instance[i] = everything_[i][places[i]];
      if (is_valid(*grid_, instance)) visit(instance);
      std::size_t place = 0;
      while (place < places.size() && ++places[place] == everything_[place].size()) {
        places[place++] = 0;
      }
      if (place == places.size()) return true;
    }
  }

 private:
  // Two properties and what goes together: by value of the first, then of the second, none last.
  struct Both {
    std::size_t first;
    std::size_t second;
    std::vector<std::vector<bool>> allowed;
  };
  [[nodiscard]] std::size_t place(std::size_t property, Index value) const;
  [[nodiscard]] bool narrow_one(const GridConstraint& constraint, Choices& choices) const;

  const Grid* grid_;
  Choices everything_;
  std::vector<Both> both_;
  std::vector<const GridConstraint*> others_;
  std::vector<bool> constrained_;  // by property
  std::uint64_t steps_;
  std::size_t turn_ = 0;
  bool gave_up_ = false;
};

}  // namespace poise::shake
