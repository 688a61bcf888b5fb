#include "poise/shake/oracle/kept_failure.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"

namespace poise::shake {
namespace {

class Quakes : public testing::Test {
 protected:
  Quakes() {
    const lang::Parsed parsed = lang::parse({.name = "fan.poise", .text = R"(
      sense on          : bool
      sense temperature : int 10..40 if on
      sense season      : {summer, winter, null}
      constraint cold: season == winter implies temperature < 35
      variant fan : bool = false
      option start: fan := true when temperature > 22
    )"});
    EXPECT_TRUE(parsed.model.has_value());
    if (parsed.model) grid_ = grid_of(*parsed.model, 4);
  }

  [[nodiscard]] std::string mistake_in(std::string_view flow) const {
    const std::string text = R"({"model": "Fan", "flow": [)" + std::string(flow) + "]}";
    const Result<KeptFailure> quake = kept_failure_from(text, grid_);
    if (!quake) return quake.error().message;
    const Result<Replay> replay = replay_of(*quake, grid_);
    return replay ? "" : replay.error().message;
  }

  Grid grid_;
};

TEST_F(Quakes, AreFlowsTickByTick) {
  const Result<KeptFailure> quake = kept_failure_from(
      R"({"model": "Fan", "failure": "calm", "flow": [
          {"ticks": 2, "on": true, "temperature": 22, "season": "null"},
          {"season": "summer", "on": false, "temperature": null}]})",
      grid_);
  ASSERT_TRUE(quake) << quake.error().message;
  EXPECT_EQ(quake->model, "Fan");
  EXPECT_EQ(quake->failure, "calm");
  const Result<Replay> replay = replay_of(*quake, grid_);
  ASSERT_TRUE(replay) << replay.error().message;
  ASSERT_EQ(replay->flow.size(), 3U);
  EXPECT_EQ(replay->flow[0], replay->flow[1]);
  EXPECT_EQ(value_of(grid_.properties[1], replay->flow[0][1]), 22);
  EXPECT_EQ(grid_.properties[2].texts[replay->flow[0][2]], "null");
  EXPECT_EQ(replay->flow[2][1], kNoValue);
  EXPECT_EQ(replay->grid.properties[1].values, grid_.properties[1].values);
}

TEST(KeptFailure, APropertyMayBeCalledTicks) {
  const lang::Parsed parsed = lang::parse({.name = "clock.poise", .text = R"(
    sense ticks : int 0..9
    variant late : bool = false
    option ring: late := true when ticks > 5
  )"});
  const Grid grid = grid_of(*parsed.model);
  const Result<KeptFailure> quake =
      kept_failure_from(R"({"flow": [{"ticks": 6}, {"ticks": 0}]})", grid);
  ASSERT_TRUE(quake) << quake.error().message;
  EXPECT_EQ(quake->contexts, (std::vector<std::vector<std::string>>{{"6"}, {"0"}}));
}

TEST_F(Quakes, BringTheirOwnValuesAlongWithoutMovingOthers) {
  const Result<KeptFailure> quake = kept_failure_from(
      R"({"flow": [{"on": true, "temperature": 27, "season": "summer"}]})", grid_);
  ASSERT_TRUE(quake) << quake.error().message;
  const Result<Replay> replay = replay_of(*quake, grid_);
  ASSERT_TRUE(replay) << replay.error().message;
  std::vector<double> values = grid_.properties[1].values;
  EXPECT_EQ(std::ranges::count(values, 27), 0);
  values.push_back(27);
  const Property& property = replay->grid.properties[1];
  EXPECT_EQ(property.values, values);
  EXPECT_EQ(property.texts.back(), "27");
  EXPECT_EQ(property.boundary.size(), values.size());
  EXPECT_EQ(value_of(property, replay->flow[0][1]), 27);
}

TEST_F(Quakes, SayWhatIsWrongWithThem) {
  const std::string good = R"("on": true, "temperature": 22, "season": "summer")";
  EXPECT_EQ(mistake_in("{" + good + "}"), "");
  EXPECT_EQ(mistake_in(""), "there is no flow in it");
  EXPECT_EQ(mistake_in(R"({"on": true})"), "`temperature` is missing");
  EXPECT_EQ(mistake_in("{" + good + R"(, "on": true})"), "`on` is there twice");
  EXPECT_EQ(mistake_in("{" + good + R"(, "off": true})"), "`off` is no property of the model");
  for (const char* const ticks : {"0", "-1", "1.5", "\"1\"", "100001", "1e99", "null"}) {
    EXPECT_EQ(mistake_in(R"({"ticks": )" + std::string(ticks) + ", " + good + "}"),
              "`ticks` is a whole number from 1 on")
        << ticks;
  }
  EXPECT_EQ(mistake_in(R"({"ticks": 100000, )" + good + "}, {" + good + "}"), "it is too long");
  EXPECT_EQ(mistake_in(R"({"on": 1, "temperature": 22, "season": "summer"})"),
            "`on` has a value of another kind");
  EXPECT_EQ(mistake_in(R"({"on": true, "temperature": "22", "season": "summer"})"),
            "`temperature` has a value of another kind");
  EXPECT_EQ(mistake_in(R"({"on": true, "temperature": 41, "season": "summer"})"),
            "`temperature` cannot be 41");
  EXPECT_EQ(mistake_in(R"({"on": true, "temperature": 22, "season": "spring"})"),
            "`season` cannot be spring");
  EXPECT_EQ(mistake_in("{" + good + R"(}, {"on": true, "temperature": 36, "season": "winter"})"),
            "the context of tick 2 cannot happen");
  EXPECT_EQ(mistake_in(R"({"on": false, "temperature": 22, "season": "summer"})"),
            "the context of tick 1 cannot happen");
  EXPECT_EQ(kept_failure_from("\xff", grid_).error().message, "it is not UTF-8");
}

}  // namespace
}  // namespace poise::shake
