#include "poise/rank/evidence.h"

#include <cmath>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/rank/constraints.h"
#include "poise/rank/quality.h"

namespace poise::rank {
namespace {

using finding::Conjunction;
using finding::Literal;

constexpr Truth F = Truth::False;
constexpr Truth T = Truth::True;
constexpr Truth U = Truth::Unknown;

Literal evidence_literal(std::uint32_t atom, bool holds = true) {
  return {model::AtomId{atom}, holds};
}

Seen seen_of(const Evidence& evidence, const Conjunction& situation) {
  const Conjunction* const situations[] = {&situation};
  return seen(evidence, situations).front();
}

// Table 2 of the paper: Wi-Fi office, Wi-Fi home, GPS on, at the office, at home.
Evidence table_2() {
  Evidence evidence;
  std::size_t line = 0;
  for (const std::vector<Truth>& truths : {std::vector{T, F, F, F, F},
                                           {F, F, T, T, F},
                                           {T, F, T, T, F},
                                           {F, F, F, F, T},
                                           {F, F, F, T, F}}) {
    evidence.add(truths, ++line, std::nullopt);
  }
  evidence.finish();
  return evidence;
}

TEST(Constraints, HaveTheSupportAndConfidenceOfTable2) {
  const Evidence evidence = table_2();
  EXPECT_DOUBLE_EQ(support(evidence, evidence_literal(3)), 0.6);
  const std::vector<Edge> edges = constraints(evidence, {.support = 0, .confidence = 0});
  bool found = false;
  for (const Edge& edge : edges) {
    if (edge.from != evidence_literal(3) || edge.to != evidence_literal(2)) continue;
    found = true;
    EXPECT_DOUBLE_EQ(edge.support, 0.4);
    EXPECT_DOUBLE_EQ(edge.confidence, 0.4 / 0.6);
  }
  EXPECT_TRUE(found);
}

TEST(Constraints, ReachBothThresholds) {
  for (const Edge& edge : constraints(table_2(), {})) {
    EXPECT_GE(edge.support, 0.25);
    EXPECT_GE(edge.confidence, 0.5);
  }
  EXPECT_EQ(constraints(table_2(), {.support = 1.1, .confidence = 0}).size(), 0U);
}

TEST(Constraints, LeaveOutWhatIsNotKnown) {
  Evidence evidence;
  evidence.add(std::vector{T, T}, 1, std::nullopt);
  evidence.add(std::vector{T, U}, 2, std::nullopt);
  evidence.add(std::vector{F, F}, 3, std::nullopt);
  evidence.add(std::vector{U, F}, 4, std::nullopt);
  EXPECT_DOUBLE_EQ(support(evidence, evidence_literal(0)), 2.0 / 3);
  EXPECT_DOUBLE_EQ(support(evidence, evidence_literal(1)), 1.0 / 3);
  for (const Edge& edge : constraints(evidence, {.support = 0, .confidence = 0})) {
    if (edge.from == evidence_literal(0) && edge.to == evidence_literal(1)) {
      EXPECT_DOUBLE_EQ(edge.confidence, 1);
    }
  }
}

TEST(Evidence, KnowsHowLongAndHowOften) {
  Evidence evidence;
  evidence.add(std::vector{T, F}, 1, 0);
  evidence.add(std::vector{T, T}, 2, 10);
  evidence.add(std::vector{F, T}, 3, 40);
  evidence.add(std::vector{T, T}, 5, 100);
  evidence.add(std::vector{T, T}, 6, 110);
  evidence.finish();
  EXPECT_EQ(evidence.entries(), 5U);
  EXPECT_DOUBLE_EQ(evidence.seconds(), 110 + 110.0 / 4);
  const Seen both = seen_of(evidence, {evidence_literal(0), evidence_literal(1)});
  EXPECT_EQ(both.entries, 3U);
  EXPECT_EQ(both.known, 5U);
  EXPECT_EQ(both.times, 2U);
  EXPECT_DOUBLE_EQ(both.seconds, 30 + 10 + 110.0 / 4);
  EXPECT_EQ(both.first_line, 2U);
  EXPECT_EQ(both.last_time, 110);
  const Seen first = seen_of(evidence, {evidence_literal(0)});
  EXPECT_EQ(first.times, 2U);
  EXPECT_EQ(first.entries, 4U);
  EXPECT_EQ(seen_of(evidence, {evidence_literal(0, false), evidence_literal(1, false)}).entries,
            0U);
}

TEST(Evidence, KeepsInstancesApart) {
  Evidence evidence;
  evidence.add(std::vector{T}, 1, 0, "a");
  evidence.add(std::vector{F}, 2, 5, "b");
  evidence.add(std::vector{T}, 3, 10, "a");
  evidence.add(std::vector{T}, 4, 25, "b");
  evidence.finish();
  const Seen seen = seen_of(evidence, {evidence_literal(0)});
  EXPECT_EQ(seen.times, 2U);
  EXPECT_DOUBLE_EQ(seen.seconds, 10 + 10 + 20);
}

// A truth that differs decides; else what is not known leaves the entry out.
TEST(Evidence, DoesNotTakeUnknownForFalse) {
  Evidence evidence;
  evidence.add(std::vector{T, U}, 1, std::nullopt);
  evidence.add(std::vector{F, U}, 2, std::nullopt);
  evidence.add(std::vector{T, T}, 3, std::nullopt);
  const Seen seen = seen_of(evidence, {evidence_literal(0), evidence_literal(1)});
  EXPECT_EQ(seen.entries, 1U);
  EXPECT_EQ(seen.known, 2U);
}

TEST(Quality, AgreesWithEquation6OnRandomRankings) {
  Random random(5);
  for (int round = 0; round < 100; ++round) {
    std::vector<bool> ranked(1 + random.below(60));
    for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i] = random.below(3) == 0;
    double sum = ranked[0] ? 1 : 0;
    double ideal = 0;
    std::size_t truths = 0;
    for (std::size_t i = 2; i <= ranked.size(); ++i) {
      if (ranked[i - 1]) sum += 1 / std::log2(static_cast<double>(i));
    }
    for (const bool is_true : ranked) {
      if (!is_true) continue;
      ++truths;
      ideal += truths == 1 ? 1 : 1 / std::log2(static_cast<double>(truths));
    }
    EXPECT_NEAR(dcg(ranked), sum, 1e-12);
    EXPECT_NEAR(normalized_dcg(ranked), truths == 0 ? 1 : sum / ideal, 1e-12);
  }
}

TEST(Quality, IsThatOfEquation6) {
  EXPECT_DOUBLE_EQ(dcg({true, false, true, true}), 1 + 1 / std::log2(3.0) + 0.5);
  EXPECT_DOUBLE_EQ(dcg({false, true}), 1);  // log2 of 2
  EXPECT_DOUBLE_EQ(normalized_dcg({true, true, false}), 1);
  EXPECT_DOUBLE_EQ(normalized_dcg({false, false, true}), 1 / std::log2(3.0));
  EXPECT_DOUBLE_EQ(normalized_dcg({false, false}), 1);
  EXPECT_DOUBLE_EQ(random_dcg(2, 1), 1);
  EXPECT_DOUBLE_EQ(random_dcg(3, 1), (2 + 1 / std::log2(3.0)) / 3);
  EXPECT_DOUBLE_EQ(precision({true, false, true, true}, 2), 0.5);
  EXPECT_DOUBLE_EQ(precision({true}, 5), 1);
}

}  // namespace
}  // namespace poise::rank
