#include "cli/io/progress.h"

#include <sstream>

#include <gtest/gtest.h>

namespace poise::cli {
namespace {

using std::chrono::milliseconds;

TEST(ProgressLine, ComesAfterASecondAndIsGoneInTheEnd) {
  ProgressLine::Clock::time_point now{};
  std::ostringstream err;
  {
    ProgressLine line(&err, [&] { return now; });
    now += milliseconds(999);
    line.show("early");
    EXPECT_EQ(err.str(), "");
    now += milliseconds(1);
    line.show("10 paths");
    EXPECT_EQ(err.str(), "10 paths");
    line.show("11 paths");  // too soon after the last
    EXPECT_EQ(err.str(), "10 paths");
    now += milliseconds(200);
    line.show("9 octagons");
    EXPECT_EQ(err.str(), "10 paths\r        \r9 octagons");
  }
  EXPECT_TRUE(err.str().ends_with("9 octagons\r          \r"));
}

TEST(ProgressLine, OfAShortRunIsNeverThere) {
  std::ostringstream err;
  {
    ProgressLine line(&err);
    line.show("1 path");
  }
  EXPECT_EQ(err.str(), "");
}

TEST(ProgressLine, WithoutAStreamShowsNothing) {
  ProgressLine::Clock::time_point now{};
  ProgressLine line(nullptr, [&] { return now; });
  now += milliseconds(5000);
  line.show("1 path");
  line.clear();
}

}  // namespace
}  // namespace poise::cli
