#include "poise/rank/replay.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/check/cases.h"
#include "poise/check/check.h"
#include "poise/lang/lang.h"
#include "poise/log/json_lines.h"
#include "poise/model/step.h"

namespace poise::rank {
namespace {

using finding::FaultKind;
using model::Model;
using model::RuleId;
using model::StateId;

Model replay_model(std::string text) {
  lang::Parsed parsed = lang::parse({.name = "m.poise", .text = std::move(text)});
  EXPECT_TRUE(parsed.model.has_value());
  return std::move(*parsed.model);
}

struct AllCases {
  std::vector<finding::Fault> faults;
  std::vector<finding::Case> cases;
};

AllCases all_cases(const Model& model, check::Count count = check::Count::All) {
  check::Options options;
  options.show = check::Show::All;
  options.count = count;
  options.constraints = check::Constraints::Ignored;
  options.explain = check::Explain::Nothing;
  options.paths = 1'000'000;
  options.only = {FaultKind::Nondeterminism, FaultKind::Race, FaultKind::Cycle};
  AllCases all;
  all.faults = check::run(model, options).faults;
  all.cases = check::cases(model, options, all.faults, 1'000'000).cases;
  return all;
}

void feed(const Model& model, Replay& replay, const std::vector<std::string>& lines) {
  log::JsonLines reader(model);
  std::size_t number = 0;
  for (const std::string& line : lines) {
    const auto entry = reader.read(++number, line);
    ASSERT_TRUE(entry && *entry != nullptr) << line;
    replay.add(**entry);
  }
}

Executed executed(const Model& model, const AllCases& all, const std::vector<std::string>& lines,
                  Start start = {}) {
  Replay replay(model, start);
  feed(model, replay, lines);
  return replay.executed(all.faults, all.cases);
}

// What happened to a fault in all its situations.
Happened of_fault(const Model& model, const AllCases& all, const Executed& executed,
                  const std::vector<std::string>& rules) {
  Happened sum;
  for (std::size_t i = 0; i < all.cases.size(); ++i) {
    std::vector<std::string> names;
    for (const RuleId rule : all.faults[all.cases[i].fault].rules) {
      names.push_back(model.rules[rule].name);
    }
    const Happened& one = executed.happened[i];
    if (names != rules || one.at_most == 0) continue;
    sum.times += one.times;
    sum.at_most += one.at_most;
    if (one.first_time) sum.first_time = std::min(sum.first_time.value_or(1e9), *one.first_time);
    if (one.last_time) sum.last_time = std::max(sum.last_time.value_or(-1e9), *one.last_time);
  }
  return sum;
}

// The race of the situation is there for an hour, and never happens: `dusk` is stronger.
const std::string kEvening =
    "sense here : bool\nsense cold : bool\nsense dark : bool\n"
    "state Away initial\nstate Home, Evening, Heating\n"
    "rule arrive: Away -> Home when here\n"
    "rule dusk: Home -> Evening priority 1 when dark\n"
    "rule heat: Home -> Heating priority 2 when cold\n";

TEST(Replay, SaysWhatHappenedAndNotWhoseSituationWasThere) {
  const Model model = replay_model(kEvening);
  const AllCases all = all_cases(model, check::Count::Start);
  const Executed said = executed(model, all,
                                 {R"({"t": 0, "set": {"here": true, "cold": true, "dark": true}})",
                                  R"({"t": 900})", R"({"t": 1800})"});
  EXPECT_EQ(of_fault(model, all, said, {"arrive", "heat"}).times, 0);
  const Happened dusk = of_fault(model, all, said, {"arrive", "dusk"});
  EXPECT_EQ(dusk.times, 1);
  EXPECT_EQ(dusk.first_time, 0);
  EXPECT_EQ(dusk.last_time, 0);
  EXPECT_EQ(said.summary.firings, 2);
  EXPECT_EQ(said.summary.incidents, 1);
  EXPECT_EQ(said.summary.unlisted, 0);
}

TEST(Replay, ExecutesEveryInstanceByItself) {
  const Model model = replay_model(kEvening);
  const AllCases all = all_cases(model);
  const Executed said =
      executed(model, all,
               {R"({"t": 10, "app": "a", "set": {"here": true, "cold": false, "dark": true}})",
                R"({"t": 5, "app": "b", "set": {"here": true, "cold": true, "dark": false}})",
                R"({"t": 7, "app": "c", "set": {"here": true, "cold": true, "dark": true}})",
                R"({"t": 20, "app": "a", "set": {"dark": false}})"});
  const Happened dusk = of_fault(model, all, said, {"arrive", "dusk"});
  EXPECT_EQ(dusk.times, 2);
  EXPECT_EQ(dusk.first_time, 7);
  EXPECT_EQ(dusk.last_time, 10);
  EXPECT_EQ(of_fault(model, all, said, {"arrive", "heat"}).times, 1);
  EXPECT_EQ(said.summary.instances, 3);
}

// In an open cycle every line is a change: the run starts again.
const std::string kToggle =
    "sense on : bool\nsense tick : bool\nstate A initial\nstate B\n"
    "rule ab: A -> B when on\nrule ba: B -> A when on\n";

TEST(Replay, CountsACycleAtEveryLine) {
  const Model model = replay_model(kToggle);
  const AllCases all = all_cases(model);
  const Executed said = executed(
      model, all,
      {R"({"t": 1, "set": {"on": true}})", R"({"t": 2})", R"({"t": 3, "set": {"on": true}})",
       R"({"t": 4, "set": {"on": false}})", R"({"t": 5})"});
  const Happened cycle = of_fault(model, all, said, {"ab", "ba"});
  EXPECT_EQ(cycle.times, 3);
  EXPECT_EQ(cycle.first_time, 1);
  EXPECT_EQ(cycle.last_time, 3);
}

TEST(Replay, HasTimesOnlyWhereTheLogHas) {
  const Model model = replay_model(kToggle);
  const AllCases all = all_cases(model);
  const Executed said = executed(model, all, {R"({"set": {"on": true}})"});
  const Happened cycle = of_fault(model, all, said, {"ab", "ba"});
  EXPECT_EQ(cycle.times, 1);
  EXPECT_FALSE(cycle.first_time);
  EXPECT_FALSE(cycle.last_time);
}

TEST(Replay, LeavesStreamsAlone) {
  const Model model = replay_model(
      "stream seen { tag: string }\nstate A initial\nstate B\n"
      "rule go: A -> B when exists s in seen: s.tag == \"x\"\n");
  Replay replay(model);
  feed(model, replay, {R"({"t": 1, "add": "seen", "value": {"tag": "x"}})"});
  const Executed said = replay.executed({}, {});
  EXPECT_EQ(said.summary.end, ReplaySummary::End::Streams);
  EXPECT_TRUE(said.happened.empty());
}

// ---- The state at the start is not known ----

TEST(Replay, OfALogFromTheMiddleCountsWhatHappensFromEveryState) {
  const Model model = replay_model(
      kEvening + "rule leave: Home, Evening, Heating -> Away priority 0 when not here\n");
  const AllCases all = all_cases(model);
  const std::vector<std::string> lines = {
      R"({"t": 0, "set": {"here": true, "cold": false, "dark": true}})",
      R"({"t": 10, "set": {"here": false}})",  // all executions are in Away now
      R"({"t": 20, "set": {"here": true}})",   // so this is certain
  };
  const Executed initial = executed(model, all, lines);
  EXPECT_EQ(of_fault(model, all, initial, {"arrive", "dusk"}).times, 2);
  const Executed any = executed(model, all, lines, {Start::Kind::Unknown, {}});
  const Happened dusk = of_fault(model, all, any, {"arrive", "dusk"});
  EXPECT_EQ(dusk.times, 1);
  EXPECT_EQ(dusk.at_most, 2);
  EXPECT_EQ(dusk.first_time, 20);
  EXPECT_EQ(any.summary.unknown_starts, 1);
  EXPECT_EQ(any.summary.most_starts, 4);
  EXPECT_EQ(any.summary.undecided, 0);
  const Executed given =
      executed(model, all, lines, {Start::Kind::Given, model.rules[RuleId{1}].from.front()});
  EXPECT_EQ(of_fault(model, all, given, {"arrive", "dusk"}).times, 1);
}

// `mode` is declared as off: an application that says `high` was at work before.
const std::string kFan =
    "sense hot : bool\nvar mode : {off, low, high} = off\nstate Idle initial\nstate Low, High\n"
    "rule up: Idle -> Low when hot and mode == off do mode := low\n"
    "rule more: Low -> High when hot and mode == low do mode := high\n"
    "rule stop: High -> Idle when not hot do mode := off\n";

TEST(Replay, KnowsByOwnVariablesThatAnApplicationIsAtWork) {
  const Model model = replay_model(kFan);
  const AllCases all = all_cases(model);
  const std::string later = R"({"t": 2, "set": {"hot": false}})";
  const std::string again = R"({"t": 3, "set": {"hot": true}})";
  const Executed fresh =
      executed(model, all, {R"({"t": 1, "set": {"hot": true, "mode": "off"}})", later, again});
  EXPECT_EQ(fresh.summary.unknown_starts, 0);
  EXPECT_EQ(of_fault(model, all, fresh, {"up", "more"}).times, 2);
  const Executed middle =
      executed(model, all, {R"({"t": 1, "set": {"hot": true, "mode": "high"}})", later, again});
  EXPECT_EQ(middle.summary.unknown_starts, 1);
  EXPECT_EQ(middle.summary.most_starts, 3);  // three states, and mode is said
  EXPECT_EQ(of_fault(model, all, middle, {"up", "more"}).times, 0);
  EXPECT_EQ(of_fault(model, all, middle, {"up", "more"}).at_most, 1);
  EXPECT_EQ(middle.summary.undecided, 1);
}

TEST(Replay, DropsStartsThatTheLogContradicts) {
  const Model model = replay_model(kFan);
  const AllCases all = all_cases(model);
  const Executed said = executed(
      model, all,
      {R"({"t": 1, "set": {"hot": true, "mode": "high"}})", R"({"t": 2, "set": {"hot": false}})",
       R"({"t": 3, "set": {"hot": true, "mode": "off"}})"});  // only High set it so
  EXPECT_EQ(of_fault(model, all, said, {"up", "more"}).times, 1);
  EXPECT_EQ(said.summary.undecided, 0);
}

TEST(Replay, ExpectsWhatMayHaveHappenedAsOftenAsStartsShowIt) {
  const Model model = replay_model(kEvening);
  const AllCases all = all_cases(model, check::Count::Start);
  const Executed said =
      executed(model, all, {R"({"t": 0, "set": {"here": true, "cold": true, "dark": true}})"},
               {Start::Kind::Unknown, {}});
  double expected = 0;
  for (std::size_t i = 0; i < all.cases.size(); ++i) {
    if (said.happened[i].at_most > 0) expected += said.expected[i];
  }
  EXPECT_DOUBLE_EQ(expected, 0.25);  // from Away only, of four states
  EXPECT_EQ(said.summary.incidents, 0);
}

TEST(Replay, ThatALimitEndsSaysNothing) {
  const Model model = replay_model(kToggle);
  Replay replay(model, {}, Budget({.time = std::chrono::milliseconds(0)}));
  feed(model, replay, {R"({"t": 1, "set": {"on": true}})"});
  const AllCases all = all_cases(model);
  const Executed said = replay.executed(all.faults, all.cases);
  EXPECT_EQ(said.summary.end, ReplaySummary::End::TimeLimit);
  EXPECT_TRUE(said.happened.empty());
}

// ---- Against plain execution ----

// A log line, and the same by hand.
struct Change {
  std::string line;
  std::vector<std::pair<std::string, model::Value>> values;
};

std::vector<Change> random_changes(Random& random, std::size_t count) {
  std::vector<Change> changes;
  double time = 0;
  for (std::size_t i = 0; i < count; ++i) {
    time += static_cast<double>(random.below(3));
    Change change;
    std::string text;
    for (const std::string name : {"a", "b", "g", "x", "n"}) {
      if (random.below(3) != 0) continue;
      const bool number = name == "x" || name == "n";
      const auto value = static_cast<std::int64_t>(random.below(number ? 4 : 2));
      text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", name,
                          number ? fmt::format("{}", value) : (value == 1 ? "true" : "false"));
      change.values.emplace_back(name, Rational(value));
    }
    change.line = text.empty() ? fmt::format("{{\"t\": {}}}", time)
                               : fmt::format("{{\"t\": {}, \"set\": {{{}}}}}", time, text);
    changes.push_back(std::move(change));
  }
  return changes;
}

class NoChoices : public model::Choices {
 public:
  [[nodiscard]] std::vector<Rational> values(model::SlotId, const model::Context&) const override {
    return {};
  }
};

using Shown =
    std::map<std::tuple<FaultKind, StateId, std::vector<RuleId>, std::vector<bool>>, std::size_t>;

// Each line by the definitions of model/step.h, as simply as can be: `x` has the guard `g`.
class Plainly {
 public:
  explicit Plainly(const Model& model)
      : model_(model), now_{model.initial, model::Context(model.slots.size())} {
    for (const model::Variable& variable : model.variables) {
      if (variable.own) now_.context[variable.first_slot.index] = variable.initial.front();
    }
  }

