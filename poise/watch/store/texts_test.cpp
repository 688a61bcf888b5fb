#include "poise/watch/store/texts.h"

#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"

namespace poise::watch {
namespace {

void mark(Texts& texts, const std::set<Cell>& used) {
  texts.begin_marking();
  for (const Cell text : used) texts.mark(text);
  texts.end_marking(used.size());
}

TEST(Texts, HaveOneNumberEach) {
  Texts texts({"fixed", "also"});
  EXPECT_EQ(texts.find("fixed"), 0);
  EXPECT_EQ(texts.find("also"), 1);
  EXPECT_EQ(texts.find("a"), std::nullopt);
  const Cell first = texts.number("a");
  EXPECT_EQ(texts.number("a"), first);
  EXPECT_EQ(texts.find("a"), first);
  EXPECT_EQ(texts.text(first), "a");
}

TEST(Texts, WithoutAMarkGiveTheirNumbersAway) {
  Texts texts({"fixed"});
  const Cell used = texts.number("used");
  const Cell pinned = texts.number("pinned");
  texts.pin(pinned);
  const Cell unused = texts.number("unused");
  mark(texts, {used});
  EXPECT_EQ(texts.find("unused"), unused);  // as long as nobody needs it
  EXPECT_EQ(texts.number("a new one"), unused);
  EXPECT_EQ(texts.find("unused"), std::nullopt);
  EXPECT_GT(texts.number("another one"), unused);
  EXPECT_EQ(texts.find("fixed"), 0);
  EXPECT_EQ(texts.find("used"), used);
  EXPECT_EQ(texts.find("pinned"), pinned);
  texts.unpin(pinned);
  mark(texts, {});
  EXPECT_EQ(texts.number("b"), used);
  EXPECT_EQ(texts.number("c"), pinned);
}

TEST(Texts, AskedForAgainStay) {
  Texts texts({});
  const Cell text = texts.number("text");
  mark(texts, {});
  EXPECT_EQ(texts.number("text"), text);
  EXPECT_NE(texts.number("a new one"), text);
}

// However many come, there are never many more than are in use.
TEST(Texts, ComeAndGo) {
  Texts texts({"fixed"});
  Random random(3);
  std::map<Cell, std::string> used;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    // Short ones and long ones, old ones and new ones.
    const std::string text = fmt::format("{}{}", random.below(2) == 0 ? "t" : "a text of length ",
                                         random.below(4) == 0 ? random.below(300) : 1'000 + i);
    const Cell number = texts.number(text);
    const auto known = used.find(number);
    if (known != used.end()) {
      ASSERT_EQ(known->second, text);
    }
    used[number] = text;
    if (used.size() > 500)
      used.erase(std::next(used.begin(), static_cast<std::ptrdiff_t>(random.below(500))));
    if (!texts.should_mark()) continue;
    texts.begin_marking();
    for (const auto& [cell, known_text] : used) {
      ASSERT_EQ(texts.text(cell), known_text);
      texts.mark(cell);
    }
    texts.end_marking(used.size());
  }
  EXPECT_LT(texts.rows(), 1'200U);
  EXPECT_EQ(texts.find("fixed"), 0);
}

}  // namespace
}  // namespace poise::watch
