#include "poise/base/text.h"

#include <array>

#include <gtest/gtest.h>

namespace poise {
namespace {

TEST(Joined, PutsTheSeparatorBetweenParts) {
  const std::array<std::string, 3> parts = {"a", "b", "c"};
  EXPECT_EQ(joined(parts, ", "), "a, b, c");
  EXPECT_EQ(joined(std::span(parts).first(1), ", "), "a");
  EXPECT_EQ(joined({}, ", "), "");
}

TEST(Counted, UsesThePluralForEverythingButOne) {
  EXPECT_EQ(counted(1, "rule"), "1 rule");
  EXPECT_EQ(counted(0, "rule"), "0 rules");
  EXPECT_EQ(counted(2, "boundary", "boundaries"), "2 boundaries");
}

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("sense", "sense", 3), 0U);
  EXPECT_EQ(edit_distance("snese", "sense", 3), 1U);
  EXPECT_EQ(edit_distance("temprature", "temperature", 3), 1U);
  EXPECT_EQ(edit_distance("abc", "axcd", 3), 2U);
  EXPECT_EQ(edit_distance("", "abc", 3), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3U);
}

TEST(EditDistance, GivesUpBeyondTheLimit) {
  EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3U);
  EXPECT_EQ(edit_distance("a", "abcdef", 2), 3U);
  EXPECT_EQ(edit_distance("abc", "abc", 0), 0U);
  EXPECT_EQ(edit_distance("abc", "abd", 0), 1U);
}

// The whole table at once, without bands: what the bounded one must agree with.
std::size_t plain_edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1,
                              table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
      }
    }
  }
  return table[a.size()][b.size()];
}

TEST(EditDistance, AgreesWithThePlainTableOnAllShortWords) {
  std::vector<std::string> words = {""};
  for (std::size_t i = 0; words[i].size() < 5; ++i) {
    words.push_back(words[i] + "a");
    words.push_back(words[i] + "b");
  }
  for (const std::string& a : words) {
    for (const std::string& b : words) {
      const std::size_t exact = plain_edit_distance(a, b);
      for (std::size_t limit = 0; limit <= 4; ++limit) {
        ASSERT_EQ(edit_distance(a, b, limit), std::min(exact, limit + 1)) << a << " " << b;
      }
    }
  }
}

TEST(Closest, IsTheNearestNameWithinReach) {
  const std::array<std::string_view, 4> names = {"temperature", "humidity", "on", "off"};
  EXPECT_EQ(closest("temprature", names), "temperature");
  EXPECT_EQ(closest("OFF", names), "off");
  EXPECT_EQ(closest("humid", names), std::nullopt);
  EXPECT_EQ(closest("pressure", names), std::nullopt);
}

TEST(Closest, TakesTheFirstOfTwoEquallyNear) {
  const std::array<std::string_view, 2> names = {"light_a", "light_b"};
  EXPECT_EQ(closest("light_c", names), "light_a");
}

TEST(Closest, DoesNotTakeOneLetterForAnother) {
  const std::array<std::string_view, 2> names = {"x", "y"};
  EXPECT_EQ(closest("z", names), std::nullopt);
  EXPECT_EQ(closest("X", names), "x");
}

TEST(DisplayWidth, CountsCodePoints) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("größe"), 5U);
  EXPECT_EQ(display_width(""), 0U);
}

}  // namespace
}  // namespace poise
