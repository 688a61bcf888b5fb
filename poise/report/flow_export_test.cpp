#include "poise/report/flow_export.h"

#include <gtest/gtest.h>

namespace poise::report {
namespace {

using shake::kNoValue;

// A load with a label beside it whose texts want quotes.
shake::Grid grid() {
  return {.properties = {{.name = "load",
                          .low = -5,
                          .high = 100,
                          .values = {-5, 0, 2.6, 100},
                          .texts = {"-5", "0", "2.6", "100"}},
                         {.name = "kind, of day",
                          .kind = shake::Property::Kind::Label,
                          .values = {0, 1},
                          .texts = {"rest", "\"work\", mostly"}}},
          .constraints = {}};
}

TEST(FlowExport, IsATableWithTimesInSeconds) {
  EXPECT_EQ(flow_csv(grid(), {{3, 0}, {kNoValue, 1}, {2, 0}}, 0.5),
            "t,load,\"kind, of day\"\n"
            "0,100,rest\n"
            "0.5,,\"\"\"work\"\", mostly\"\n"
            "1,2.6,rest\n");
}

TEST(FlowExport, HoldsEachLoadAndJumpsToTheNext) {
  const std::string text = flow_k6(grid(), {{3, 0}, {3, 1}, {2, 0}, {kNoValue, 0}}, 15, 0);
  EXPECT_NE(
      text.find("// load over time, as virtual users: a user for each 1 of load. A tick is 15s."),
      std::string::npos);
  EXPECT_NE(text.find("      stages: [\n"
                      "        { duration: '0s', target: 100 }, { duration: '30s', target: 100 },\n"
                      "        { duration: '0s', target: 3 }, { duration: '15s', target: 3 },\n"
                      "        { duration: '0s', target: 0 }, { duration: '15s', target: 0 },\n"
                      "      ],\n"),
            std::string::npos)
      << text;
}

TEST(FlowExport, KnowsNoLoadBelowNothing) {
  const std::string text = flow_k6(grid(), {{0, 0}, {1, 0}}, 1, 0);
  EXPECT_NE(text.find("{ duration: '2s', target: 0 }"), std::string::npos) << text;
  EXPECT_EQ(text.find("target: -"), std::string::npos) << text;
}

TEST(FlowExport, SaysUntilWhenForLocust) {
  const std::string text = flow_locust(grid(), {{3, 0}, {3, 1}, {2, 0}}, 2, 0);
  EXPECT_NE(text.find("        (4, 100),\n        (6, 3),\n    ]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("return users, 100\n"), std::string::npos);
}

}  // namespace
}  // namespace poise::report
