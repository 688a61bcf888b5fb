#include "poise/shake/mutants/matrix.h"

#include <bit>

#include <gtest/gtest.h>

#include "poise/base/random.h"

namespace poise::shake {
namespace {

// Says how often it has seen a number of at least so much.
class Counter final : public Subject {
 public:
  explicit Counter(double least) : least_(least) {}
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] const Variant& variant() const override { return count_; }
  void reset() override { count_ = {0}; }
  Result<std::span<const double>> step(std::span<const double> context) override {
    if (context[0] >= least_) ++count_[0];
    return std::span<const double>(count_);
  }
  [[nodiscard]] std::vector<std::string> acted() const override { return {}; }

 private:
  double least_;
  std::vector<Field> fields_ = {{.name = "count"}};
  Variant count_ = {0};
};

Contexts numbers(std::vector<double> values) {
  return {.width = 1, .count = values.size(), .values = values};
}

KillMatrix matrix_of(const std::vector<std::vector<int>>& kills) {
  KillMatrix matrix{.mutants = kills.size(), .flows = kills[0].size(), .ticks = {}};
  for (const auto& row : kills) {
    for (const int kill : row) matrix.ticks.push_back(kill != 0 ? 0 : KillMatrix::kSurvived);
  }
  return matrix;
}

TEST(KillMatrix, HoldsTheFirstTickThatDiffers) {
  const std::vector<Contexts> flows = {numbers({1, 2, 3}), numbers({5, 6}), numbers({4, 4})};
  Counter original(5);
  std::vector<Trace> expected;
  for (const Contexts& flow : flows) expected.push_back(trace_of(original, flow));
  const auto mutant = [](std::size_t i) -> std::unique_ptr<Subject> {
    return std::make_unique<Counter>(std::vector<double>{3, 6, 4.5}[i]);
  };
  constexpr std::uint32_t kNot = KillMatrix::kSurvived;
  for (const std::size_t jobs : {1U, 2U, 5U}) {
    const KillMatrix matrix = kill_matrix(flows, expected, 3, mutant, {.jobs = jobs});
    EXPECT_EQ(matrix.ticks,
              (std::vector<std::uint32_t>{2, kNot, 0, kNot, 0, kNot, kNot, kNot, kNot}));
  }
}

TEST(KillMatrix, AgreesWithWholeTraces) {
  Random random(7);
  std::vector<Contexts> flows;
  std::vector<Trace> expected;
  Counter original(5);
  for (int i = 0; i < 20; ++i) {
    std::vector<double> values;
    for (int k = 0; k < 10; ++k) values.push_back(static_cast<double>(random.below(8)));
    flows.push_back(numbers(values));
    expected.push_back(trace_of(original, flows.back()));
  }
  const auto mutant = [](std::size_t i) -> std::unique_ptr<Subject> {
    return std::make_unique<Counter>(static_cast<double>(i));
  };
  const KillMatrix matrix = kill_matrix(flows, expected, 8, mutant);
  for (std::size_t m = 0; m < 8; ++m) {
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const auto tick = first_difference(expected[f], trace_of(*mutant(m), flows[f]));
      EXPECT_EQ(matrix.tick(m, f), tick ? *tick : KillMatrix::kSurvived);
    }
  }
}

TEST(Analysis, CountsKillsAndSignatures) {
  const Analysis analysis = analysis_of(matrix_of({{1, 1, 1}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(analysis.kills, (std::vector<std::size_t>{3, 1, 0, 1}));
  EXPECT_EQ(analysis.killed, 3u);
  EXPECT_EQ(analysis.killed_by_all, 1u);
  EXPECT_EQ(analysis.signatures, 2u);
  EXPECT_EQ(analysis.unique_signatures, 1u);
  EXPECT_EQ(analysis.signature, (std::vector<std::size_t>{0, 1, KillMatrix::kSurvived, 1}));
}

TEST(Analysis, SubsumesWhatIsKilledAnyway) {
  const Analysis analysis =
      analysis_of(matrix_of({{1, 1, 1}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}}));
  EXPECT_EQ(analysis.subsumed_by, (std::vector<std::optional<std::size_t>>{
                                      2, 2, std::nullopt, std::nullopt, 2, std::nullopt}));
}

TEST(Analysis, FindsASmallestSetOfFlowsWhereGreedDoesNot) {
  // Greed takes the last flow, which kills four of six, and then needs two more.
  const Analysis analysis =
      analysis_of(matrix_of({{1, 0, 0}, {1, 0, 1}, {1, 0, 1}, {0, 1, 1}, {0, 1, 1}, {0, 1, 0}}));
  EXPECT_EQ(analysis.minimal.flows, (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(analysis.minimal.is_smallest);
}

TEST(Analysis, SetsOfFlowsAreSmallestByBruteForce) {
  Random random(3);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::vector<std::vector<int>> kills(8, std::vector<int>(9));
    for (auto& row : kills) {
      for (int& kill : row) kill = random.below(4) == 0 ? 1 : 0;
    }
    const KillMatrix matrix = matrix_of(kills);
    std::size_t fewest = 9;
    for (unsigned set = 0; set < 1U << 9; ++set) {
      bool covers = true;
      for (std::size_t m = 0; m < 8; ++m) {
        bool any = false;
        bool hit = false;
        for (std::size_t f = 0; f < 9; ++f) {
          any |= matrix.kills(m, f);
          hit |= matrix.kills(m, f) && (set >> f & 1) != 0;
        }
        covers &= hit || !any;
      }
      if (covers) fewest = std::min<std::size_t>(fewest, static_cast<unsigned>(std::popcount(set)));
    }
    const Analysis analysis = analysis_of(matrix);
    EXPECT_EQ(analysis.minimal.flows.size(), fewest);
    EXPECT_TRUE(analysis.minimal.is_smallest);
  }
}

TEST(Analysis, SaysWhenItOnlyHasWhatGreedFound) {
  const Analysis analysis =
      analysis_of(matrix_of({{1, 0, 0}, {1, 0, 1}, {1, 0, 1}, {0, 1, 1}, {0, 1, 1}, {0, 1, 0}}),
                  {.most_attempts = 0});
  EXPECT_FALSE(analysis.minimal.is_smallest);
}

TEST(Score, LeavesEquivalentMutantsOut) {
  const KillMatrix matrix = matrix_of({{1, 0}, {0, 0}, {0, 0}});
  EXPECT_DOUBLE_EQ(mutation_score(matrix, {false, false, false}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(mutation_score(matrix, {false, true, false}), 0.5);
  EXPECT_DOUBLE_EQ(mutation_score(matrix, {false, true, true}), 1);
}

TEST(Score, IsCountedByGroup) {
  const std::vector<Mutant> mutants = {
      {.group = MutantGroup::F2}, {.group = MutantGroup::F4}, {.group = MutantGroup::F4}};
  const std::vector<GroupKills> kills =
      kills_by_group(matrix_of({{1, 0}, {0, 0}, {0, 1}}), mutants, {false, true, false});
  ASSERT_EQ(kills.size(), 2u);
  EXPECT_EQ(kills[0].group, MutantGroup::F2);
  EXPECT_EQ(kills[0].killed, 1u);
  EXPECT_EQ(kills[1].mutants, 2u);
  EXPECT_EQ(kills[1].killed, 1u);
  EXPECT_EQ(kills[1].equivalent, 1u);
}

}  // namespace
}  // namespace poise::shake
