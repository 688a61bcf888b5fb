#include "poise/report/text/simulation.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/report/json/simulation.h"
#include "poise/report/svg/simulation.h"

namespace poise::report {
namespace {

constexpr const char* kCar = R"(
  sense front : real 0..40
  action walk: front' == front - 10
  failure bump: front <= 0 after walk
  state A initial
  rule walk_on: A -> A when front >= 5 do walk
  rule look: A -> A when front < 5
)";

class SimulationReport : public testing::Test {
 protected:
  void SetUp() override {
    lang::Parsed parsed = lang::parse({.name = "test.poise", .text = kCar});
    ASSERT_TRUE(parsed.model.has_value());
    model_ = std::move(*parsed.model);
    report_.simulation = verify::Simulation{.runs = 1000, .bound = 30};
  }

  void add(std::vector<model::RuleId> path, std::optional<double> predicted, std::uint64_t hits,
           double low, double high) {
    verify::Counterexample example{.failure = {},
                                   .path = std::move(path),
                                   .act = 0,
                                   .trace = {},
                                   .probability = std::nullopt,
                                   .paper_odds = std::nullopt};
    if (predicted) {
      example.probability = verify::Likelihood{.value = *predicted, .error = 0, .method = "test"};
    }
    report_.counterexamples.push_back(std::move(example));
    report_.simulation->replays.push_back({hits, low, high});
  }

  static std::size_t count(const std::string& text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
      ++found;
    }
    return found;
  }

  const model::RuleId walk_on_{0};
  const model::RuleId look_{1};
  model::Model model_;
  verify::Report report_;
};

TEST_F(SimulationReport, PutsPredictionsBesideWhatWasSeen) {
  add({walk_on_, walk_on_, walk_on_, look_, walk_on_}, 0.25, 245, 0.21, 0.28);
  add({walk_on_}, 0.5, 245, 0.21, 0.28);
  add({look_, walk_on_}, std::nullopt, 0, 0, 0.005);
  const std::string text = simulation_text(model_, report_, {});
  EXPECT_NE(text.find("walk_on ×3, look, walk_on  0.25       0.245      0.21 to 0.28\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(count(text, "not as predicted"), 1U) << text;
  EXPECT_NE(text.find("  -          0          0 to 0.005\n"), std::string::npos) << text;
}

TEST_F(SimulationReport, ShortensPathsThatDoNotFit) {
  std::vector<model::RuleId> path;
  for (int i = 0; i < 50; ++i) path.push_back(i % 2 == 0 ? walk_on_ : look_);
  add(path, 0.1, 100, 0.08, 0.13);
  const std::string text = simulation_text(model_, report_, {.width = 90});
  EXPECT_NE(text.find("walk_on, look, walk_on, …, look  0.1"), std::string::npos) << text;
}

TEST_F(SimulationReport, DrawsAPointForEachPrediction) {
  add({walk_on_}, 0.25, 250, 0.21, 0.28);
  add({look_, walk_on_}, std::nullopt, 0, 0, 0.005);
  const std::string svg = simulation_svg(model_, report_);
  EXPECT_EQ(count(svg, "<title>"), 1U);
  EXPECT_NE(svg.find("<title>bump: walk_on; predicted 0.25, observed 0.25 (0.21 to 0.28)</title>"),
            std::string::npos)
      << svg;
  // Both axes go from 0.1 to 1, so that it stands at log10(2.5) of their length.
  EXPECT_NE(svg.find("<circle cx=\"241.6\" cy=\"258.4\""), std::string::npos) << svg;
  EXPECT_NE(svg.find(">bump</text>"), std::string::npos);
  EXPECT_NE(svg.find(">observed share of 1000 runs</text>"), std::string::npos);
  EXPECT_NE(svg.find(">predicted probability of a path, per run</text>"), std::string::npos);
}

// Nothing else can be said of it on a logarithmic axis.
TEST_F(SimulationReport, DrawsWhatWasNeverSeenAsARingAtTheLowerEdge) {
  add({walk_on_}, 0.001, 0, 0, 0.005);
  const std::string svg = simulation_svg(model_, report_);
  EXPECT_NE(svg.find("<circle cx=\"84.0\" cy=\"416.0\" r=\"4\" fill=\"#fff\""), std::string::npos)
      << svg;
  EXPECT_NE(svg.find(">never seen in these runs:</text>"), std::string::npos);
  // The interval reaches from there up to 0.005, at log10(5) of the axis from 0.001 to 0.01.
  EXPECT_NE(svg.find("<line x1=\"84.0\" y1=\"416.0\" x2=\"84.0\" y2=\"139.2\""), std::string::npos)
      << svg;
}

TEST_F(SimulationReport, DrawsAxesWhereNothingIsPredicted) {
  const std::string svg = simulation_svg(model_, report_);
  EXPECT_EQ(count(svg, "<title>"), 0U);
  EXPECT_NE(svg.find(">1</text>"), std::string::npos);
  EXPECT_NE(svg.find("no probabilities to compare"), std::string::npos);
}

TEST_F(SimulationReport, HasNoFrequencyWithoutRuns) {
  report_.simulation->runs = 0;
  add({walk_on_}, 0.25, 0, 0, 1);
  EXPECT_NE(simulation_json(model_, report_).find("\"observed\": null"), std::string::npos);
  EXPECT_EQ(simulation_text(model_, report_, {}).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace poise::report
