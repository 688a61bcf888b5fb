#include "poise/rank/likelihood.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "poise/base/random.h"

namespace poise::rank {
namespace {

using finding::Case;
using finding::Conjunction;
using finding::Literal;

Literal likely_literal(std::uint32_t atom, bool holds = true) {
  return {model::AtomId{atom}, holds};
}

Evidence random_evidence(std::uint32_t atoms, std::size_t entries, std::uint64_t seed) {
  Random random(seed);
  Evidence evidence;
  std::vector<Truth> truths(atoms, Truth::False);
  for (std::size_t i = 0; i < entries; ++i) {
    for (std::uint32_t k = 0; k < atoms; ++k) {
      if (random.below(3) == 0) truths[k] = random.below(3) == 0 ? Truth::True : Truth::False;
      if (k > 0 && random.below(2) == 0) truths[k] = truths[k - 1];
    }
    evidence.add(truths, i + 1, static_cast<double>(i));
  }
  evidence.finish();
  return evidence;
}

std::vector<Conjunction> all_truths(std::uint32_t atoms) {
  std::vector<Conjunction> all;
  for (std::uint32_t bits = 0; bits < 1U << atoms; ++bits) {
    Conjunction truths;
    for (std::uint32_t k = 0; k < atoms; ++k)
      truths.push_back(likely_literal(k, (bits >> k & 1U) != 0));
    all.push_back(truths);
  }
  return all;
}

bool contains(const Conjunction& whole, const Conjunction& part) {
  return std::ranges::includes(whole, part);
}

TEST(Tree, IsADistribution) {
  const Evidence evidence = random_evidence(6, 200, 3);
  const Tree tree(6, pair_counts(evidence));
  double sum = 0;
  for (const Conjunction& truths : all_truths(6)) {
    EXPECT_GT(tree.probability(truths), 0);
    sum += tree.probability(truths);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(Tree, LeavesOutWhatIsNotAskedFor) {
  const Evidence evidence = random_evidence(6, 200, 4);
  const Tree tree(6, pair_counts(evidence));
  const Conjunction part = {likely_literal(1), likely_literal(4, false)};
  double sum = 0;
  for (const Conjunction& truths : all_truths(6)) {
    if (contains(truths, part)) sum += tree.probability(truths);
  }
  EXPECT_NEAR(tree.probability(part), sum, 1e-12);
  EXPECT_NEAR(tree.probability({}), 1, 1e-12);
}

// Two atoms are a tree of one branch: then it is the joint distribution itself, smoothed.
TEST(Tree, OfTwoAtomsIsTheirJointDistribution) {
  Evidence evidence;
  for (int i = 0; i < 6; ++i) evidence.add(std::vector{Truth::True, Truth::True}, 1, std::nullopt);
  for (int i = 0; i < 3; ++i) evidence.add(std::vector{Truth::True, Truth::False}, 1, std::nullopt);
  evidence.add(std::vector{Truth::False, Truth::False}, 1, std::nullopt);
  const Tree tree(2, pair_counts(evidence));
  const double root = (9 + 0.5) / 11;
  EXPECT_NEAR(tree.probability({likely_literal(0), likely_literal(1)}), root * 6.5 / 10, 1e-12);
}

TEST(Interval, IsThatOfTheBetaDistribution) {
  EXPECT_EQ(interval(0, 10).low, 0);
  EXPECT_EQ(interval(10, 10).high, 1);
  // Beta(0.5, 0.5) is the arcsine distribution, Beta(1, 1) is uniform.
  const double angle = std::asin(1.0) * 0.975;
  EXPECT_NEAR(interval(0, 1e-9).high, std::sin(angle) * std::sin(angle), 1e-6);
  EXPECT_NEAR(interval(0.5, 1).low, 0.025, 1e-12);
  EXPECT_NEAR(interval(0.5, 1).high, 0.975, 1e-12);
  EXPECT_NEAR(interval(0.5, 10).high, 1 - std::pow(0.025, 1.0 / 10), 1e-12);
  const Interval narrow = interval(500, 1000);
  EXPECT_NEAR(narrow.low, 0.469, 0.001);
  EXPECT_NEAR(narrow.high, 0.531, 0.001);
}

std::vector<Case> all_cases(std::uint32_t atoms) {
  std::vector<Case> cases;
  for (const Conjunction& truths : all_truths(atoms)) {
    cases.push_back({static_cast<std::uint32_t>(cases.size()), truths});
  }
  return cases;
}

TEST(LikelihoodRanking, PutsWhatWasSeenFirst) {
  const Evidence evidence = random_evidence(7, 60, 5);
  const std::vector<Case> cases = all_cases(7);
  const LikelihoodRanking ranking(cases, evidence);
  const std::vector<std::uint32_t> order = ranking.ranking();
  ASSERT_EQ(order.size(), cases.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Seen& before = ranking.seen(order[i - 1]);
    const Seen& here = ranking.seen(order[i]);
    if (here.entries > 0) {
      EXPECT_GE(before.seconds, here.seconds);
      EXPECT_EQ(ranking.probability(order[i]), 1);
    } else {
      EXPECT_LT(ranking.probability(order[i]), 1);
      EXPECT_GE(ranking.probability(order[i - 1]), ranking.probability(order[i]));
    }
  }
}

TEST(LikelihoodRanking, EstimatesLieInTheirIntervals) {
  const Evidence evidence = random_evidence(5, 80, 6);
  const std::vector<Case> cases = all_cases(5);
  const LikelihoodRanking ranking(cases, evidence);
  double sum = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Estimate estimate = ranking.estimate(i);
    EXPECT_GT(estimate.share, 0);
    EXPECT_LE(estimate.low, estimate.share);
    EXPECT_GE(estimate.high, estimate.share);
    sum += estimate.share;
  }
  EXPECT_NEAR(sum, 1, 1e-9);
}

// Atoms 0 and 1 never hold together, although both do often.
Evidence apart() {
  Evidence evidence;
  for (std::size_t i = 0; i < 40; ++i) {
    const auto truth = [](bool holds) { return holds ? Truth::True : Truth::False; };
    evidence.add(std::vector{truth(i % 2 == 0), truth(i % 2 == 1), truth(i % 3 == 0)}, i + 1,
                 std::nullopt);
  }
  return evidence;
}

// That parts came together once does not make them frequent: but they are not what is in the way of
// another case.
TEST(LikelihoodRanking, LearnsFromAConfirmedCaseThatItsPartsCanBe) {
  const std::vector<Case> cases = {
      {0, {likely_literal(0), likely_literal(1), likely_literal(2)}},
      {1, {likely_literal(0), likely_literal(1), likely_literal(2, false)}},
      {2, {likely_literal(0), likely_literal(1)}}};
  LikelihoodRanking ranking(cases, apart());
  ASSERT_EQ(ranking.obstacles(0).size(), 1U);
  EXPECT_EQ(ranking.obstacles(0).front().literals,
            (Conjunction{likely_literal(0), likely_literal(1)}));
  const double before = ranking.probability(2);
  ranking.apply(0, Verdict::Confirmed);
  EXPECT_EQ(ranking.probability(0), 1);
  ranking.apply(1, Verdict::Rejected);
  EXPECT_EQ(ranking.probability(2), before);
  EXPECT_EQ(ranking.ranking(), std::vector<std::uint32_t>{2});
}

TEST(LikelihoodRanking, LearnsFromARejectedCaseWhatIsInTheWay) {
  const std::vector<Case> cases = {
      {0, {likely_literal(0), likely_literal(1), likely_literal(2)}},
      {1, {likely_literal(0), likely_literal(1), likely_literal(2, false)}}};
  LikelihoodRanking ranking(cases, apart());
  const double before = ranking.probability(1);
  ranking.apply(0, Verdict::Rejected);
  EXPECT_LT(ranking.probability(1), before);
  EXPECT_EQ(ranking.probability(0), 0);
}

}  // namespace
}  // namespace poise::rank
