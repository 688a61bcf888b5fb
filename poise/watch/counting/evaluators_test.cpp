// All evaluators say the same, on logs whose windows hold so much that counting pays.

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/lang/lang.h"
#include "poise/watch/counting/counters.h"
#include "poise/watch/counting/plan.h"
#include "poise/watch/input/feed.h"
#include "poise/watch/monitor.h"

namespace poise::watch {
namespace {

model::Model model_of(std::string text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = std::move(text)});
  EXPECT_TRUE(parsed.model.has_value());
  return std::move(*parsed.model);
}

constexpr std::string_view kStreams =
    "stream A { tag: string, key: int -9..9, at: real -50..50, on: bool }\n"
    "stream B { tag: string, key: int -9..9, at: real -50..50, on: bool }\n"
    "sense limit : int 0..9\n"
    "state One initial, Two\n";

// A rule there and a rule back, so that the truth is asked often and both ways.
model::Model switching(std::string_view condition) {
  return model_of(
      fmt::format("{0}rule there: One -> Two when {1}\n"
                  "rule back: Two -> One when not ({1})\n",
                  kStreams, condition));
}

constexpr std::string_view kConditions[] = {
    // By key: texts, which are dense, and numbers, which are hashed
    "exists a in A[last 40s]: exists b in B[last 60s]: a.tag == b.tag",
    "exists a in A[last 40s]: all b in B[last 60s]: not a.tag == b.tag",
    "all a in A[last 40s]: exists b in B[last 60s]: a.key == b.key",
    "exists a in A[last 60s]: a.on and (exists b in B[last 60s]: a.at == b.at and b.key > limit)",
    "exists a in A[last 60s]: exists b in A[last 60s]: a.tag == b.tag and b.on",
    "(exists a in A[last 60s]: exists b in B[last 60s]: a.tag == b.tag) and "
    "(exists a in B[last 60s]: all b in A[last 30s]: not a.tag == b.tag)",
    "exists a in A[last 60s]: (exists b in B[last 60s]: a.key == b.key) and "
    "(all b in B[last 20s]: a.key == b.key implies b.on)",
    // An element changes the counts of several windows, and a count several plans; so few elements
    // that each makes a difference
    "(exists a in A[last 9s]: exists b in B[last 9s]: a.tag == b.tag) and "
    "(exists a in B[last 9s]: all b in A[last 4s]: not a.tag == b.tag)",
    "(exists a in A[last 6s]: exists b in B[last 6s]: a.tag == b.tag) iff "
    "(exists a in A[last 9s]: exists b in B[last 4s]: a.tag == b.tag)",
    "(exists a in A[last 5s]: exists b in B[last 5s]: a.tag == b.tag) implies "
    "(exists a in A[last 5s]: exists b in B[last 9s]: a.tag == b.tag) and "
    "(exists a in B[last 5s]: exists b in A[last 9s]: a.tag == b.tag)",
    // Within a band
    "exists a in A[last 60s]: exists b in B[last 60s]: a.at - b.at < 0.5 and b.at - a.at < 0.25",
    "exists a in A[last 40s]: all b in B[last 60s]: not (a.at - b.at < 6 and b.at - a.at <= 6)",
    "exists a in A[last 60s]: exists b in B[last 60s]: a.tag == b.tag and a.key == b.key",
    "exists a in A[last 60s]: exists b in A[last 40s]: a.key - b.key == 3 and a.on",
    // Any pair
    "exists a in A[last 60s]: exists b in B[last 60s]: a.at + b.at > 99",
    "all a in A[last 60s]: exists b in B[last 60s]: a.at < b.at and a.key != b.key",
    "exists a in A[last 60s]: a.key > limit and (all b in B[last 60s]: a.at * b.at < 2400)",
    "exists a in A[last 60s]: (exists b in B[last 60s]: a.at > b.at + 98) or "
    "(exists b in B: a.tag == b.tag and a.on)",
};

std::string value(Random& random) {
  std::string fields;
  const auto add = [&](std::string_view name, const std::string& value) {
    // At times a field is not known.
    if (random.below(12) == 0) return;
    fields += fmt::format("{}\"{}\": {}", fields.empty() ? "" : ", ", name, value);
  };
  add("tag", fmt::format("\"x{}\"", random.below(60)));
  add("key", fmt::format("{}", static_cast<int>(random.below(19)) - 9));
  // Some need more decimals than a cell has.
  const int whole = static_cast<int>(random.below(99)) - 49;
  add("at", random.below(20) == 0 ? fmt::format("{}.1234567", whole) : fmt::format("{}.5", whole));
  add("on", random.below(2) == 0 ? "true" : "false");
  return fields;
}

