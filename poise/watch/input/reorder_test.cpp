#include "poise/watch/input/reorder.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/lang/lang.h"
#include "poise/watch/input/feed.h"
#include "poise/watch/monitor.h"

namespace poise::watch {
namespace {

using Numbers = std::vector<std::size_t>;

constexpr Time kSecond = 1'000'000'000;

model::Model belt() {
  lang::Parsed parsed = lang::parse({.name = "belt.poise", .text = R"(
    sense load : int 0..9
    stream parcels { weight: real 0..50 }
    state Empty initial
    state Busy
    state Full
    rule start: Empty -> Busy when exists p in parcels[last 3s]: p.weight > 10
    rule fill:  Busy -> Full  when load > 4
    rule rest:  Busy, Full -> Empty when not (exists p in parcels[last 3s]: true)
  )"});
  EXPECT_TRUE(parsed.model.has_value());
  return *std::move(parsed.model);
}

std::string at(double time, const std::string& app = "") {
  return fmt::format(R"({{"t": {}, "app": "{}", "set": {{"load": 1}}}})", time, app);
}

// Hands out the numbers of the lines whose time has come.
Numbers due(Reorder& held) {
  Numbers numbers;
  while (const auto line = held.next()) numbers.push_back(line->number);
  return numbers;
}

Numbers taken(Reorder& held, std::size_t number, const std::string& line) {
  const auto late = held.take(number, line);
  EXPECT_TRUE(late && !*late);
  return due(held);
}

TEST(Reorder, HandsOverWhatIsOldEnoughInTheOrderOfTime) {
  const model::Model model = belt();
  Reorder held(model, 5 * kSecond);
  EXPECT_EQ(taken(held, 1, at(10)), Numbers{});
  EXPECT_EQ(taken(held, 2, at(14)), Numbers{});
  EXPECT_EQ(taken(held, 3, at(12)), Numbers{});
  EXPECT_EQ(taken(held, 4, at(15)), Numbers{1});
  EXPECT_EQ(taken(held, 5, at(20)), (Numbers{3, 2, 4}));
  held.finish();
  EXPECT_EQ(due(held), Numbers{5});
}

TEST(Reorder, KeepsTheOrderOfEqualTimes) {
  const model::Model model = belt();
  Reorder held(model, kSecond);
  for (std::size_t i = 1; i <= 20; ++i)
    EXPECT_EQ(taken(held, i, at(i % 2 == 0 ? 3 : 3.5)), Numbers{});
  held.finish();
  EXPECT_EQ(due(held),
            (Numbers{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19}));
}

TEST(Reorder, SaysWhatIsLate) {
  const model::Model model = belt();
  Reorder held(model, kSecond);
  EXPECT_EQ(taken(held, 1, at(1)), Numbers{});
  EXPECT_EQ(taken(held, 2, at(9)), Numbers{1});
  // Older than the lateness allows, but nothing after it has been handed over.
  EXPECT_EQ(taken(held, 3, at(4)), Numbers{3});
  EXPECT_EQ(taken(held, 4, at(4)), Numbers{4});
  const auto late = held.take(5, at(3));
  ASSERT_TRUE(late && *late);
  EXPECT_EQ((*late)->time, 3 * kSecond);
  EXPECT_EQ((*late)->after, 4 * kSecond);
  EXPECT_EQ(due(held), Numbers{});
}

TEST(Reorder, GivesALineWithoutATimeThatOfTheNewest) {
  const model::Model model = belt();
  Reorder held(model, 5 * kSecond);
  const std::string untimed = R"({"set": {"load": 2}})";
  EXPECT_EQ(taken(held, 1, at(10)), Numbers{});
  EXPECT_EQ(taken(held, 2, at(8)), Numbers{});
  EXPECT_EQ(taken(held, 3, untimed), Numbers{});
  EXPECT_EQ(taken(held, 4, at(11)), Numbers{});
  held.finish();
  EXPECT_EQ(due(held), (Numbers{2, 1, 3, 4}));
}

TEST(Reorder, KnowsTheTimeOfEachInstance) {
  const model::Model model = belt();
  Reorder held(model, 5 * kSecond);
  EXPECT_EQ(taken(held, 1, at(1000, "a")), Numbers{});
  EXPECT_EQ(taken(held, 2, at(1, "b")), Numbers{});
  EXPECT_EQ(taken(held, 3, at(6, "b")), Numbers{2});
  EXPECT_EQ(taken(held, 4, at(1005, "a")), Numbers{1});
  held.finish();
  EXPECT_EQ(due(held), (Numbers{3, 4}));
}

TEST(Reorder, IsNotMovedByAWrongLine) {
  const model::Model model = belt();
  Reorder held(model, kSecond);
  EXPECT_EQ(taken(held, 1, at(1)), Numbers{});
  const auto wrong = held.take(2, R"({"t": 99, "set": {"load": 77}})");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "column 27: `load` takes a whole number in 0..9, not `77`");
  EXPECT_FALSE(held.take(3, R"({"t": 1e300})"));
  EXPECT_EQ(due(held), Numbers{});
  EXPECT_EQ(taken(held, 4, ""), Numbers{});
  EXPECT_EQ(taken(held, 5, at(0.5)), Numbers{});
  held.finish();
  EXPECT_EQ(due(held), (Numbers{5, 1}));
}

TEST(Reorder, GoesOnWhereAnotherOneWas) {
  const model::Model model = belt();
  Reorder first(model, 5 * kSecond);
  EXPECT_EQ(taken(first, 1, at(10)), Numbers{});
  EXPECT_EQ(taken(first, 2, at(16)), Numbers{1});
  EXPECT_EQ(taken(first, 3, at(13)), Numbers{});
  EXPECT_EQ(taken(first, 4, R"({"set": {"load": 3}})"), Numbers{});

  Reorder second(model, 5 * kSecond);
  second.start("", 10 * kSecond);
  for (const HeldLine& line : first.held())
    EXPECT_EQ(taken(second, line.number, line.text), Numbers{});
  const auto late = second.take(5, at(9));
  EXPECT_TRUE(late && *late);
  second.finish();
  EXPECT_EQ(due(second), (Numbers{3, 2, 4}));
}

// What a monitor says about lines, one text for each instance.
std::vector<std::string> said_about(const model::Model& model, const std::vector<std::string>& log,
                                    std::optional<Time> lateness) {
  Monitor monitor(model, {.trace = true});
  Feed feed(model, monitor);
  std::vector<std::string> said(3);
  const auto read = [&](std::size_t number, std::string_view line) {
    const auto occurrences = feed.read(number, line);
    ASSERT_TRUE(occurrences) << line;
    for (const Occurrence& what : *occurrences) {
      said[static_cast<std::size_t>(what.app.front() - 'a')] +=
          fmt::format("{} {} {};", what.time, name(what.kind), model.states[what.state].name);
    }
  };
  std::optional<Reorder> held;
  if (lateness) held.emplace(model, *lateness);
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (!held) {
      read(i + 1, log[i]);
      continue;
    }
    const auto late = held->take(i + 1, log[i]);
    EXPECT_TRUE(late && !*late);
    while (const auto line = held->next()) read(line->number, line->text);
  }
  if (held) {
    held->finish();
    while (const auto line = held->next()) read(line->number, line->text);
  }
  return said;
}

TEST(Reorder, MakesAShuffledLogTheSameAsASortedOne) {
  const model::Model model = belt();
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    struct Event {
      std::int64_t time;     // in milliseconds
      std::int64_t arrival;  // up to two seconds later
      std::string line;
    };
    std::vector<Event> events;
    std::int64_t time = 0;
    for (int i = 0; i < 400; ++i) {
      time += static_cast<std::int64_t>(random.below(300)) + 1;
      const auto app = static_cast<char>('a' + random.below(3));
      std::string line =
          random.below(2) == 0
              ? fmt::format(R"({{"t": {}.{:03}, "app": "{}", "set": {{"load": {}}}}})", time / 1000,
                            time % 1000, app, random.below(10))
              : fmt::format(
                    R"({{"t": {}.{:03}, "app": "{}", "add": "parcels", "value": {{"weight": {}}}}})",
                    time / 1000, time % 1000, app, random.below(50));
      events.push_back({time, time + static_cast<std::int64_t>(random.below(2001)), line});
    }
    std::vector<std::string> sorted;
    for (const Event& event : events) sorted.push_back(event.line);
    std::ranges::stable_sort(events, {}, &Event::arrival);
    std::vector<std::string> shuffled;
    for (const Event& event : events) shuffled.push_back(event.line);
    ASSERT_NE(sorted, shuffled);
    const std::vector<std::string> expected = said_about(model, sorted, std::nullopt);
    EXPECT_NE(expected.front(), "");
    EXPECT_EQ(said_about(model, shuffled, 2 * kSecond), expected);
  }
}

}  // namespace
}  // namespace poise::watch
