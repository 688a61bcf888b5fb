#include "poise/watch/snapshot.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/bytes.h"
#include "poise/base/random.h"
#include "poise/lang/lang.h"
#include "poise/watch/input/feed.h"

namespace poise::watch {
namespace {

constexpr std::string_view kSnapshotBoxes = R"(
  sense on    : bool
  sense speed : real -1..9 if on
  sense seen  : set {car, pc}
  var   mode  : {calm, busy} = calm
  stream L { tag: string, n: int -5..50 }
  stream S { tag: string, x: real 0..10, ok: bool, kind: {red, blue} }
  let same(a, b) = a.tag == b.tag
  state A initial, B, C
  rule a: A -> B when exists l in L[last 5s]: all s in S[last 5s]: not same(l, s)
  rule b: A, C -> B when exists s in S: s.ok and s.x > speed do mode := busy
  rule b2: A, C -> C when exists s in S: s.tag == "x1" and s.x > 0.1234567890123
  rule c: B -> A when all l in L[last 3s]: exists s in S[last 5s]: same(s, l) and s.kind == red
  rule d: B -> C when all s in S[next 2s]: s.x < 0.5 do mode := calm, on := true
  rule d2: B -> A when exists l in L[next 3s]: l.n > 20
  rule e: C -> A when exists l in L: exists m in L[last 5s]: l.n < m.n or seen has car
)";

// One stream whose elements nobody looks at but the latest.
constexpr std::string_view kLatest = R"(
  stream S { tag: string }
  state A initial, B
  rule r: A -> B when exists s in S: s.tag == "on"
  rule q: B -> A when not (exists s in S: s.tag == "on")
)";

model::Model snapshot_model_of(std::string_view text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = std::string(text)});
  EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
  return std::move(*parsed.model);
}

// A monitor with a reader before it, and what it says about lines.
class Watched {
 public:
  Watched(const model::Model& model, const Options& options)
      : model_(model), monitor_(model, options), feed_(model, monitor_) {}

  std::string said(const std::string& line) {
    const auto said = feed_.read(2, line);
    if (!said) return said.error().message + "\n";
    std::string text;
    for (const Occurrence& what : *said) {
      text += fmt::format("{} {} {} {} {} {}:", seconds_text(what.time), what.app, name(what.kind),
                          what.chosen.index, what.to.index, what.loop);
      for (const model::RuleId rule : what.rules) text += " " + model_.rules[rule].name;
      text += "\n";
    }
    return text;
  }
  Monitor& monitor() { return monitor_; }

 private:
  const model::Model& model_;
  Monitor monitor_;
  Feed feed_;
};

class Lines {
 public:
  explicit Lines(std::uint64_t seed) : random_(seed) {}

  std::vector<std::string> some(std::size_t count) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < count; ++i) lines.push_back(line());
    return lines;
  }

 private:
  const char* one_of(std::initializer_list<const char*> texts) {
    return *(texts.begin() + random_.below(texts.size()));
  }
  std::string line() {
    time_ += random_.below(4) == 0 ? 0 : random_.below(8) * 250;
    // Sometimes back, which is wrong.
    const std::uint64_t time = random_.below(20) == 0 ? time_ / 2 : time_;
    return fmt::format(R"({{"t": {}.{:03}, "app": "{}"{}}})", time / 1000, time % 1000,
                       one_of({"", "", "f", "gén"}), change());
  }
  std::string change() {
    switch (random_.below(10)) {
      case 0: return "";
      case 1: return fmt::format(R"(, "set": {{"on": {}}})", one_of({"true", "false", "null"}));
      case 2:
        return fmt::format(R"(, "set": {{"on": true, "speed": {}}})",
                           one_of({"0.5", "3", "0.12345678901234567890123", "null"}));
      case 3: return fmt::format(R"(, "add": "seen", "value": "{}")", one_of({"car", "pc"}));
      case 4: return fmt::format(R"(, "remove": "seen", "value": "{}")", one_of({"car", "pc"}));
      default: break;
    }
    const char* const act = random_.below(4) == 0 ? "remove" : "add";
    const char* const tag = one_of({R"("x1")", R"("x2")", R"("é")", "null", R"("new")"});
    if (random_.coin()) {
      return fmt::format(R"(, "{}": "L", "value": {{"tag": {}, "n": {}}})", act, tag,
                         one_of({"3", "30", "-5"}));
    }
    return fmt::format(R"(, "{}": "S", "value": {{"tag": {}, "x": {}, "ok": {}, "kind": {}}})", act,
                       tag, one_of({"0.25", "0.1234567890123", "0.12345678901234", "7", "null"}),
                       one_of({"true", "false"}), one_of({R"("red")", R"("blue")", "null"}));
  }

  Random random_;
  std::uint64_t time_ = 0;
};

constexpr Evaluation kEvaluations[] = {Evaluation::Full, Evaluation::Incremental,
                                       Evaluation::Counting};

