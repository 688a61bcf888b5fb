#pragma once

// Is there a valid instance with values from these lists? A plain search, for checking faster ones:
// values are lists, a value goes if no value of another list is allowed with it, and the search
// copies the lists at each choice. Slow, and on purpose independent of constraint_space.h.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "poise/shake/grid/grid.h"

namespace poise::shake {

class PlainSearch {
 public:
  PlainSearch(const Grid& grid, std::uint64_t steps);

  // By property: values that are left. A guarded property may have kNoValue among them.
  using Choices = std::vector<std::vector<Index>>;
  [[nodiscard]] const Choices& everything() const { return everything_; }

  // Removes values that no constraint allows with what is left. False if a list gets empty.
  [[nodiscard]] bool narrow(Choices& choices) const;

  // A valid instance with values from these lists. None if there is none, or if steps ran out:
  // gave_up() tells which, for the last call.
  [[nodiscard]] std::optional<Instance> instance(Choices choices);
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  // Calls visit(instance) for every valid instance. Does nothing and returns false if there are
  // more than `most` combinations of values.
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
  // A constraint on two properties: by value of the first, then of the second; "no value" last.
  struct Both {
    std::size_t first;
    std::size_t second;
    std::vector<std::vector<bool>> allowed;
  };
  [[nodiscard]] std::size_t place(std::size_t property, Index value) const;
  [[nodiscard]] bool narrow_one(const GridConstraint& constraint, Choices& choices) const;

  const Grid* grid_;
  Choices everything_;
  std::vector<Both> both_;                     // constraints on two properties, and guards
  std::vector<const GridConstraint*> others_;  // constraints on one property, or on more than two
  std::vector<bool> constrained_;              // by property: some constraint reads it
  std::uint64_t steps_;                        // left, for all calls of instance()
  std::size_t turn_ = 0;                       // calls so far: each prefers other values
  bool gave_up_ = false;
};

}  // namespace poise::shake
