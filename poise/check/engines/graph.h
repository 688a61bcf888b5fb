#pragma once

// States as a graph, with rules as arrows, whatever their guards: what surely cannot happen, before
// any context is looked at.

#include <cstdint>
#include <vector>

#include "poise/model/model.h"

namespace poise::check {

// Whether rules lead from some of these states back to where they came from.
[[nodiscard]] bool can_come_back(const model::Model& model,
                                 const std::vector<model::StateId>& starts);

// How near states are to each other, by rules. For one thread.
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
  // What at most kFar firings, and at least one, lead to, nearest first.
  const std::vector<Near>& to_where(model::StateId from);
  // After how many firings, at least, some state is visited for the second time; more than kFar
  // where none is within so many.
  std::uint32_t firings_to_close(model::StateId from);

 private:
  [[nodiscard]] std::uint32_t firings_around(model::StateId state);

  const model::Model& model_;
  std::vector<std::uint32_t> to_close_;  // by state; 0: not known yet
  std::vector<std::uint32_t> seen_;      // by state: the last from where it was met, and 1
  std::vector<std::vector<Near>> near_;
};

}  // namespace poise::check