std::vector<std::string> lines(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  std::vector<std::string> all;
  std::vector<std::string> added;
  double now = 0;
  for (std::size_t i = 0; i < count; ++i) {
    now += static_cast<double>(random.below(4)) / 4;
    if (random.below(15) == 0) {
      all.push_back(
          fmt::format("{{\"t\": {}, \"set\": {{\"limit\": {}}}}}", now, random.below(10)));
    } else if (random.below(8) == 0 && !added.empty()) {
      all.push_back(fmt::format(
          "{{\"t\": {}, \"remove\": {}", now,
          added[added.size() - 1 - random.below(std::min<std::size_t>(added.size(), 30))]));
    } else {
      added.push_back(fmt::format("\"{}\", \"value\": {{{}}}}}", random.below(2) == 0 ? "A" : "B",
                                  value(random)));
      all.push_back(fmt::format("{{\"t\": {}, \"add\": {}", now, added.back()));
    }
  }
  return all;
}

std::string said(const model::Model& model, Evaluation evaluation,
                 const std::vector<std::string>& lines) {
  Monitor monitor(model, {.evaluation = evaluation, .trace = true});
  Feed feed(model, monitor);
  std::string all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto read = feed.read(i + 1, lines[i]);
    EXPECT_TRUE(read.has_value()) << lines[i];
    if (!read) continue;
    for (const Occurrence& what : *read) {
      all += fmt::format("{} {} {}\n", seconds_text(what.time), name(what.kind),
                         what.rules.front().index);
    }
  }
  return all;
}

TEST(Evaluators, SayTheSameWhereCountingPays) {
  for (const std::string_view condition : kConditions) {
    const model::Model model = switching(condition);
    for (const std::uint64_t seed : {1U, 2U}) {
      const std::vector<std::string> log = lines(seed, 500);
      const std::string full = said(model, Evaluation::Full, log);
      EXPECT_EQ(said(model, Evaluation::Incremental, log), full) << condition;
      EXPECT_EQ(said(model, Evaluation::Counting, log), full) << condition;
    }
  }
}

// What leaves is counted by what the schedule knows of it.
TEST(Evaluators, SayTheSameWhereOneOfAnInstantIsTakenBack) {
  const model::Model model =
      switching("exists a in A[last 9s]: exists b in B[last 9s]: a.tag == b.tag");
  for (int gone = 0; gone < 6; ++gone) {
    std::vector<std::string> log;
    const auto add = [&log](int time, std::string_view what, std::string_view stream, int tag) {
      log.push_back(fmt::format(R"({{"t": {}, "{}": "{}", "value": {{"tag": "x{}", "key": {}}}}})",
                                time, what, stream, tag % 3, tag));
    };
    for (int tag = 0; tag < 6; ++tag) add(1, "add", "A", tag);
    add(1, "remove", "A", gone);
    for (int tag = 0; tag < 6; ++tag) add(5 + tag, "add", "B", tag);
    for (int tag = 0; tag < 6; ++tag) add(20 + tag, "add", "B", tag);
    EXPECT_EQ(said(model, Evaluation::Counting, log), said(model, Evaluation::Full, log)) << gone;
  }
}

TEST(Evaluators, HavePlansOfAllKinds) {
  std::array<std::size_t, 3> kinds = {};
  std::size_t bands = 0;
  for (const std::string_view condition : kConditions) {
    const model::Model model = switching(condition);
    for (const Plan& plan : plans(WatchedModel(model))) {
      ++kinds[static_cast<std::size_t>(plan.kind)];
      bands += std::size_t{plan.band.has_value()};
    }
  }
  EXPECT_GE(kinds[static_cast<std::size_t>(Plan::Kind::Count)], 7U);
  EXPECT_GE(kinds[static_cast<std::size_t>(Plan::Kind::Pairs)], 8U);
  EXPECT_GE(bands, 4U);
}

// Against a map, with keys that stay small at first, and then do not.
TEST(Counters, CountByKey) {
  for (const bool dense : {true, false}) {
    Counters counters;
    counters.set_up(3, dense);
    std::map<Cell, std::array<std::uint32_t, 3>> expected;
    Random random(7);
    for (int step = 0; step < 20'000; ++step) {
      const std::uint64_t range = step < 5'000 ? 200 : 100'000'000;
      const Cell key = random.below(50) == 0 ? kNone : static_cast<Cell>(random.below(range));
      const std::size_t column = random.below(3);
      std::array<std::uint32_t, 3>& row = expected[key];
      // Mostly what is there goes again.
      const bool less = row[column] > 0 && random.below(3) != 0;
      Counters::Count* const counted = counters.row(key);
      ASSERT_TRUE(std::equal(row.begin(), row.end(), counted)) << step;
      row[column] += less ? UINT32_MAX : 1;
      counted[column] = row[column];
      if (less) counters.tidy(counted);
    }
    std::size_t sum = 0;
    counters.for_each([&](Cell key, const Counters::Count* row) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (row[i] == 0) continue;
        EXPECT_EQ(row[i], expected[key][i]);
        sum += row[i];
      }
    });
    for (const auto& [key, row] : expected) sum -= row[0] + row[1] + row[2];
    EXPECT_EQ(sum, 0U);
    counters.clear();
    EXPECT_EQ(counters.row(3)[0], 0U);
  }
}

}  // namespace
}  // namespace poise::watch
