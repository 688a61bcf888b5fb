#pragma once

// The graph of states, with a rule as an edge from each of its source states to its target. Guards
// are ignored, so this over-approximates: where the graph has no path there is no run. The path
// search uses it to skip prefixes that cannot become a cycle.

#include <cstdint>
#include <vector>

#include "poise/model/model.h"

namespace poise::check {

// Whether the graph has a cycle that can be reached from one of these states.
[[nodiscard]] bool can_come_back(const model::Model& model,
                                 const std::vector<model::StateId>& starts);

// Distances between states, in firings, worked out when they are asked for. Distances above kFar
// are not told apart, which keeps each search small in a large model. Not thread-safe.
class Nearness {
 public:
  static constexpr std::uint32_t kFar = 6;

  explicit Nearness(const model::Model& model)
      : model_(model),
        to_close_(model.states.size(), 0),
        seen_(model.states.size(), 0),
        near_(model.states.size()) {}

  struct Near {
    model::StateId state;
    std::uint32_t firings;
  };
  // The states that 1 to kFar firings lead to, nearest first.
  const std::vector<Near>& to_where(model::StateId from);
  // The least number of firings after which a run from here can have visited some state twice; more
  // than kFar if that takes more than kFar firings.
  std::uint32_t firings_to_close(model::StateId from);

 private:
  [[nodiscard]] std::uint32_t firings_around(model::StateId state);

  const model::Model& model_;
  std::vector<std::uint32_t> to_close_;  // by state; 0: not known yet
  std::vector<std::uint32_t> seen_;      // by state: 1 + start of the last search that met it, or 0
  std::vector<std::vector<Near>> near_;
};

}  // namespace poise::check
