#include "poise/verify/zones/explore.h"

#include <algorithm>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/verify/solver/clauses.h"
#include "poise/verify/solver/repair.h"
#include "poise/verify/solver/solver_paths.h"
#include "tests/support/car_models.h"

namespace poise::verify {
namespace {

// Two or three states, rules with random guards and actions of the car.
std::string random_rules(Random& random) {
  const auto one_of = [&](auto... words) {
    const std::vector<std::string> all = {words...};
    return all[random.below(all.size())];
  };
  std::string text = "state A initial, B, C\n";
  const std::size_t count = 3 + random.below(4);
  for (std::size_t i = 0; i < count; ++i) {
    text += fmt::format("rule r{}: {} -> {} when {} {} {}", i, one_of("A", "A", "B", "C"),
                        one_of("A", "B", "C"), one_of("disF", "disB", "disL"),
                        one_of(">=", ">", "<"), one_of("15", "20", "21", "21.5", "30"));
    if (random.below(2) == 0) text += " and disR >= 10";
    if (random.below(3) == 0) text += fmt::format(" priority {}", random.below(3));
    if (random.below(4) != 0) {
      text += " do " + one_of("walkF", "walkB", "turnL, walkF", "walkF, turnR, walkF", "turnL");
    }
    text += "\n";
  }
  return text;
}

void expect_same(const std::vector<Hazard>& some, const std::vector<Hazard>& others) {
  ASSERT_EQ(some.size(), others.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_TRUE(at_same_place(some[i], others[i])) << i;
    EXPECT_EQ(some[i].first, others[i].first);
    EXPECT_EQ(some[i].paths, others[i].paths);
  }
}

TEST(Explore, AFailureAfterEachOfTwoActionsIsTwoHazardsAndOneCounterexample) {
  const model::Model model = tests::car_with(R"(
    state A initial
    rule go: A -> A when disF >= 20 do walkF, walkF
  )");
  const System system = system_of(model, Mode::Actual);
  Budget budget;
  const std::variant<ZoneSystem, std::string> made = ZoneSystem::of(system, budget);
  const Paths zones = paths_by_zones(system, std::get<ZoneSystem>(made), 2, 100, budget);
  const Paths solver = paths_by_solver(system, 2, 100, budget);
  const Reached all = reached(system, std::get<ZoneSystem>(made), budget);
  EXPECT_TRUE(all.finished);
  ASSERT_EQ(all.hazards.size(), 2U);
  for (const Paths& paths : {zones, solver}) {
    ASSERT_EQ(paths.hazards.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_TRUE(at_same_place(paths.hazards[i], all.hazards[i]));
      EXPECT_EQ(paths.hazards[i].act, i);
      EXPECT_EQ(paths.hazards[i].paths, (std::vector<Integer>{1, 1}));
    }
    EXPECT_EQ(paths.failing, (std::vector<Integer>{1, 1}));
    ASSERT_EQ(paths.listed.size(), 2U);
    for (const FailingPath& one : paths.listed) {
      EXPECT_EQ(one.act, 0U);
      EXPECT_EQ(one.later, std::vector<std::size_t>{1});
    }
  }
}

TEST(Explore, ZonesAndTheSolverFindTheSamePaths) {
  Random random(5);
  std::size_t failing = 0;
  for (int i = 0; i < 25; ++i) {
    const std::string rules = random_rules(random);
    const model::Model model = tests::car_with(rules);
    for (const Mode mode : {Mode::Naive, Mode::Ideal, Mode::Actual, Mode::AsPrinted}) {
      const System system = system_of(model, mode);
      Budget budget;
      const std::variant<ZoneSystem, std::string> made = ZoneSystem::of(system, budget);
      ASSERT_TRUE(std::holds_alternative<ZoneSystem>(made)) << std::get<std::string>(made);
      const Paths zones = paths_by_zones(system, std::get<ZoneSystem>(made), 3, 10'000, budget);
      const Paths solver = paths_by_solver(system, 3, 10'000, budget);
      ASSERT_TRUE(zones.fits) << rules;
      ASSERT_EQ(zones.listed.size(), solver.listed.size()) << rules;
      for (std::size_t j = 0; j < zones.listed.size(); ++j) {
        EXPECT_EQ(zones.listed[j].path, solver.listed[j].path) << rules;
        EXPECT_EQ(zones.listed[j].act, solver.listed[j].act) << rules;
        EXPECT_EQ(zones.listed[j].later, solver.listed[j].later) << rules;
      }
      expect_same(zones.hazards, solver.hazards);
      for (std::size_t length = 0; length < solver.possible.size(); ++length) {
        EXPECT_EQ(zones.possible[length], solver.possible[length]) << rules;
      }
      failing += zones.listed.size();
    }
  }
  EXPECT_GT(failing, 200U);
}

TEST(Explore, WithoutRoomForAllNodesShorterPathsAreCounted) {
  const model::Model model = tests::car_with(R"(
    state A initial
    rule ahead: A -> A when disF >= 20 do walkF
    rule back: A -> A when disF < 20 and disB >= 30 do walkB
    rule left: A -> A when disL >= 20 do turnL, walkF
  )");
  const System system = system_of(model, Mode::Actual);
  Budget budget;
  const std::variant<ZoneSystem, std::string> made = ZoneSystem::of(system, budget);
  constexpr std::size_t kBound = 10;
  const Paths all = paths_by_zones(system, std::get<ZoneSystem>(made), kBound, 100, budget);
  ASSERT_EQ(all.stopped, "");
  std::size_t counted = 0;
  for (const std::size_t bytes : {0U, 2'000U, 10'000U, 30'000U}) {
    const Effort effort(budget, {}, bytes);
    const Paths some = paths_by_zones(system, std::get<ZoneSystem>(made), kBound, 100, effort);
    EXPECT_NE(some.stopped, "");
    ASSERT_LT(some.possible.size(), kBound);
    EXPECT_GE(some.possible.size(), counted);
    counted = some.possible.size();
    const auto is_start_of = [](const auto& part, const auto& whole) {
      return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
    };
    EXPECT_TRUE(is_start_of(some.possible, all.possible));
    EXPECT_TRUE(is_start_of(some.failing, all.failing));
    for (const Hazard& hazard : some.hazards) {
      EXPECT_LE(hazard.paths.size(), counted);
      const auto same = std::ranges::find_if(
          all.hazards, [&](const Hazard& other) { return at_same_place(other, hazard); });
      ASSERT_NE(same, all.hazards.end());
      EXPECT_TRUE(is_start_of(hazard.paths, same->paths));
    }
    for (const FailingPath& one : some.listed) EXPECT_LE(one.path.size(), counted);
  }
  EXPECT_GT(counted, 3U);
}

// By zones, and by clauses, which know nothing of each other.
TEST(Explore, InvariantsOfBothKindsGiveTheSameVerdicts) {
  Random random(8);
  std::size_t safe = 0;
  for (int i = 0; i < 12; ++i) {
    const std::string rules = random_rules(random);
    const model::Model model = tests::car_with(rules);
    const System system = system_of(model, Mode::Actual);
    Budget budget;
    const std::variant<ZoneSystem, std::string> made = ZoneSystem::of(system, budget);
    const Reached all = reached(system, std::get<ZoneSystem>(made), budget);
    if (!all.fits || !all.finished) continue;
    Budget twenty_seconds({.time = std::chrono::seconds(20)});
    Watchdog watchdog(twenty_seconds);
    const Proof proof = proof_by_clauses(system, Effort(twenty_seconds, {&watchdog, nullptr}));
    if (proof.verdict == Verdict::Unknown) continue;
    EXPECT_EQ(proof.verdict == Verdict::Safe, all.hazards.empty()) << rules;
    EXPECT_EQ(proof.hazards.size(), all.hazards.size()) << rules;
    safe += std::size_t{all.hazards.empty()};
  }
  EXPECT_GT(safe, 0U);
}

// A reading of 20 is an actual 14 or more, and a step is up to 15: only more than 21 is enough.
TEST(Repair, IsTheLeastThatIsEnough) {
  const model::Model model = tests::car_with(tests::kFourRules);
  const System system = system_of(model, Mode::Actual);
  Budget budget;
  const std::variant<ZoneSystem, std::string> made = ZoneSystem::of(system, budget);
  const Reached all = reached(system, std::get<ZoneSystem>(made), budget);
  ASSERT_EQ(all.hazards.size(), 4U);
  std::size_t effort = 1'000'000;
  const std::vector<Repair> found = repairs(system, all.hazards.front(), effort, budget);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().to, Rational(21));
  EXPECT_TRUE(found.front().strict);
  EXPECT_TRUE(found.front().least);
  // Nothing that r3 senses says what is behind.
  EXPECT_TRUE(repairs(system, all.hazards.back(), effort, budget).empty());
  std::size_t none = 0;
  EXPECT_TRUE(repairs(system, all.hazards.front(), none, budget).empty());
}

}  // namespace
}  // namespace poise::verify
