#include "poise/watch/monitor.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/lang/lang.h"
#include "poise/watch/input/feed.h"

namespace poise::watch {
namespace {

model::Model model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
  return std::move(*parsed.model);
}

std::string shown(const model::Model& model, const Occurrence& what) {
  std::string text = fmt::format("{} {}{}:", seconds_text(what.time), name(what.kind),
                                 what.app.empty() ? "" : fmt::format(" of {}", what.app));
  for (const model::RuleId rule : what.rules) text += " " + model.rules[rule].name;
  if (what.kind == Kind::Nondeterminism) text += " ! " + model.rules[what.chosen].name;
  if (what.kind == Kind::Cycle) text += fmt::format(" @ {}", what.loop);
  return text;
}

// What all evaluators say about the lines, each occurrence on a line of its own.
std::string said(const std::string& text, const std::vector<std::string>& lines,
                 Options options = {.trace = true}) {
  const model::Model model = model_of(text);
  std::vector<std::string> results;
  for (const Evaluation evaluation :
       {Evaluation::Full, Evaluation::Incremental, Evaluation::Counting}) {
    options.evaluation = evaluation;
    Monitor monitor(model, options);
    Feed feed(model, monitor);
    std::string& result = results.emplace_back();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto said = feed.read(i + 1, lines[i]);
      if (!said) {
        result += said.error().message + "\n";
        continue;
      }
      for (const Occurrence& what : *said) {
        result += shown(model, what) + "\n";
      }
    }
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
  return results[0];
}

constexpr const char* kBoxes =
    "stream L { tag: string } stream S { tag: string } sense on : bool\n"
    "state A initial, B\n";

TEST(Monitor, AnElementLeavesAWindowBeforeALineOfThatTime) {
  const std::string model = std::string(kBoxes) +
                            "rule r: A -> B when on and not (exists l in L[last 10s]: true)\n"
                            "rule q: B -> A when exists l in L[last 10s]: true\n";
  EXPECT_EQ(said(model, {R"({"t": 0.1, "add": "L", "value": {"tag": "x"}})",
                         R"({"t": 0.2, "set": {"on": true}})",
                         R"({"t": 10.1, "add": "L", "value": {"tag": "x"}})"}),
            "10.1 adapt: r\n10.1 adapt: q\n");
}

TEST(Monitor, AnAllOverAnOpenWindowIsDecidedByAnExceptionOrByItsEnd) {
  const std::string model = std::string(kBoxes) +
                            "rule r: A -> B when all s in S[next 5s]: s.tag == \"x\"\n"
                            "rule q: A -> B when not (all s in S[next 5s]: s.tag == \"x\")\n";
  EXPECT_EQ(said(model, {R"({"t": 1})", R"({"t": 2, "add": "S", "value": {"tag": "x"}})",
                         R"({"t": 5.999})", R"({"t": 6})"}),
            "6.0 adapt: r\n");
  EXPECT_EQ(said(model, {R"({"t": 1})", R"({"t": 2, "add": "S", "value": {"tag": "y"}})"}),
            "2.0 adapt: q\n");
}

TEST(Monitor, CountsByKey) {
  const std::string model =
      std::string(kBoxes) +
      "rule r: A -> B when exists l in L[last 9s]: all s in S[last 9s]: not l.tag == s.tag\n"
      "rule q: B -> A when all l in L[last 9s]: exists s in S[last 9s]: s.tag == l.tag\n";
  EXPECT_EQ(said(model, {R"({"t": 1, "add": "L", "value": {"tag": "a"}})",
                         R"({"t": 2, "add": "L", "value": {"tag": "b"}})",
                         R"({"t": 3, "add": "S", "value": {"tag": "a"}})",
                         R"({"t": 4, "add": "S", "value": {"tag": "b"}})",
                         R"({"t": 5, "remove": "S", "value": {"tag": "a"}})",
                         R"({"t": 6, "remove": "S", "value": {"tag": "a"}})", R"({"t": 10})"}),
            "1.0 adapt: r\n4.0 adapt: q\n5.0 adapt: r\n10.0 adapt: q\n");
}

TEST(Monitor, TheElementBeforeOneThatIsTakenBackIsTheLatestAgain) {
  const std::string model = std::string(kBoxes) +
                            "rule r: A -> B when exists s in S: s.tag == \"y\"\n"
                            "rule q: B -> A when exists s in S: s.tag == \"x\"\n";
  EXPECT_EQ(said(model, {R"({"t": 1, "add": "S", "value": {"tag": "x"}})",
                         R"({"t": 2, "add": "S", "value": {"tag": "y"}})",
                         R"({"t": 3, "remove": "S", "value": {"tag": "y"}})"}),
            "2.0 adapt: r\n3.0 adapt: q\n");
}

TEST(Monitor, ReportsFaultsAsTheyHappen) {
  const std::string model =
      "sense a : bool sense b : bool state S initial, T, U\n"
      "rule one: S -> T when a rule two: S -> U when a rule three: T -> U when b\n"
      "rule four: U -> T when b\n";
  EXPECT_EQ(said(model, {R"({"t": 1, "set": {"a": true}})"}, {}),
            "1.0 nondeterminism: one two ! one\n");
  EXPECT_EQ(said(model, {R"({"t": 1, "set": {"b": true, "a": true}})", R"({"t": 2})"}, {}),
            "1.0 nondeterminism: one two ! one\n1.0 cycle: one three four @ 1\n"
            "2.0 cycle: three four @ 0\n");
}

TEST(Monitor, InstancesShareNothing) {
  const std::string model = "sense a : bool state S initial, T rule r: S -> T when a\n";
  EXPECT_EQ(said(model, {R"({"t": 5, "app": "x", "set": {"a": true}})", R"({"t": 1, "app": "y"})",
                         R"({"t": 2, "app": "y", "set": {"a": true}})", R"({"t": 4, "app": "x"})"}),
            "5.0 adapt of x: r\n2.0 adapt of y: r\ntime goes back from 5.0 to 4.0\n");
}

TEST(Monitor, NothingStandsBehindAGuardThatDoesNotHold) {
  const std::string model =
      "sense on : bool sense v : int 0..9 if on state S initial, T\n"
      "rule r: S -> T when v > 5 rule q: T -> S when not v > 5\n";
  EXPECT_EQ(said(model, {R"({"t": 1, "set": {"v": 7}})", R"({"t": 2, "set": {"on": true}})",
                         R"({"t": 3, "set": {"v": 7}})", R"({"t": 4, "set": {"on": false}})",
                         R"({"t": 5, "set": {"on": true}})"}),
            "3.0 adapt: r\n4.0 adapt: q\n");
}

TEST(Monitor, ASetThatAMemberIsAddedToIsWhole) {
  const std::string model =
      "sense seen : set {p, q} state A initial rule r: A -> A when true do seen := {q}\n";
  EXPECT_EQ(said(model, {R"({"t": 1, "add": "seen", "value": "q"})"}, {}), "1.0 cycle: r @ 0\n");
}

TEST(Monitor, WindowsMayReachBeyondAllTime) {
  const std::string model =
      "stream S { x: int 0..9 } state A initial, B\n"
      "rule r: A -> B when exists s in S[next 1000000h]: s.x == 1\n"
      "rule q: B -> A when not (exists s in S[last 99999999h]: true)\n";
  EXPECT_EQ(
      said(model, {R"({"t": 6999999999})", R"({"t": 7000000000, "add": "S", "value": {"x": 1}})",
                   R"({"t": 7000000000})"}),
      "7000000000.0 adapt: r\n");
}

TEST(Monitor, NumbersAreExact) {
  const std::string model =
      "stream N { x: real 0..1 } state S initial, T\n"
      "rule r: S -> T when exists a in N: exists b in N[last 1h]: a.x == b.x + 0.1\n";
  EXPECT_EQ(said(model, {R"({"t": 1, "add": "N", "value": {"x": 0.2}})",
                         R"({"t": 2, "add": "N", "value": {"x": 0.3000000000000000000001}})",
                         R"({"t": 3, "add": "N", "value": {"x": 0.3}})"}),
            "3.0 adapt: r\n");
}

// Lines as they are, and with a few bytes changed, by both readers.
TEST(Feed, TheFastReaderReadsWhatThePlainOneReads) {
  const model::Model model = model_of(
      "stream S { tag: string, n: int -5..99, x: real 0..10, ok: bool, c: {red, blue} }\n"
      "sense a : bool sense v : real -1..1 if a sense d : set {p, q} state A initial, B\n"
      "rule r: A -> B when exists s in S: exists t in S[last 2s]: s.tag == t.tag and t.n > 3\n"
      "rule q: B -> A when (all s in S[last 1s]: s.x < 0.5 or s.c == red or s.ok) or v > 0.5\n");
  const std::vector<std::string> lines = {
      R"({"t": 1.5, "add": "S", "value": {"tag": "x1", "n": 7, "x": 0.25}})",
      R"({"t":2,"app":"f","add":"S","value":{"ok":true,"c":"blue","tag":"x1"}})",
      R"({"t": 2.25, "set": {"a": true, "v": 0.75}})",
      R"({"t": 3, "remove": "S", "value": {"tag": "x1", "n": 7, "x": 0.25}})",
      R"({"app": "f", "set": {"a": false, "d": ["p"]}})",
      R"({"t": 3.000000001})",
      R"({"value": {"n": -5, "x": 10.0}, "add": "S", "t": 4e0})"};
  Random random(1);
  constexpr std::string_view kBytes = "{}[]\":,.-+0123456789eEtrunlfas \\\t\x01\xC3\xA9";
  std::size_t good = 0;
  std::size_t adaptations = 0;
  const auto changed = [&](std::string line) {
    for (std::uint64_t k = random.below(3); k > 0; --k) {
      const std::size_t at = random.below(line.size());
      const char byte = kBytes[random.below(kBytes.size())];
      switch (random.below(3)) {
        case 0: line[at] = byte; break;
        case 1: line.insert(at, 1, byte); break;
        default: line.erase(at, 1); break;
      }
    }
    return line;
  };
  for (int log = 0; log < 4'000; ++log) {
    Monitor fast_monitor(model, {.trace = true});
    Monitor plain_monitor(model, {.trace = true});
    Feed fast(model, fast_monitor);
    Feed plain(model, plain_monitor, Feed::Reading::Plain);
    for (std::size_t i = 1; i <= 2 * lines.size(); ++i) {
      const std::string line = changed(lines[i % lines.size()]);
      const auto shown_by = [&](Feed& feed) {
        const auto said = feed.read(i, line);
        if (!said) return said.error().message;
        std::string text;
        for (const Occurrence& what : *said) {
          text += shown(model, what) + "\n";
        }
        return text;
      };
      ASSERT_EQ(shown_by(fast), shown_by(plain)) << line;
      ASSERT_EQ(fast_monitor.summary().events, plain_monitor.summary().events) << line;
    }
    good += fast_monitor.summary().events;
    adaptations += fast_monitor.summary().adaptations;
  }
  EXPECT_GT(good, 10'000U);
  EXPECT_GT(adaptations, 500U);
}

TEST(Time, IsExactToTheNanosecond) {
  for (const char* text : {"0.0", "12.5", "1700000000.123456789", "-3.000000001"}) {
    ASSERT_TRUE(time_from(text).has_value()) << text;
    EXPECT_EQ(seconds_text(*time_from(text)), text);
  }
  EXPECT_EQ(time_from("1e3"), time_from("1000"));
  EXPECT_EQ(time_from("1e300"), std::nullopt);
}

}  // namespace
}  // namespace poise::watch
