#include "poise/check/engines/graph.h"

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/lang/lang.h"

namespace poise::check {
namespace {

using model::Model;
using model::StateId;

Model model_of(std::size_t states, const std::vector<std::pair<std::size_t, std::size_t>>& arrows) {
  std::string text = "sense x : bool state s0 initial";
  for (std::size_t i = 1; i < states; ++i) text += ", s" + std::to_string(i);
  for (std::size_t i = 0; i < arrows.size(); ++i) {
    text += " rule r" + std::to_string(i) + ": s" + std::to_string(arrows[i].first) + " -> s" +
            std::to_string(arrows[i].second) + " when x";
  }
  return std::move(*lang::parse({.name = "test.poise", .text = text}).model);
}

StateId state(std::size_t i) { return StateId{static_cast<std::uint32_t>(i)}; }

TEST(CanComeBack, OnlyFromWhereALoopCanBeReached) {
  const Model model = model_of(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {5, 4}});
  EXPECT_FALSE(can_come_back(model, {state(0), state(1), state(2)}));
  EXPECT_TRUE(can_come_back(model, {state(0), state(3)}));
  EXPECT_TRUE(can_come_back(model, {state(5)}));
  EXPECT_TRUE(can_come_back(model_of(2, {{0, 1}, {1, 1}}), {state(0)}));
}

// Firings between states, by taking all steps at once, again and again.
std::vector<std::vector<std::uint32_t>> distances(const Model& model) {
  const std::size_t size = model.states.size();
  constexpr std::uint32_t kNever = 1000;
  std::vector<std::vector<std::uint32_t>> all(size, std::vector<std::uint32_t>(size, kNever));
  for (const StateId from : model.states.ids()) {
    for (const model::RuleId rule : model.states[from].rules) {
      all[from.index][model.rules[rule].to.index] = 1;
    }
  }
  for (std::size_t by = 0; by < size; ++by) {
    for (std::size_t from = 0; from < size; ++from) {
      for (std::size_t to = 0; to < size; ++to) {
        all[from][to] = std::min(all[from][to], all[from][by] + all[by][to]);
      }
    }
  }
  return all;
}

TEST(Nearness, IsTheNumberOfFiringsBetweenStates) {
  Random random(7);
  for (int round = 0; round < 30; ++round) {
    const std::size_t states = 3 + random.below(20);
    std::vector<std::pair<std::size_t, std::size_t>> arrows;
    for (std::size_t i = 0; i < states + random.below(states); ++i) {
      arrows.emplace_back(random.below(states), random.below(states));
    }
    const Model model = model_of(states, arrows);
    const std::vector<std::vector<std::uint32_t>> expected = distances(model);
    Nearness nearness(model);
    for (const StateId from : model.states.ids()) {
      std::vector<std::uint32_t> found(states, 1000);
      std::uint32_t last = 1;
      for (const Nearness::Near& near : nearness.to_where(from)) {
        EXPECT_GE(near.firings, last);
        last = near.firings;
        found[near.state.index] = near.firings;
      }
      std::uint32_t closes = 1000;
      for (std::size_t to = 0; to < states; ++to) {
        const std::uint32_t firings = expected[from.index][to];
        EXPECT_EQ(found[to], firings <= Nearness::kFar ? firings : 1000);
        const std::uint32_t before = to == from.index ? 0 : firings;
        closes = std::min(closes, before + expected[to][to]);
      }
      const std::uint32_t least = nearness.firings_to_close(from);
      EXPECT_EQ(least > Nearness::kFar, closes > Nearness::kFar);
      if (closes <= Nearness::kFar) {
        EXPECT_EQ(least, closes);
      }
    }
  }
}

}  // namespace
}  // namespace poise::check
