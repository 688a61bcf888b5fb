#include "poise/report/text/shake.h"

#include <gtest/gtest.h>

namespace poise::report {
namespace {

shake::Report lamp_report() {
  shake::Report report;
  report.subject = "policy";
  report.generator = "random";
  report.grid.properties = {{.name = "hour", .values = {0, 1, 2}, .texts = {"0", "1", "2"}}};
  report.fields = {{.name = "lamp", .kind = shake::Field::Kind::Boolean}};
  report.flows = {{{0}, {1}}};
  report.facts.resize(1);
  return report;
}

TEST(ShakeText, LeavesOutTheMiddleOfALongTable) {
  const shake::Report report = lamp_report();
  std::vector<shake::ShownTick> shown;
  for (std::size_t i = 0; i < 40; ++i) {
    shown.push_back({.first = i, .instance = {static_cast<shake::Index>(i % 3)}, .actual = {1}});
  }
  const std::string table = flow_table(report, shown, 2);
  EXPECT_TRUE(table.starts_with("  tick  hour  │  lamp\n  1     0     │  true\n"));
  EXPECT_NE(table.find("  12    2     │  true\n  …\n  29    1     │  true\n"), std::string::npos)
      << table;
  EXPECT_TRUE(table.ends_with("  40    0     │  true\n"));
}

TEST(ShakeText, ShowsWhatWasExpectedWhereItDiffers) {
  const shake::Report report = lamp_report();
  const std::string table =
      flow_table(report,
                 {{.first = 0, .ticks = 3, .instance = {shake::kNoValue}, .actual = {0}},
                  {.first = 3,
                   .instance = {2},
                   .actual = {1},
                   .expected = shake::Variant{0},
                   .acted = {"on"}}},
                 0);
  EXPECT_EQ(table,
            "tick  hour  │  lamp\n"
            "1-3   -     │  false\n"
            "4     2     │  true (expected false)  on (expected nothing)\n");
}

TEST(ShakeText, BoundsTheOddsWhereChanceFoundNothing) {
  shake::Report report = lamp_report();
  report.confidence_bound = 0.0295;
  report.coverage = {{.what = "pairs", .covered = 1234, .feasible = 5000}};
  EXPECT_EQ(shake_summary(report),
            "nothing failed in 1 flow (such a flow fails in at most 2.9 %, with 95 % certainty); "
            "pairs 1,234/5,000; seed 1");
  report.extent.complete = false;
  report.extent.stopped = "the time limit was reached";
  EXPECT_TRUE(shake_summary(report).ends_with("; not complete: the time limit was reached"));
}

TEST(ShakeText, CountsFlowsAndWhatWasKeptApart) {
  shake::Report report = lamp_report();
  report.failures.push_back({.kind = shake::Failing::Kind::Range,
                             .name = "a variant",
                             .text = "why",
                             .at = {},
                             .flows = 0,
                             .kept = 2,
                             .original = {},
                             .smallest = {{0}},
                             .shown = {}});
  model::Model model;
  model.name = "Lamp";
  model.file = "lamp.poise";
  const std::string text = shake_text(
      model, report, {.width = 100, .replays = {"poise shake --replay q.json lamp.poise"}});
  EXPECT_NE(text.find("a variant leaves its range\n"), std::string::npos);
  EXPECT_NE(text.find("    flow      0 of 1 flow show it, and 2 kept; the smallest has 1 tick\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("    replay    poise shake --replay q.json lamp.poise\n"), std::string::npos);
}

}  // namespace
}  // namespace poise::report