TEST(Snapshot, ARestoredMonitorGoesOnAsIfNothingHadHappened) {
  const model::Model model = snapshot_model_of(kSnapshotBoxes);
  std::size_t faults = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::vector<std::string> lines = Lines(seed).some(100);
    for (const Evaluation evaluation : kEvaluations) {
      const Options options{.evaluation = evaluation,
                            .choice = seed % 2 == 0 ? Choice::Random : Choice::First,
                            .seed = seed,
                            .trace = true};
      std::vector<std::string> said;
      std::vector<std::string> snapshots;
      Watched whole(model, options);
      for (const std::string& line : lines) {
        snapshots.push_back(snapshot(whole.monitor()));
        said.push_back(whole.said(line));
      }
      const std::string last = snapshot(whole.monitor());
      faults += whole.monitor().summary().faults[0];
      for (std::size_t cut = 0; cut < lines.size(); ++cut) {
        Watched second(model, options);
        ASSERT_TRUE(restore(second.monitor(), snapshots[cut]).has_value());
        ASSERT_EQ(snapshot(second.monitor()), snapshots[cut]);
        for (std::size_t i = cut; i < lines.size(); ++i) {
          ASSERT_EQ(second.said(lines[i]), said[i]) << "seed " << seed << ", cut at " << cut;
        }
        ASSERT_EQ(snapshot(second.monitor()), last);
        ASSERT_EQ(second.monitor().summary().instances, whole.monitor().summary().instances);
      }
    }
  }
  EXPECT_GT(faults, 100U);
}

TEST(Snapshot, IsTheSameForAllEvaluators) {
  const model::Model model = snapshot_model_of(kSnapshotBoxes);
  const std::vector<std::string> lines = Lines(7).some(300);
  std::vector<std::unique_ptr<Watched>> all;
  for (const Evaluation evaluation : kEvaluations) {
    all.push_back(std::make_unique<Watched>(model, Options{.evaluation = evaluation}));
  }
  for (const std::string& line : lines) {
    for (const auto& one : all) static_cast<void>(one->said(line));
    ASSERT_EQ(snapshot(all[0]->monitor()), snapshot(all[1]->monitor()));
    ASSERT_EQ(snapshot(all[0]->monitor()), snapshot(all[2]->monitor()));
  }
}

// A ring drops what it does not need any more when it is full. Whether it has done so must not be
// seen from outside: neither by what can be taken back nor by what is the latest then.
TEST(Snapshot, WhenElementsAreDroppedMakesNoDifference) {
  const model::Model model = snapshot_model_of(kLatest);
  const auto line = [](const char* act, std::size_t i) {
    return fmt::format(R"({{"t": {}, "{}": "S", "value": {{"tag": "{}"}}}})", 10'000, act,
                       i % 700 == 0 ? "on" : fmt::format("x{}", i));
  };
  for (const std::size_t count : {1000U, 1500U, 2048U, 3000U}) {
    Watched whole(model, {.trace = true});
    for (std::size_t i = 0; i < count; ++i) static_cast<void>(whole.said(line("add", i)));
    Watched second(model, {.trace = true});
    ASSERT_TRUE(restore(second.monitor(), snapshot(whole.monitor())).has_value());
    for (std::size_t i = count; i > 0; --i) {
      ASSERT_EQ(second.said(line("remove", i - 1)), whole.said(line("remove", i - 1))) << i;
    }
    EXPECT_EQ(snapshot(second.monitor()), snapshot(whole.monitor()));
  }
}

TEST(Snapshot, OfTextsAndNumbersHoldsThoseInUse) {
  const model::Model model = snapshot_model_of(kSnapshotBoxes);
  Watched whole(model, {});
  for (std::size_t i = 0; i < 5'000; ++i) {
    static_cast<void>(whole.said(fmt::format(
        R"({{"t": {}, "add": "S", "value": {{"tag": "t{}", "x": 1.00000000{}}}}})", i, i, i)));
  }
  const std::string bytes = snapshot(whole.monitor());
  EXPECT_LT(bytes.size(), 50'000U);
  EXPECT_EQ(bytes.find("t3000"), std::string::npos);
  EXPECT_NE(bytes.find("t4999"), std::string::npos);
}

TEST(Snapshot, OfAnotherModelOrDamagedIsRefused) {
  const model::Model model = snapshot_model_of(kSnapshotBoxes);
  const model::Model other = snapshot_model_of(kLatest);
  Watched whole(model, {});
  for (const std::string& line : Lines(3).some(40)) static_cast<void>(whole.said(line));
  const std::string bytes = snapshot(whole.monitor());
  Monitor another(other, {});
  EXPECT_EQ(restore(another, bytes).error().message, "it is of another model");
  Monitor fresh(model, {});
  const std::string before = snapshot(fresh);
  constexpr std::string_view kFormat = "poise watch snapshot 1\n";
  const std::string inside(*unsealed(kFormat, bytes));
  for (std::size_t i = 0; i < inside.size(); ++i) {
    EXPECT_FALSE(restore(fresh, bytes.substr(0, i)).has_value());
    EXPECT_FALSE(restore(fresh, sealed(kFormat, inside.substr(0, i))).has_value());
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] + 1);
    EXPECT_FALSE(restore(fresh, changed).has_value());
  }
  EXPECT_EQ(snapshot(fresh), before);
  EXPECT_TRUE(restore(fresh, bytes).has_value());
}

}  // namespace
}  // namespace poise::watch
