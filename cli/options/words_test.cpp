#include "cli/options/words.h"

#include <chrono>

#include <gtest/gtest.h>

namespace poise::cli {
namespace {

using std::chrono::milliseconds;

TEST(Durations, HaveUnits) {
  EXPECT_EQ(duration_from("--time-limit", "500ms"), milliseconds(500));
  EXPECT_EQ(duration_from("--time-limit", "10s"), milliseconds(10'000));
  EXPECT_EQ(duration_from("--time-limit", "2m"), milliseconds(120'000));
  EXPECT_EQ(duration_from("--time-limit", "1.5h"), milliseconds(5'400'000));
  EXPECT_EQ(duration_from("--time-limit", "3"), milliseconds(3'000));
  for (const char* wrong : {"", "s", "1d", "-1s", ".5s", "1.s", "1 s", "1e3"}) {
    EXPECT_FALSE(duration_from("--time-limit", wrong)) << wrong;
  }
}

TEST(Durations, DoNotOverflow) {
  EXPECT_TRUE(duration_from("--time-limit", "1000000000000h"));
  EXPECT_FALSE(duration_from("--time-limit", "99999999999999999999999999999999h"));
}

TEST(Bytes, HaveUnits) {
  EXPECT_EQ(bytes_from("4096"), 4096U);
  EXPECT_EQ(bytes_from("512M"), std::size_t{512} << 20);
  EXPECT_EQ(bytes_from("1.5G"), std::size_t{3} << 29);
  EXPECT_FALSE(bytes_from("2X"));
  EXPECT_FALSE(bytes_from("99999999999999T"));
}

TEST(PathCounts, MayBeNoneOrAll) {
  EXPECT_EQ(paths_from("none").value(), std::optional<std::size_t>(0));
  EXPECT_EQ(paths_from("all").value(), std::optional<std::size_t>());
  EXPECT_EQ(paths_from("12").value(), std::optional<std::size_t>(12));
  EXPECT_FALSE(paths_from("12x"));
}

TEST(Kinds, AreListedOnceEach) {
  using enum finding::FaultKind;
  EXPECT_EQ(kinds_from("race,cycle,race"), (std::vector{Race, Cycle}));
  EXPECT_FALSE(kinds_from("race,"));
}

}  // namespace
}  // namespace poise::cli
