#include "poise/shake/flows/score.h"

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/shake/flows/flows_test.h"
#include "poise/shake/flows/objectives.h"

namespace poise::shake {
namespace {

using namespace stand_ins;

TEST(Score, KnowsThePairsOfTheWebContext) {
  EXPECT_EQ(Elements(web_grid(10)).feasible_pairs(), 275U);
  EXPECT_EQ(Elements(line_grid()).feasible_pairs(), 101U);
}

TEST(Score, IsTheSameAsComputedAgain) {
  for (const Grid& grid : {web_grid(10), line_grid(30)}) {
    const ContextSpace space(grid);
    const Elements elements(grid);
    Random random(6);
    for (int round = 0; round < 20; ++round) {
      Covered covered(elements);
      covered.add(any_flow(grid, 10, random));
      FlowScore score(space, elements, covered, any_flow(grid, 30, random));
      for (int i = 0; i < 100; ++i) {
        const std::size_t tick = random.below(30);
        Instance instance = random.coin() ? any_instance(grid, random) : score.flow()[tick];
        if (random.coin()) {  // near its neighbour, for smooth steps
          const Instance& neighbour = score.flow()[tick > 0 ? tick - 1 : 1];
          instance = neighbour;
        }
        const Score before = score.now();
        const Score tried = score.tried(tick, instance);
        EXPECT_EQ(score.now(), before);
        score.change(tick, instance);
        EXPECT_EQ(score.now(), tried);
        const FlowScore again(space, elements, covered, score.flow());
        ASSERT_EQ(score.now(), again.now());
        EXPECT_EQ(score.lengths(), again.lengths());
        EXPECT_EQ(score.kinds(), again.kinds());
        EXPECT_EQ(score.now().profiles, earthquake_profiles(space, score.flow()));
        EXPECT_EQ(score.now().new_pairs, covered.gain_of(score.flow()).pairs);
        EXPECT_EQ(score.now().new_turns, covered.gain_of(score.flow()).turns);
        // One instance changes EP by at most 3.
        const auto change = static_cast<long>(tried.profiles) - static_cast<long>(before.profiles);
        EXPECT_LE(std::abs(change), 3);
      }
    }
  }
}

TEST(Score, CountsWhatIsNewOnce) {
  const Grid grid = web_grid(10);
  const Elements elements(grid);
  Covered covered(elements);
  Random random(7);
  const Flow flow = any_flow(grid, 30, random);
  const Covered::Gain expected = covered.gain_of(flow);
  const Covered::Gain gain = covered.add(flow);
  EXPECT_EQ(gain.pairs, expected.pairs);
  EXPECT_EQ(gain.turns, expected.turns);
  EXPECT_EQ(covered.pairs(), gain.pairs);
  EXPECT_EQ(covered.add(flow).pairs, 0U);
  EXPECT_EQ(covered.gain_of(flow).turns, 0U);
}

TEST(Score, CoversAllFeasiblePairsWithAllInstances) {
  const Grid grid = web_grid(5);
  const Elements elements(grid);
  Covered covered(elements);
  Flow all;
  for (Index a = 0; a < 5; ++a) {
    for (Index b = 0; b <= a; ++b) {
      for (Index c = 0; c < 11; ++c) all.push_back({a, b, c});
    }
  }
  covered.add(all);
  EXPECT_EQ(covered.pairs(), elements.feasible_pairs());
  EXPECT_EQ(covered.pairs(), 125U);
}

TEST(Objectives, AreSharesOfOne) {
  EXPECT_DOUBLE_EQ(local_objective({.coverage = 1, .profiles = 1}), 1);
  EXPECT_DOUBLE_EQ(local_objective({.coverage = 0.5, .profiles = 0}), 0.2);
  EXPECT_DOUBLE_EQ(profile_share(58, 60), 1);
  EXPECT_EQ(profile_share(0, 2), 0);
  // Without a recording the weight of reality does not count.
  EXPECT_DOUBLE_EQ(local_objective({.coverage = 1, .profiles = 1},
                                   {.coverage = 0.3, .profiles = 0.3, .realism = 0.4}),
                   1);
  EXPECT_DOUBLE_EQ(local_objective({.coverage = 1, .profiles = 1, .realism = 0.5},
                                   {.coverage = 0.25, .profiles = 0.25, .realism = 0.5}),
                   0.75);
  EXPECT_DOUBLE_EQ(
      local_objective({.robustness = 0}, {.coverage = 0.5, .profiles = 0, .robustness = 0.5}), 0.5);
}

TEST(Objectives, AcceptOneNewPairAndNotNothing) {
  const GlobalWeights weights;
  EXPECT_GT(global_gain({.coverage = 1.0 / 650}, weights, 100), 0);
  EXPECT_GT(global_gain({.shapes = 1.0 / 81}, weights, 100), 0);
  EXPECT_LT(global_gain({}, weights, 100), 0);
}

}  // namespace
}  // namespace poise::shake