  void add(const Change& change) {
    const auto value = [&](std::string_view name) -> model::Value& {
      for (const model::Variable& variable : model_.variables) {
        if (variable.name == name) return now_.context[variable.first_slot.index];
      }
      ADD_FAILURE() << name;
      return now_.context.front();
    };
    for (const auto& [name, said] : change.values) value(name) = said;
    if (!model::holds(value("g"))) value("x").reset();
    run();
  }

  Shown shown;

 private:
  void run() {
    std::vector<model::Configuration> before = {now_};
    std::vector<RuleId> path;
    const std::vector<bool> start = model::evaluate(model_, now_.context).atoms;
    while (true) {
      const model::Situation situation = model::evaluate(model_, now_.context);
      const std::vector<RuleId> rules = model::triggered(model_, now_.state, situation);
      if (rules.empty()) break;
      if (rules.size() > 1) {
        ++shown[{FaultKind::Nondeterminism, now_.state, rules, situation.atoms}];
      }
      path.push_back(rules.front());
      now_ = {model_.rules[path.back()].to,
              model::after(model_, path.back(), now_.context, NoChoices()).front()};
      for (const model::Configuration& other : before) {
        if (other.state != now_.state || other.context != now_.context) continue;
        ++shown[{FaultKind::Cycle, before.front().state, path, start}];
        return;
      }
      before.push_back(now_);
    }
    if (path.size() > 1) ++shown[{FaultKind::Race, before.front().state, path, start}];
  }

