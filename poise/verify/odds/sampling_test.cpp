#include "poise/verify/odds/sampling.h"

#include <gtest/gtest.h>

namespace poise::verify {
namespace {

PartBranch branch(std::vector<std::size_t> groups, std::vector<std::size_t> choices) {
  return {.groups = std::move(groups), .choices = std::move(choices), .stages = {}};
}

double sum(const std::vector<double>& probabilities, const std::vector<bool>& counts) {
  double total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) total += counts[i] ? probabilities[i] : 0;
  return total;
}

TEST(Counting, AddsUpGroupsAndTakesTheBestChoiceOfEach) {
  const std::vector<PartBranch> branches = {branch({0}, {0}), branch({0}, {1}), branch({2}, {2})};
  EXPECT_EQ(counting(branches, {0.2, 0.3, 0.4}), (std::vector<bool>{false, true, true}));
  EXPECT_EQ(counting(branches, {0.3, 0.2, 0.4}), (std::vector<bool>{true, false, true}));
}

TEST(Counting, TakesBranchesOfOneChoiceTogether) {
  // The outcomes of one choice exclude each other.
  const std::vector<PartBranch> branches = {branch({0}, {0}), branch({0}, {0}), branch({0}, {2})};
  EXPECT_EQ(counting(branches, {0.2, 0.2, 0.3}), (std::vector<bool>{true, true, false}));
}

// At the first act the environment chooses; what it chose decides which groups there are at the
// second. Groups after different choices never come together, so they do not add up.
TEST(Counting, OfTwoActsLooksAtWhatComesAfterEachChoice) {
  const std::vector<PartBranch> branches = {
      branch({0, 0}, {0, 0}), branch({0, 0}, {0, 1}), branch({0, 2}, {0, 2}),
      branch({0, 3}, {1, 3}), branch({0, 4}, {1, 4}),
  };
  // After choice 0: the better of 0.5 and 0.6, and 0.2; after choice 1: 0.7 and 0.3.
  const std::vector<double> probabilities = {0.5, 0.6, 0.2, 0.7, 0.3};
  const std::vector<bool> counts = counting(branches, probabilities);
  EXPECT_EQ(counts, (std::vector<bool>{false, false, false, true, true}));
  EXPECT_LE(sum(probabilities, counts), 1);
  EXPECT_EQ(counting(branches, {0.5, 0.6, 0.2, 0.4, 0.3}),
            (std::vector<bool>{false, true, true, false, false}));
}

}  // namespace
}  // namespace poise::verify
