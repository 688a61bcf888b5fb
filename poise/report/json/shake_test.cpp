#include "poise/report/json/shake.h"

#include <gtest/gtest.h>

namespace poise::report {
namespace {

shake::Grid grid_with(std::string name) {
  shake::Grid grid;
  grid.properties = {{.name = std::move(name), .values = {0, 6}, .texts = {"0", "6"}}};
  return grid;
}

TEST(ShakeJson, EqualNeighboursAreOneContext) {
  EXPECT_EQ(json_flow(grid_with("load"), {{0}, {0}, {1}}),
            R"([{"ticks": 2, "load": 0}, {"ticks": 1, "load": 6}])");
}

TEST(ShakeJson, APropertyCalledTicksIsNoNumberOfTicks) {
  EXPECT_EQ(json_flow(grid_with("ticks"), {{0}, {0}, {1}}),
            R"([{"ticks": 0}, {"ticks": 0}, {"ticks": 6}])");
}

}  // namespace
}  // namespace poise::report
