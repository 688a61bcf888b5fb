#include "poise/watch/store/externs.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/lang/lang.h"
#include "poise/watch/counting/plan.h"
#include "poise/watch/input/feed.h"
#include "poise/watch/monitor.h"

namespace poise::watch {
namespace {

model::Model model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
  return std::move(*parsed.model);
}

bool near(double a, double b) { return std::abs(a - b) < 1; }

// The rules that fire, by every evaluator, with the time of each.
std::string fired(const std::string& text, const Externs& externs,
                  const std::vector<std::string>& lines) {
  const model::Model model = model_of(text);
  const Result<Functions> functions = functions_for(model, externs);
  EXPECT_TRUE(functions.has_value());
  std::vector<std::string> results;
  for (const Evaluation evaluation :
       {Evaluation::Full, Evaluation::Incremental, Evaluation::Counting}) {
    Monitor monitor(model, {.evaluation = evaluation, .trace = true, .functions = *functions});
    Feed feed(model, monitor);
    std::string& result = results.emplace_back();
    for (const std::string& line : lines) {
      const auto said = feed.read(2, line);
      EXPECT_TRUE(said.has_value()) << said.error().message;
      for (const Occurrence& what : *said) {
        if (what.kind != Kind::Adaptation) continue;
        result += (result.empty() ? "" : " ") + seconds_text(what.time) + " " +
                  model.rules[what.rules.front()].name;
      }
    }
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
  return results[0];
}

TEST(Externs, AreCalledOnElementsAndVariables) {
  const std::string model =
      "sense x : real 0..99 stream S { x: real 0..99 } stream G { n: int 0..99 }\n"
      "extern near(a: real, b: real)\n"
      "let close(a) = near(a.x, x)\n"
      "state A initial, B, C, D\n"
      "rule one: A -> B when exists s in S[last 5s]: close(s)\n"
      "rule two: B -> C when exists s in S[last 5s]: exists g in G[last 5s]: near(s.x, g.n)\n"
      "rule three: C -> D when near(x, 30) and not near(x, 30.5)\n"
      "rule four: D -> A when all s in S[last 5s]: not near(s.x, 8)\n";
  EXPECT_EQ(fired(model, {typed("near", near)},
                  {R"({"t": 1, "add": "S", "value": {"x": 7.5}})",  // x has no value
                   R"({"t": 2, "set": {"x": 9}})",                  //
                   R"({"t": 3, "set": {"x": 8.25}})",               // one
                   R"({"t": 4, "add": "G", "value": {"n": 9}})",    //
                   R"({"t": 5, "add": "G", "value": {}})",          // no value, no call
                   R"({"t": 5.5, "add": "G", "value": {"n": 8}})",  // two
                   R"({"t": 5.7, "set": {"x": 30.25}})",            // near both
                   R"({"t": 5.8, "set": {"x": 29.25}})",            // three
                   R"({"t": 7})"}),                                 // four, when 7.5 leaves
            "3.0 one 5.5 two 5.8 three 6.0 four");
}

TEST(Externs, ManyElementsAreCountedAsFewAre) {
  std::vector<std::string> lines;
  for (int i = 0; i < 300; ++i) {
    lines.push_back("{\"t\": " + std::to_string(i) +
                    ", \"add\": \"S\", \"value\": {\"x\": " + std::to_string(i % 100) + "}}");
  }
  const std::string model =
      "stream S { x: real 0..99 } extern near(a: real, b: real) state A initial, B\n"
      "rule up: A -> B when exists s in S[last 90s]: near(s.x, 50)\n"
      "rule down: B -> A when not (exists s in S[last 90s]: near(s.x, 50))\n";
  EXPECT_EQ(fired(model, {typed("near", near)}, lines),
            "50.0 up 140.0 down 150.0 up 240.0 down 250.0 up");
}

TEST(Externs, ArgumentsAreExact) {
  const std::string model =
      "sense huge : int 0..99999999999999999999 sense fine : real 0..1 sense on : bool\n"
      "stream S { tag: string, place: {home, office} }\n"
      "extern all_of(n: int, r: real, b: bool, t: string, u: string, p: {home, office},\n"
      "  q: {home, office}, c: real, d: int)\n"
      "state A initial, B\n"
      "rule go: A -> B when exists s in S:\n"
      "  all_of(huge, fine, on, s.tag, \"x 17\", s.place, office, 2.50, -3)\n";
  int calls = 0;
  const Function all_of = [&](std::span<const Value> a) {
    ++calls;
    EXPECT_EQ(a.size(), 9U);
    EXPECT_EQ(a[0].number().to_string(), "12345678901234567890");
    EXPECT_EQ(a[0].approximate(), 12345678901234567890.0);
    EXPECT_EQ(a[1].number().to_string(), "0.123456789");
    EXPECT_EQ(a[1].approximate(), 0.123456789);
    EXPECT_TRUE(a[2].truth());
    EXPECT_EQ(a[3].text(), "b7");
    EXPECT_EQ(a[4].text(), "x 17");
    EXPECT_EQ(a[5].text(), "home");
    EXPECT_EQ(a[6].text(), "office");
    EXPECT_EQ(a[7].number().to_string(), "2.5");
    EXPECT_EQ(a[8].whole(), -3);
    return true;
  };
  EXPECT_EQ(fired(model, {{"all_of", all_of}},
                  {R"({"t": 1, "set": {"huge": 12345678901234567890, "fine": 0.123456789}})",
                   R"({"t": 2, "add": "S", "value": {"tag": "b7", "place": "home"}})",
                   R"({"t": 3, "set": {"on": true}})"}),
            "3.0 go");
  EXPECT_EQ(calls, 3);
}

// A function that compares says what the comparison itself says, whatever happens.
TEST(Externs, SayWhatTheLanguageSays) {
  const std::string declared =
      "sense v : real 0..9 sense on : bool stream L { tag: string, n: int 0..9 }\n"
      "stream S { tag: string, x: real 0..9, kind: {red, blue}, ok: bool }\n"
      "state A initial, B, C\n"
      "rule a: A -> B when exists s in S[last 5s]: lower(s.x, v) and same(s.tag, \"b\")\n"
      "rule b: B -> C when exists l in L[last 4s]: all s in S[last 3s]: not same(l.tag, s.tag)\n"
      "rule c: B -> A when exists s in S: exists l in L[last 4s]: lower(s.x, l.n) and "
      "is_red(s.kind)\n"
      "rule d: C -> A when exists l in L: all s in S[next 2s]: same(s.tag, l.tag) or lower(v, 4)\n"
      "rule e: C -> B when lower(v, 2.5) and not lower(v, 0.5)\n";
  const std::string native =
      declared + "let lower(a, b) = a < b let same(a, b) = a == b let is_red(k) = k == red\n";
  const std::string external = declared +
                               "extern lower(a: real, b: real)\n"
                               "extern same(a: string, b: string) extern is_red(k: {blue, red})\n";
  const Externs externs = {
      {"lower", [](std::span<const Value> a) { return a[0].number() < a[1].number(); }},
      {"same", [](std::span<const Value> a) { return a[0].text() == a[1].text(); }},
      {"is_red", [](std::span<const Value> a) { return a[0].text() == "red"; }}};
  Random random(3);
  std::size_t length = 0;
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string> lines;
    for (int i = 0; i < 150; ++i) {
      const char tag = "abcd"[random.below(4)];
      const std::uint64_t number = random.below(10);
      std::string change;
      switch (random.below(5)) {
        case 0: change = fmt::format(R"("set": {{"v": {}}})", number); break;
        case 1: change = R"("set": {"v": null})"; break;
        case 2:
          change = fmt::format(R"("add": "L", "value": {{"tag": "{}", "n": {}}})", tag, number);
          break;
        case 3:
          change =
              fmt::format(R"("add": "S", "value": {{"tag": "{}", "x": 4.25, "kind": "red"}})", tag);
          break;
        default:
          change = fmt::format(R"("add": "S", "value": {{"tag": "{}", "x": {}}})", tag, number);
      }
      lines.push_back(fmt::format(R"({{"t": {}, {}}})", i / 2, change));
    }
    const std::string expected = fired(native, {}, lines);
    ASSERT_EQ(fired(external, externs, lines), expected);
    length += expected.size();
  }
  EXPECT_GT(length, 3'000U);
}

constexpr const char* kNear =
    "stream S { x: real 0..99 }\nextern near(a: real, b: real)\nextern spare(a: real)\n"
    "constraint all s in S: spare(s.x)\nstate A initial\n"
    "rule r: A -> A when exists s in S: near(s.x, 1)\n";

TEST(Externs, OfRulesNeedAFunction) {
  const model::Model model = model_of(kNear);
  EXPECT_EQ(functions_for(model, {}).error().message,
            "test.poise:2:1: no function is given for the extern `near`");
  EXPECT_EQ(functions_for(model, {{"near", nullptr}}).error().message,
            "test.poise:2:1: no function is given for the extern `near`");
  EXPECT_EQ(functions_for(model, {typed("naer", near)}).error().message,
            "test.poise:2:1: no function is given for the extern `near`; there is one for `naer`");
  EXPECT_EQ(functions_for(model, {typed("near", near), typed("near", near)}).error().message,
            "the function `near` is given twice");
  EXPECT_TRUE(functions_for(model, {typed("near", near), typed("other", near)}).has_value());
}

bool takes_all(bool, std::int64_t, const Rational&, std::string_view, std::string_view) {
  return true;
}
bool takes_less(bool, std::int64_t) { return true; }

TEST(Externs, AreComparedWithTheTypesOfTheirFunctions) {
  const auto error = [](const std::string& parameters, const Extern& given) {
    const model::Model model = model_of("state A initial\n  extern f(" + parameters + ")");
    const Result<Functions> functions = functions_for(model, {given});
    return functions ? "" : functions.error().message;
  };
  const Extern all = typed("f", takes_all);
  EXPECT_EQ(error("a: bool, b: int, c: real, d: string, e: {x, y}", all), "");
  EXPECT_EQ(error("a: bool, b: int, c: int, d: {x}, e: {x, y}", all), "");
  EXPECT_EQ(error("a: bool, b: real, c: int, d: {x}, e: {x, y}", all),
            "test.poise:2:3: parameter `b` of the extern `f` has another type in its function");
  EXPECT_EQ(error("a: bool, b: int, c: int, d: bool, e: {x, y}", all),
            "test.poise:2:3: parameter `d` of the extern `f` has another type in its function");
  EXPECT_EQ(error("a: bool", typed("f", takes_less)),
            "test.poise:2:3: the extern `f` has 1 parameter, and its function takes 2");
}

TEST(Externs, OnOneElementAreCountedAndBetweenTwoAreNot) {
  const model::Model model = model_of(
      "stream S { x: real 0..99 } extern near(a: real, b: real) state A initial\n"
      "rule r: A -> A when exists s in S: near(s.x, 1)\n"
      "rule q: A -> A when exists s in S: exists g in S[last 5s]: near(s.x, g.x)\n"
      "rule p: A -> A when near(1, 2)\n");
  const std::vector<Plan> all = plans(WatchedModel(model));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].kind, Plan::Kind::Count);
  EXPECT_EQ(all[1].kind, Plan::Kind::Pairs);
  EXPECT_EQ(all[2].kind, Plan::Kind::Scan);
}

}  // namespace
}  // namespace poise::watch