  const Model& model_;
  model::Configuration now_;
};

std::string random_rules(Random& random) {
  const std::vector<std::string> conditions = {
      "a",      "not a",  "b",           "not b and a", "x > 1",         "g and x <= 1",
      "n == 2", "v == 1", "v == 0 or a", "n in {0, 3}", "not (a iff b)", "a implies x > 2"};
  const std::vector<std::string> actions = {"", "", "", " do v := 1", " do v := 0", " do n := 2"};
  std::string text;
  for (int i = 0; i < 9; ++i) {
    text += fmt::format("rule r{}: S{} -> S{}{} when {}{}\n", i, random.below(4), random.below(4),
                        random.coin() ? fmt::format(" priority {}", random.below(2)) : "",
                        conditions[random.below(conditions.size())],
                        actions[random.below(actions.size())]);
  }
  return text;
}

TEST(Replay, AgreesWithPlainExecution) {
  std::size_t incidents = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    const Model model = replay_model(
        "sense a : bool\nsense b : bool\nsense g : bool\nsense x : int 0..3 if g\n"
        "sense n : int 0..3\nvar v : int 0..1 = 0\nstate S0 initial\nstate S1, S2, S3\n" +
        random_rules(random));
    const AllCases all = all_cases(model);
    const std::vector<Change> changes = random_changes(random, 40);
    Plainly plainly(model);
    std::vector<std::string> lines;
    for (const Change& change : changes) {
      plainly.add(change);
      lines.push_back(change.line);
    }
    const Executed said = executed(model, all, lines);
    std::size_t expected = 0;
    for (const auto& [what, times] : plainly.shown) expected += times;
    EXPECT_EQ(said.summary.incidents, expected) << "seed " << seed;
    incidents += expected;
    std::size_t listed = 0;
    for (std::size_t i = 0; i < all.cases.size(); ++i) {
      const finding::Fault& fault = all.faults[all.cases[i].fault];
      std::size_t times = 0;
      for (const auto& [what, count] : plainly.shown) {
        const auto& [kind, state, rules, atoms] = what;
        if (kind != fault.kind || state != fault.state || rules != fault.rules) continue;
        const std::vector<bool>& truths = atoms;
        if (std::ranges::all_of(all.cases[i].situation, [&](const finding::Literal& literal) {
              return truths[literal.atom.index] == literal.holds;
            })) {
          times += count;
        }
      }
      EXPECT_EQ(said.happened[i].times, times) << "seed " << seed << ", case " << i;
      EXPECT_EQ(said.happened[i].at_most, times);
      listed += times;
    }
    EXPECT_EQ(said.summary.incidents - said.summary.unlisted, listed) << "seed " << seed;
  }
  EXPECT_GT(incidents, 1000);
}

}  // namespace
}  // namespace poise::rank
