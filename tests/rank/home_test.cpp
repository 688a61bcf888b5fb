// The experiment of bench/rank in small, without a clock: two households, a log of eight weeks, and
// one year as the oracle.

#include <algorithm>

#include <gtest/gtest.h>

#include "bench/common/plot.h"
#include "bench/rank_experiment.h"

namespace poise::bench {
namespace {

using Ticks = std::vector<double>;

std::vector<Outcome> small_experiment() {
  Subject home = home_subject(POISE_EXAMPLES);
  home.sizes = {8 * 7 * 288};
  home.readings = 365 * 288;
  return outcomes(home, 2);
}

TEST(SmartHome, HasTwentyRulesAndHundredsOfCases) {
  const Subject home = home_subject(POISE_EXAMPLES);
  EXPECT_EQ(home.model.rules.size(), 20U);
  EXPECT_GT(home.cases.size(), 300U);
}

TEST(SmartHome, IsRankedWithTrueFaultsFirst) {
  const std::vector<Outcome> all = small_experiment();
  std::size_t compared = 0;
  for (const Outcome& ours : all) {
    if (ours.contender != Contender::Likelihood) continue;
    const auto paper = std::ranges::find_if(all, [&](const Outcome& other) {
      return other.contender == Contender::Paper && other.truth == ours.truth &&
             other.seed == ours.seed;
    });
    ASSERT_NE(paper, all.end());
    ++compared;
    EXPECT_EQ(ours.first_ten, 1) << "household " << ours.seed;
    EXPECT_GE(ours.qualities.front().dcg, paper->qualities.front().dcg) << ours.seed;
    EXPECT_GE(ours.first_ten, paper->first_ten) << ours.seed;
    EXPECT_GE(ours.first_twenty, paper->first_twenty) << ours.seed;
    // What happens is much less than what could: most situations come about without their fault.
    EXPECT_GT(ours.truths, 20U);
    EXPECT_LT(ours.truths, 618U);
  }
  EXPECT_EQ(compared, 4U);  // two households, two truths
}

TEST(Plots, HaveRoundTicks) {
  EXPECT_EQ(round_ticks(0, 4000), (Ticks{0, 1000, 2000, 3000, 4000}));
  EXPECT_EQ(round_ticks(200, 1517), (Ticks{0, 500, 1000, 1500, 2000}));
  EXPECT_EQ(round_ticks(0, 3), (Ticks{0, 1, 2, 3}));
  EXPECT_EQ(round_ticks(0, 32256), (Ticks{0, 10000, 20000, 30000, 40000}));
  const Ticks shares = round_ticks(0.53, 1);
  ASSERT_EQ(shares.size(), 6U);
  EXPECT_DOUBLE_EQ(shares.front(), 0.5);
  EXPECT_DOUBLE_EQ(shares[1], 0.6);
  EXPECT_DOUBLE_EQ(shares.back(), 1);
}

TEST(Plots, NameEveryLineBesideIt) {
  const std::string text =
      svg({{{.title = "t",
             .x_label = "across",
             .y_label = "up",
             .x = {1, 2},
             .series = {{"first", "red", {0.5, 0.5}, {}}, {"second", "blue", {0.5, 0.5}, {}}}}}});
  for (const char* word : {">first<", ">second<", ">across<", ">up<"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace poise::bench
