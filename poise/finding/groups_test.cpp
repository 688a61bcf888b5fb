#include "poise/finding/groups.h"

#include <vector>

#include <gtest/gtest.h>

namespace poise::finding {
namespace {

using model::RuleId;
using model::StateId;

std::vector<RuleId> rules(std::vector<std::uint32_t> indices) {
  std::vector<RuleId> ids;
  for (const std::uint32_t index : indices) ids.push_back({index});
  return ids;
}

Fault cycle(std::uint32_t state, std::vector<std::uint32_t> path, std::size_t loop) {
  return {.kind = FaultKind::Cycle,
          .state = StateId{state},
          .rules = rules(std::move(path)),
          .loop = loop,
          .situations = 1};
}

Fault race(std::uint32_t ends, std::vector<std::uint32_t> path, int situations) {
  return {.kind = FaultKind::Race,
          .state = StateId{0},
          .rules = rules(std::move(path)),
          .ends = StateId{ends},
          .situations = situations};
}

Fault choice(std::uint32_t state, std::vector<std::uint32_t> set) {
  return {.kind = FaultKind::Nondeterminism, .state = StateId{state}, .rules = rules(set)};
}

TEST(Groups, JoinCyclesByTheirLoopWhereverItIsEntered) {
  const std::vector<Fault> faults = {cycle(2, {7, 4, 5, 6}, 1), cycle(0, {5, 6, 4}, 0),
                                     cycle(1, {4, 6, 5}, 0)};
  const std::vector<Group> found = groups(faults, FaultKind::Cycle);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].faults, (std::vector{&faults[1], &faults[0]}));  // the shortest first
  EXPECT_EQ(found[1].faults, (std::vector{&faults[2]}));              // the other way round
}

TEST(Groups, JoinRacesByTheirEndAndPutTheBestExampleFirst) {
  const std::vector<Fault> faults = {race(1, {1, 2, 3}, 90), race(1, {1, 4}, 5), race(1, {1, 5}, 6),
                                     race(2, {1, 6}, 7)};
  const std::vector<Group> found = groups(faults, FaultKind::Race);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].faults, (std::vector{&faults[3]}));  // more situations in its best example
  EXPECT_EQ(found[1].faults, (std::vector{&faults[2], &faults[0], &faults[1]}));
}

TEST(Groups, PreferWhatCanBeReached) {
  std::vector<Fault> faults = {race(1, {1, 2}, 90), race(1, {1, 4, 5}, 5)};
  faults[0].reachable = false;
  const std::vector<Group> found = groups(faults, FaultKind::Race);
  EXPECT_EQ(&found[0].best(), &faults[1]);
}

TEST(Groups, JoinOverlappingChoicesOfAState) {
  const std::vector<Fault> faults = {choice(0, {1, 2}), choice(0, {3, 4}), choice(0, {2, 5}),
                                     choice(1, {1, 2})};
  const std::vector<Group> found = groups(faults, FaultKind::Nondeterminism);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].faults, (std::vector{&faults[0], &faults[2]}));
  EXPECT_EQ(rules_of(found[0]), rules({1, 2, 5}));
}

TEST(Groups, OfAnotherKindAreLeftOut) {
  const std::vector<Fault> faults = {choice(0, {1, 2})};
  EXPECT_TRUE(groups(faults, FaultKind::Race).empty());
}

TEST(Groups, GiveTheirBestFaultsAsExamplesAsFarAsThereIsRoom) {
  std::vector<Fault> faults = {race(1, {1, 2, 3}, 9), race(1, {1, 3}, 2), choice(0, {1, 2})};
  for (std::uint32_t i = 0; i <= kGroupsShown; ++i)
    faults.push_back(cycle(0, {2 * i, 2 * i + 1}, 0));
  const std::vector<const Fault*> found = examples(faults);
  ASSERT_EQ(found.size(), 2 + kGroupsShown);
  EXPECT_EQ(found[0], &faults[2]);
  EXPECT_EQ(found[1], &faults[1]);
  EXPECT_EQ(found.back(), &faults[faults.size() - 2]);
}

}  // namespace
}  // namespace poise::finding
