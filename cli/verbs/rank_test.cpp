#include <algorithm>
#include <cstdlib>
#include <functional>
#include <istream>
#include <set>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

#include "poise/json/reader.h"
#include "tests/support/program.h"

namespace poise::cli {
namespace {

using Args = std::vector<std::string>;
using Words = std::vector<std::string>;

// The running example of the AFChecker paper, its Table 1.
const std::string kDeclarations =
    "model Phone\n"
    "sense wifi.networks : set {home, office}\n"
    "sense gps.on : bool\n"
    "sense gps.place : {home, office, elsewhere}\n"
    "state Outdoor initial\n"
    "state Home, Office\n";
const std::string kHomeRules =
    "rule ActivateHome: Outdoor -> Home priority 1\n"
    "  when wifi.networks has home or (gps.on and gps.place == home)\n"
    "rule DeactivateHome: Home -> Outdoor priority 2\n"
    "  when not gps.on and not gps.place == home\n";
const std::string kActivateOffice =
    "rule ActivateOffice: Outdoor -> Office priority 1\n"
    "  when wifi.networks has office or (gps.on and gps.place == office)\n";
const std::string kDeactivateOffice =
    "rule DeactivateOffice: Office -> Outdoor priority 1\n"
    "  when not gps.on and not gps.place == office\n";
const std::string kPhone = kDeclarations + kHomeRules + kActivateOffice + kDeactivateOffice;

// The same rules moved and laid out anew, and a state that has nothing to do with them.
const std::string kPhoneEdited =
    "# Moved about.\n" + kDeclarations +
    "state Garage\n"
    "rule DeactivateOffice:   Office->Outdoor\n\n   priority 1 when not gps.on and\n"
    "     (not (gps.place == office))\n"
    "rule LeaveGarage: Garage -> Outdoor when gps.on\n"
    "rule ActivateOffice: Outdoor -> Office priority 1 when\n"
    "  wifi.networks has office or gps.on and gps.place == office # either\n" +
    kHomeRules;

const Words kDay = {
    R"({"t": 0, "set": {"wifi.networks": ["home"], "gps.on": true, "gps.place": "home"}})",
    R"({"t": 600, "set": {"wifi.networks": [], "gps.place": "elsewhere"}})",
    R"({"t": 900, "set": {"wifi.networks": ["office"], "gps.place": "office"}})",
    R"({"t": 5000, "set": {"gps.on": false, "gps.place": "elsewhere"}})",
    R"({"t": 6000, "set": {"wifi.networks": []}})",
    R"({"t": 7000.5, "set": {"wifi.networks": ["home"], "gps.on": true, "gps.place": "home"}})",
};
const Words kDayAsTable = {
    "t,wifi.networks,gps.on,gps.place",
    "0,home,true,home",
    "600,,true,elsewhere",
    "900,office,true,office",
    "5000,office,false,elsewhere",
    "6000,,false,elsewhere",
    "7000.5,home,true,home",
};

// One fault: left and right, when a holds and b is as the second rule wants it.
std::string two_rules(const std::string& second) {
  return "model Two\nsense a : bool\nsense b : bool\nstate A initial\nstate B, C\n"
         "rule left: A -> B when a\nrule right: A -> C when " +
         second + "\n";
}

std::string joined(const Words& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

Words with(Words lines, std::size_t at, const std::string& line) {
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), line);
  return lines;
}

Args operator+(Args args, const Args& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

// ---- JSON ----

// A value, as the strict reader of logs reads it.
struct Value {
  json::Reader::Kind kind = json::Reader::Kind::Other;
  std::string text;  // of a string, a number, true or false
  Words keys;        // of an object
  std::vector<Value> items;

  const Value& operator[](std::string_view key) const {
    static const Value missing;
    const auto found = std::ranges::find(keys, key);
    return found == keys.end() ? missing : items[static_cast<std::size_t>(found - keys.begin())];
  }
  [[nodiscard]] double number() const { return std::strtod(text.c_str(), nullptr); }
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(number()); }
  [[nodiscard]] bool is_null() const { return kind == json::Reader::Kind::Null; }
};

Value next_value(json::Reader& json) {
  Value value{.kind = json.kind()};
  switch (value.kind) {
    case json::Reader::Kind::Object:
      json.begin_object();
      while (const auto key = json.next_key()) {
        value.keys.emplace_back(*key);
        value.items.push_back(next_value(json));
      }
      break;
    case json::Reader::Kind::Array:
      json.begin_array();
      while (json.next_element()) value.items.push_back(next_value(json));
      break;
    case json::Reader::Kind::String: value.text = json.string().value_or(""); break;
    case json::Reader::Kind::Number: value.text = json.number().value_or(""); break;
    case json::Reader::Kind::Bool:
      value.text = json.boolean().value_or(false) ? "true" : "false";
      break;
    case json::Reader::Kind::Null: json.null(); break;
    case json::Reader::Kind::Other: break;
  }
  return value;
}

Value value_of(const std::string& text) {
  std::string scratch;
  json::Reader json(text, scratch);
  Value value = next_value(json);
  EXPECT_TRUE(json.finish()) << text.substr(0, 2000);
  return value;
}

Words texts(const Value& list, std::string_view key) {
  Words all;
  for (const Value& item : list.items) all.push_back(item[key].text);
  return all;
}

// ---- Calls ----

struct Judged {
  std::string fault;
  std::string verdict;
  friend bool operator==(const Judged&, const Judged&) = default;
};

class RankVerb : public Files {
 protected:
  void SetUp() override {
    Files::SetUp();
    model_ = write("phone.poise", kPhone);
    log_ = write("day.jsonl", joined(kDay));
    verdicts_ = path("verdicts.jsonl");
  }

  [[nodiscard]] Outcome ranked(const Args& options = {}) const {
    return outcome(Args{"rank", model_, "--log", log_} + options);
  }
  [[nodiscard]] Outcome ranked_with(const std::string& log, const Args& options = {}) const {
    return outcome(Args{"rank", model_, "--log", log, "--format", "json"} + options);
  }
  [[nodiscard]] Value json(const Args& options = {}) const {
    return value_of(ranked(Args{"--format", "json"} + options).out);
  }
  [[nodiscard]] Words ids(const Args& options = {}) const {
    return texts(json(options)["faults"], "id");
  }
  // With these answers, one character each.
  [[nodiscard]] Outcome inspected(const std::string& answers, const Args& options = {}) const {
    std::string input;
    for (const char answer : answers) input += {answer, '\n'};
    return outcome(
        Args{"rank", model_, "--log", log_, "--feedback", verdicts_, "--interactive"} + options,
        input);
  }
  // Every line of the file of verdicts.
  [[nodiscard]] std::vector<Judged> judged() const {
    std::vector<Judged> all;
    std::istringstream lines(contents(verdicts_));
    for (std::string line; std::getline(lines, line);) {
      const Value value = value_of(line);
      all.push_back({value["fault"].text, value["verdict"].text});
    }
    return all;
  }
  [[nodiscard]] static std::string judgement(const std::string& fault, const std::string& verdict) {
    return R"({"fault": ")" + fault + R"(", "verdict": ")" + verdict + "\"}";
  }
  [[nodiscard]] static std::size_t faults_asked_about(const Outcome& said) {
    std::size_t count = 0;
    for (std::size_t at = said.out.find("      when    "); at != std::string::npos;
         at = said.out.find("      when    ", at + 1)) {
      ++count;
    }
    return count;
  }

  std::string model_;
  std::string log_;
  std::string verdicts_;
};

using RankCalls = RankVerb;
using RankLogs = RankVerb;
using RankResults = RankVerb;
using RankVerdicts = RankVerb;
using RankInteractively = RankVerb;

// ---- The call ----

TEST_F(RankCalls, SayWhatIsWrongWithThem) {
  const std::pair<Args, std::string> cases[] = {
      {{}, "rank needs a MODEL"},
      {{model_}, "rank needs --log LOG"},
      {{model_, "--log"}, "`--log` needs a value"},
      {{model_, model_, "--log", log_}, "rank takes one model at a time, not 2"},
      {{model_, "--log", log_, "--format", "sarif", "--explain", "constraints"},
       "--explain goes with the formats text and json"},
      {{model_, "--log", log_, "--interactive"}, "--interactive needs --feedback FILE"},
      {{"-", "--log", "-"}, "standard input can be read only once"},
      {{model_, "--log", "-", "--feedback", "-"}, "standard input can be read only once"},
      {{model_, "--log", log_, "--feedback", "-", "--truth", "-"},
       "standard input can be read only once"},
      {{"-", "--log", log_, "--feedback", verdicts_, "--interactive"},
       "--interactive reads answers from standard input"},
      {{model_, "--log", "-", "--feedback", verdicts_, "--interactive"},
       "--interactive reads answers from standard input"},
      {{model_, "--log", log_, "--feedback", "-", "--interactive"},
       "--interactive reads answers from standard input"},
      {{model_, "--log", log_, "--explain", "faults"},
       "--explain explains `constraints`, not `faults`"},
      {{model_, "--log", log_, "--method", "best"}, "--method is `paper` or `likelihood`"},
      {{model_, "--log", log_, "--prune", "all"}, "--prune is `exactly` or `pairs`"},
      {{model_, "--log", log_, "--start", "Garden"},
       "--start is `initial`, `any` or a state of the model, not `Garden`"},
      {{model_, "--log", log_, "--support", "nan"}, "--support takes a number from 0 to 1"},
      {{model_, "--log", log_, "--confidence", "1.01"}, "--confidence takes a number from 0 to 1"},
      {{model_, "--log", log_, "--raise", "-0.1"}, "--raise takes a number from 0 to 1"},
      {{model_, "--log", log_, "--top", "many"}, "--top takes a whole number, not `many`"},
      {{model_, "--log", path("none")}, "cannot read `" + path("none") + "`"},
      {{model_, "--log", folder_.string()}, "it is a directory"},
      {{model_, "--log", log_, "--feedback", path("none")}, "cannot read `" + path("none") + "`"},
      {{model_, "--log", log_, "--feedback", folder_.string()}, "it is a directory"},
      {{model_, "--log", log_, "--feedback", folder_.string(), "--interactive"},
       "it is a directory"},
      {{model_, "--log", log_, "--truth", path("none")}, "cannot read `" + path("none") + "`"},
  };
  for (const auto& [args, message] : cases) {
    const Outcome said = outcome(Args{"rank"} + args);
    EXPECT_EQ(said.status, 2) << message;
    EXPECT_EQ(said.out, "") << message;
    EXPECT_TRUE(said.err.starts_with("poise: ")) << said.err;
    EXPECT_TRUE(contains(said.err, message)) << message << "\n" << said.err;
  }
}

TEST_F(RankCalls, SayByTheirStatusWhetherFaultsAreLeft) {
  EXPECT_EQ(ranked().status, 1);
  EXPECT_EQ(ranked().err, "");
  // The fault is reported with independent atoms, and pruned.
  const std::string disjoint =
      write("disjoint.poise",
            "model Disjoint\nsense x : int 0..9\nstate A initial\nstate B, C\n"
            "rule low: A -> B when x < 3\nrule high: A -> C when x > 6\n");
  const std::string empty = write("empty", "");
  const Outcome said = outcome({"rank", disjoint, "--log", empty});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_TRUE(contains(said.out, "1 fault reported, 1 pruned, 0 ranked")) << said.out;
  const Outcome wrong = outcome({"rank", write("wrong.poise", "state\n"), "--log", empty});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(contains(wrong.err, path("wrong.poise") + ":")) << wrong.err;
}

TEST_F(RankCalls, ReadTheModelOrTheLogFromStandardInput) {
  const std::string expected = ranked({"--quiet"}).out;
  const std::string figures = expected.substr(expected.find("):"));
  const Outcome model = outcome({"rank", "-", "--log", log_, "--quiet"}, kPhone);
  EXPECT_EQ(model.status, 1) << model.err;
  EXPECT_TRUE(model.out.ends_with(figures)) << model.out;
  const Outcome log = outcome({"rank", model_, "--log", "-"}, joined(kDay));
  EXPECT_EQ(log.status, 1) << log.err;
  EXPECT_EQ(log.out, ranked().out);
}

TEST_F(RankCalls, WriteToAFile) {
  const Outcome said = ranked({"--output", path("report"), "--format", "json"});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(contents(path("report")), ranked({"--format", "json"}).out);
  EXPECT_EQ(ranked({"--output", path("no/where")}).status, 2);
  EXPECT_EQ(ranked({"--graph", path("no/where.dot")}).status, 2);
}

TEST_F(RankCalls, ShowAsManyGroupsAsAskedFor) {
  const auto heads = [](const std::string& text) {
    std::size_t count = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) count += line.starts_with("      when ");
    return count;
  };
  EXPECT_EQ(heads(ranked({"--top", "0"}).out), 0U);
  EXPECT_EQ(heads(ranked({"--top", "2"}).out), 2U);
  EXPECT_TRUE(contains(ranked({"--top", "2"}).out, "more groups; --top shows more"));
  EXPECT_FALSE(contains(ranked().out, "--top shows more"));
  const std::string quiet = ranked({"--quiet"}).out;
  EXPECT_EQ(std::ranges::count(quiet, '\n'), 1);
}

// ---- The log ----

TEST_F(RankLogs, MayBeTables) {
  // A blank line, so that entries have the same numbers as below a header.
  const Outcome lines = ranked_with(write("day", joined(with(kDay, 0, ""))));
  const Outcome table = ranked_with(write("day.csv", joined(kDayAsTable)));
  EXPECT_EQ(table.err, "");
  EXPECT_EQ(value_of(table.out)["log"]["entries"].count(), kDay.size());
  EXPECT_EQ(table.out, lines.out);
}

TEST_F(RankLogs, MayBeCompressed) {
  const std::string packed = path("day.gz");
  gzFile file = gzopen(packed.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  const std::string text = joined(kDay);
  ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  ASSERT_EQ(gzclose(file), Z_OK);
  const std::string expected = ranked({"--format", "json"}).out;
  EXPECT_EQ(ranked_with(packed).out, expected);
  EXPECT_EQ(outcome({"rank", model_, "--log", "-", "--format", "json"}, contents(packed)).out,
            expected);

  const std::string bytes = contents(packed);
  const std::string cut = write("cut.gz", bytes.substr(0, bytes.size() - 9));
  EXPECT_EQ(ranked_with(cut, {"--strict"}).status, 2);
  const Outcome said = ranked_with(cut);
  EXPECT_EQ(said.status, 1);
  EXPECT_TRUE(contains(said.err, "cut.gz")) << said.err;
}

TEST_F(RankLogs, MayHaveByteOrderMarksAndCarriageReturns) {
  std::string text = "\xEF\xBB\xBF";
  for (const std::string& line : kDay) text += line + "\r\n";
  const Outcome said = ranked_with(write("windows", text));
  EXPECT_EQ(said.err, "");
  EXPECT_EQ(said.out, ranked({"--format", "json"}).out);
}

TEST_F(RankLogs, AreTheSameWithoutTheirDamagedLines) {
  const auto check = [this](const Words& whole, std::size_t at, const std::string& damaged) {
    const std::string damaged_log = write("damaged", joined(with(whole, at, damaged)));
    const Outcome said = ranked_with(damaged_log);
    const Outcome expected = ranked_with(write("whole", joined(with(whole, at, ""))));
    const std::string place = damaged_log + ":" + std::to_string(at + 1) + ": ";
    EXPECT_EQ(expected.err, "");
    EXPECT_EQ(value_of(said.out)["log"]["skipped"].count(), 1U) << damaged;
    std::string out = said.out;
    const std::size_t skipped = out.find("\"skipped\": 1");
    ASSERT_NE(skipped, std::string::npos);
    EXPECT_EQ(out.replace(skipped, 12, "\"skipped\": 0"), expected.out) << at << ": " << damaged;
    EXPECT_TRUE(said.err.starts_with("poise: " + place)) << said.err;
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;

    const Outcome strict = ranked_with(damaged_log, {"--strict"});
    EXPECT_EQ(strict.status, 2) << damaged;
    EXPECT_EQ(strict.out, "") << damaged;
    EXPECT_EQ(strict.err, said.err);
  };
  for (const std::string& damaged :
       Words{"garbage", "{", R"({"t": 1, "set": {"gps.on": tru)", R"({"set": {"gps.on": 7}})",
             R"({"set": {"gps.on": true, "gps.on": false}})", R"({"set": {"gps.place": "hme"}})",
             R"({"t": 0, "set": {"gps.on": true}} x)", "[]", "null", "\xFF\xFE", "\"",
             std::string("\0", 1), ",,,", R"(": true}})"}) {
    for (const std::size_t at : {std::size_t{0}, std::size_t{3}, kDay.size()}) {
      check(kDay, at, damaged);
    }
  }
  check(kDay, 2, R"({"t": 599, "set": {"gps.on": false}})");  // time goes back
  for (const std::string& damaged :
       Words{"1,2", "noon,home,true,home", "1,home,yes,home", "1,nowhere,true,home", ",,,,", "\"",
             "\xC0\xAF,home,true,home"}) {
    check(kDayAsTable, 4, damaged);
    check(kDayAsTable, kDayAsTable.size(), damaged);
  }
  for (const std::string& damaged : Words{"# by a logger", "a,,b", "t,t,gps.on", "\xFF"}) {
    check(kDayAsTable, 0, damaged);
  }
}

TEST_F(RankLogs, OfDamagedLinesOnlyAreReadToTheEnd) {
  for (const std::string& line : Words{"garbage", "a,,b", "1,2,3", "{", "\xFF"}) {
    const std::string log = write("garbage", repeated(line + "\n", 12));
    const Outcome said = ranked_with(log);
    EXPECT_EQ(said.status, 1);
    EXPECT_EQ(value_of(said.out)["log"]["skipped"].count(), 12U) << line;
    EXPECT_EQ(value_of(said.out)["log"]["entries"].count(), 0U) << line;
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 7) << said.err;
    EXPECT_TRUE(contains(said.err, log + ": 7 more lines were skipped")) << said.err;
    EXPECT_TRUE(contains(said.err, log + ": no entry; nothing is known")) << said.err;
    EXPECT_EQ(ranked_with(log, {"--strict"}).status, 2);
  }
  const Outcome text = outcome({"rank", model_, "--log", path("garbage")});
  EXPECT_TRUE(contains(text.out, "12 lines skipped")) << text.out;
}

TEST_F(RankLogs, MayBeEmpty) {
  for (const std::string& text : Words{"", "\n", " \r\n\n", "t,gps.on\n"}) {
    const Outcome said = ranked_with(write("empty", text));
    EXPECT_EQ(said.status, 1);
    EXPECT_TRUE(contains(said.err, "empty: no entry; nothing is known")) << said.err;
    const Value value = value_of(said.out);
    EXPECT_EQ(value["log"]["entries"].count(), 0U);
    EXPECT_EQ(value["faults"].items.size(), json()["faults"].items.size());
    for (const Value& fault : value["faults"].items) EXPECT_TRUE(fault["situation_seen"].is_null());
  }
}

TEST_F(RankLogs, MayNameWhatTheModelDoesNotKnow) {
  const Outcome said =
      ranked_with(write("more", joined(with(kDay, 2, R"({"t": 700, "set": {"battery": 7}})"))));
  EXPECT_TRUE(contains(said.err, path("more") + ":3: the model has no variable `battery`"))
      << said.err;
  EXPECT_EQ(value_of(said.out)["log"]["skipped"].count(), 0U);
  const Outcome table = ranked_with(write("more.csv", "\n\nt,battery,gps.on\n1,7,true\n"));
  EXPECT_TRUE(contains(table.err, path("more.csv") + ":3: the model has no variable `battery`"))
      << table.err;
}

TEST_F(RankLogs, MayHaveStrangeTimes) {
  const std::string model = write("two.poise", two_rules("b"));
  const std::string here = R"("set": {"a": true, "b": true}})";
  const std::string gone = R"("set": {"b": false}})";
  for (const auto& [first, second] :
       {std::pair("-1e308", "1e308"), std::pair("1e300", "1e301"), std::pair("-1e19", "1e19"),
        std::pair("1e-320", "2e-320"), std::pair("5", "5"), std::pair("0", "1e-9")}) {
    const std::string log = write("times", "{\"t\": " + std::string(first) + ", " + here +
                                               "\n{\"t\": " + second + ", " + gone + "\n");
    for (const char* method : {"likelihood", "paper"}) {
      const Value value = value_of(
          outcome({"rank", model, "--log", log, "--format", "json", "--method", method}).out);
      const Value& fault = value["faults"].items.at(0);
      EXPECT_GE(fault["likelihood"]["share"].number(), 0) << first;
      EXPECT_LE(fault["likelihood"]["share"].number(), 1) << first;
    }
  }
}

TEST_F(RankLogs, OfSeveralAppsDoNotMixThem) {
  const std::string model = write("two.poise", two_rules("b"));
  const auto seen = [&](const std::string& log) {
    const Value value =
        value_of(outcome({"rank", model, "--log", write("apps", log), "--format", "json"}).out);
    EXPECT_EQ(value["faults"].items.size(), 1U);
    return !value["faults"].items.at(0)["situation_seen"].is_null();
  };
  const auto log = [](const std::string& x, const std::string& y) {
    return R"({"t": 10, )" + x + R"("set": {"a": true, "b": false}})" + "\n" +  //
           R"({"t": 1, )" + y + R"("set": {"a": false, "b": true}})" + "\n" +   //
           R"({"t": 20, )" + x + R"("set": {"a": true}})" + "\n";
  };
  EXPECT_FALSE(seen(log(R"("app": "x", )", R"("app": "y", )")));
  EXPECT_FALSE(seen(log("", R"("app": "y", )")));
  EXPECT_TRUE(seen(log(R"("app": "x", )", R"("app": "y", )") +
                   R"({"t": 21, "app": "x", "set": {"b": true}})"));
  EXPECT_FALSE(seen("app,a,b\nx,true,false\ny,false,true\nx,true,\n"));
  EXPECT_TRUE(seen("app,a,b\nx,true,false\ny,false,true\nx,true,true\n"));
}

TEST_F(RankLogs, ThatNeverNameAVariableSayNothingAboutIt) {
  for (const auto& [second, known] :
       {std::pair("b", R"("b": true)"), std::pair("not b", R"("b": false)")}) {
    const std::string model = write("two.poise", two_rules(second));
    const auto seen = [&](const std::string& line) {
      const Value value =
          value_of(outcome({"rank", model, "--log", write("log", line), "--format", "json"}).out);
      return !value["faults"].items.at(0)["situation_seen"].is_null();
    };
    EXPECT_FALSE(seen(R"({"set": {"a": true}})"));
    EXPECT_FALSE(seen(R"({"set": {"a": true, "b": null}})"));
    EXPECT_FALSE(seen("a,b\ntrue,\n"));
    EXPECT_TRUE(seen(R"({"set": {"a": true, )" + std::string(known) + "}}"));
    const Outcome said = outcome({"rank", model, "--log", path("log"), "--explain", "constraints",
                                  "--support", "0", "--confidence", "0"});
    EXPECT_TRUE(contains(said.out, "a -> ")) << said.out;
    write("log", R"({"set": {"a": true}})");
    const Outcome unknown = outcome({"rank", model, "--log", path("log"), "--explain",
                                     "constraints", "--support", "0", "--confidence", "0"});
    EXPECT_FALSE(contains(unknown.out, "->")) << unknown.out;
  }
}

// ---- The result ----

TEST_F(RankResults, AsSarifHaveEachFaultOnceWithItsRank) {
  const Outcome said = ranked({"--format", "sarif"});
  EXPECT_EQ(said.status, 1);
  const Value sarif = value_of(said.out);
  ASSERT_EQ(sarif["runs"].items.size(), 1U);
  const std::vector<Value>& results = sarif["runs"].items.front()["results"].items;
  std::set<std::string> faults;
  const Value all = json();
  for (const Value& fault : all["faults"].items) {
    std::string key = fault["kind"].text + fault["state"].text;
    for (const char* list : {"path", "rules"}) {
      for (const Value& rule : fault[list].items) key += " " + rule.text;
    }
    faults.insert(key);
  }
  EXPECT_EQ(results.size(), faults.size());
  double before = 100;
  for (const Value& result : results) {
    EXPECT_LE(result["rank"].number(), before);
    before = result["rank"].number();
  }
}

TEST_F(RankResults, AreSoundWhateverTheOptions) {
  for (const Args& options :
       std::vector<Args>{{},
                         {"--method", "paper"},
                         {"--prune", "pairs"},
                         {"--all"},
                         {"--count", "visited"},
                         {"--count", "rules"},
                         {"--count", "all"},
                         {"--paths", "1"},
                         {"--cases", "4"},
                         {"--method", "paper", "--support", "1"},
                         {"--method", "paper", "--support", "0", "--confidence", "0"}}) {
    const Value value = json(options);
    const std::vector<Value>& faults = value["faults"].items;
    const std::vector<Value>& pruned = value["pruned"].items;
    EXPECT_EQ(value["reported"].count(), faults.size() + pruned.size());
    EXPECT_FALSE(faults.empty());
    std::set<std::string> ids;
    for (std::size_t i = 0; i < faults.size(); ++i) {
      EXPECT_EQ(faults[i]["rank"].count(), i + 1);
      EXPECT_GE(faults[i]["probability"].number(), 0);
      EXPECT_LE(faults[i]["probability"].number(), 1);
      const Value& likelihood = faults[i]["likelihood"];
      EXPECT_GE(likelihood["low"].number(), 0);
      EXPECT_LE(likelihood["low"].number(), likelihood["share"].number());
      EXPECT_LE(likelihood["share"].number(), likelihood["high"].number());
      EXPECT_LE(likelihood["high"].number(), 1);
      EXPECT_EQ(faults[i]["situations"].text, "1");
      EXPECT_EQ(faults[i]["witness"].kind, json::Reader::Kind::Object);
      EXPECT_NE(faults[i]["when"].text, "");
      EXPECT_TRUE(ids.insert(faults[i]["id"].text).second);
    }
    for (const Value& fault : pruned) {
      EXPECT_TRUE(ids.insert(fault["id"].text).second);
      EXPECT_NE(fault["constraint"].text, "");
      EXPECT_TRUE(fault["witness"].is_null());
    }
  }
}

TEST_F(RankResults, AreTheSameOnAnyNumberOfThreads) {
  for (const Args& options : std::vector<Args>{
           {}, {"--format", "json"}, {"--format", "json", "--method", "paper"}, {"--all"}}) {
    EXPECT_EQ(ranked(options + Args{"--jobs", "1"}).out, ranked(options + Args{"--jobs", "2"}).out);
  }
}

TEST_F(RankResults, PutWhatHappenedFirstThenWhatWasThere) {
  const Value value = json();
  const Value& first = value["faults"].items.at(0);
  // The phone is at the office by its network and elsewhere by its GPS, from line 4: it leaves
  // Office and enters it again.
  EXPECT_EQ(first["happened"].text, "1");
  EXPECT_EQ(first["first"].number(), 5000);
  EXPECT_EQ(first["last"].number(), 5000);
  EXPECT_EQ(first["probability"].number(), 1);
  EXPECT_EQ(first["situation_seen"]["first_line"].count(), 4U);
  EXPECT_EQ(first["situation_seen"]["first"].number(), 5000);
  EXPECT_EQ(first["situation_seen"]["seconds"].number(), 1000);
  const Words order = {"happened", "situation", "likeness"};
  std::size_t last = 0;
  for (const Value& fault : value["faults"].items) {
    const auto found = std::ranges::find(order, fault["basis"].text);
    ASSERT_NE(found, order.end()) << fault["basis"].text;
    const auto place = static_cast<std::size_t>(found - order.begin());
    EXPECT_GE(place, last) << fault["rank"].text;
    last = place;
    EXPECT_EQ(fault["happened"].count() > 0, place == 0);
    EXPECT_EQ(fault["first"].is_null(), place > 0);
    EXPECT_EQ(fault["situation_seen"].is_null(), place == 2);
    EXPECT_EQ(fault["probability"].number() == 1, place == 0);
  }
  EXPECT_EQ(last, 2U);
}

// A home whose lights go on before it is heated: the race to Heating never happens, although it
// would be there for an hour.
const std::string kEvening =
    "model Evening\nsense here : bool\nsense cold : bool\nsense dark : bool\n"
    "state Away initial\nstate Home, Evening, Heating\n"
    "rule arrive: Away -> Home when here\n"
    "rule dusk: Home -> Evening priority 1 when dark\n"
    "rule heat: Home -> Heating priority 2 when cold\n";

TEST_F(RankResults, DoNotSayThatARaceHappenedBecauseItsSituationDid) {
  const std::string model = write("evening.poise", kEvening);
  const std::string log =
      write("evening.csv",
            "t,here,cold,dark\n0,true,true,true\n900,true,true,true\n3600,true,true,true\n");
  for (const char* count : {"start", "visited", "rules", "all"}) {
    const Value value =
        value_of(outcome({"rank", model, "--log", log, "--format", "json", "--count", count}).out);
    const std::vector<Value>& faults = value["faults"].items;
    std::size_t heated = 0;
    for (std::size_t i = 0; i < faults.size(); ++i) {
      const bool happens = i == 0;
      EXPECT_EQ(faults[i]["happened"].count(), happens ? 1U : 0U) << count;
      EXPECT_EQ(faults[i]["probability"].number() == 1, happens) << count;
      if (faults[i]["ends"].text == "Heating") ++heated;
    }
    EXPECT_EQ(faults.at(0)["ends"].text, "Evening") << count;
    EXPECT_GE(heated, 1U) << count;
  }
}

TEST_F(RankResults, FromAStateThatIsNotKnownSayWhatMayHaveHappened) {
  const std::string model = write("evening.poise", kEvening);
  const std::string log = write("evening.csv", "t,here,cold,dark\n0,true,true,true\n");
  const auto run = [&](const Args& more) {
    return value_of(outcome(Args{"rank", model, "--log", log, "--format", "json"} + more).out);
  };
  const Value any = run({"--start", "any"});
  EXPECT_EQ(any["replay"]["unknown_starts"].count(), 1U);
  EXPECT_EQ(any["replay"]["states_tried"].count(), 4U);
  const Value& first = any["faults"].items.at(0);
  EXPECT_EQ(first["ends"].text, "Evening");
  EXPECT_EQ(first["basis"].text, "possible");
  EXPECT_EQ(first["happened"].text, "0");
  EXPECT_EQ(first["happened_at_most"].text, "1");
  EXPECT_LT(first["probability"].number(), 1);
  EXPECT_GT(first["probability"].number(), any["faults"].items.at(1)["probability"].number());
  EXPECT_EQ(any["faults"].items.at(1)["happened_at_most"].text, "");
  const Value home = run({"--start", "Home"});  // a single rule fires, which is no race
  EXPECT_EQ(home["replay"]["fired"].count(), 1U);
  EXPECT_EQ(home["replay"]["incidents"].count(), 0U);
  EXPECT_EQ(run({"--start", "initial"})["replay"]["incidents"].count(), 1U);
}

TEST_F(RankResults, PruneOnlyWhatCannotBeHoweverFewAreAskedFor) {
  const std::string model = write("few.poise",
                                  "model Few\nsense y : bool\nsense z : bool\n"
                                  "sense x : {p, q, r}\nstate A initial\nstate B, C\n"
                                  "rule b: A -> B\n"
                                  "  when not x == p and not x == q or not z and x == p\n"
                                  "rule c: A -> C when not y and not x == q or not y and z\n");
  const auto run = [&](const std::string& cases) {
    return value_of(
        outcome({"rank", model, "--log", log_, "--format", "json", "--cases", cases}).out);
  };
  const Value all = run("1000");
  EXPECT_EQ(all["complete"].text, "true");
  const Words real = texts(all["faults"], "id");
  for (int cases = 1; cases < 10; ++cases) {
    const Value some = run(std::to_string(cases));
    for (const std::string& id : texts(some["pruned"], "id")) {
      EXPECT_EQ(std::ranges::find(real, id), real.end()) << cases << " cases: " << id;
    }
  }
}

TEST_F(RankResults, DoNotSayThatNothingIsLeftWhereTheyAreCutShort) {
  const Outcome none = ranked({"--cases", "0"});
  EXPECT_EQ(none.status, 3);
  EXPECT_TRUE(contains(none.out, "incomplete")) << none.out;
  const Outcome few = ranked({"--paths", "1", "--quiet"});
  EXPECT_EQ(few.status, 1);
  EXPECT_TRUE(contains(few.out, "incomplete")) << few.out;
  EXPECT_FALSE(contains(ranked().out, "incomplete"));
}

TEST_F(RankResults, EndCleanlyWhereTheTimeIsUp) {
  for (const std::string& limit : Words{"0ms", "0s"}) {
    const Outcome said = ranked({"--format", "json", "--time-limit", limit});
    EXPECT_EQ(said.status, 3);
    EXPECT_TRUE(said.err.starts_with("poise: " + model_ + ": the time")) << said.err;
    const Value value = value_of(said.out);
    EXPECT_EQ(value["complete"].text, "false");
    EXPECT_NE(value["stopped"].text, "");
    EXPECT_EQ(value["replay"]["complete"].text, "false");
    EXPECT_EQ(value["reported"].count(),
              value["faults"].items.size() + value["pruned"].items.size());
  }
  EXPECT_EQ(inspected("q", {"--time-limit", "0ms"}).status, 3);
  // However far it comes, what is pruned cannot be.
  const Words real = ids();
  for (const std::string& limit : Words{"1ms", "2ms", "5ms", "10ms"}) {
    const Outcome said = ranked({"--format", "json", "--time-limit", limit});
    EXPECT_TRUE(said.status == 1 || said.status == 3) << said.status;
    for (const std::string& id : texts(value_of(said.out)["pruned"], "id")) {
      EXPECT_EQ(std::ranges::find(real, id), real.end()) << limit;
    }
  }
}

TEST_F(RankResults, ExplainConstraints) {
  const std::string never = "not (gps.place == home and gps.place == office)";
  const Value value = value_of(
      outcome({"rank", model_, "--log", log_, "--explain", "constraints", "--format", "json"}).out);
  EXPECT_EQ(value["schema"].text, "poise.constraints/1");
  EXPECT_FALSE(value["deterministic"].items.empty());
  EXPECT_FALSE(value["probabilistic"].items.empty());
  const Outcome alone = outcome({"rank", model_, "--explain", "constraints"});
  EXPECT_NE(alone.status, 2);
  EXPECT_TRUE(contains(alone.out, never)) << alone.out;
  EXPECT_FALSE(contains(alone.out, "->")) << alone.out;

  // Table 2 of the paper, and the confidence that its text calculates.
  const std::string table = write("table2.csv",
                                  "wifi.networks,gps.on,gps.place\n"
                                  "office,false,elsewhere\n"
                                  ",true,office\n"
                                  "office,true,office\n"
                                  ",false,home\n"
                                  ",false,office\n");
  const Args call = {"rank", model_, "--log", table, "--explain", "constraints"};
  const Outcome all = outcome(call + Args{"--support", "0", "--confidence", "0"});
  EXPECT_TRUE(contains(all.out, never)) << all.out;
  EXPECT_TRUE(contains(all.out, "  0.400       0.667  gps.place == office -> gps.on\n")) << all.out;
  EXPECT_TRUE(contains(all.out, "  0.200       0.333  gps.place == office -> not gps.on\n"));
  const Outcome few = outcome(call + Args{"--support", "0.5", "--confidence", "0.9"});
  EXPECT_FALSE(contains(few.out, "gps.place == office -> gps.on")) << few.out;
  EXPECT_TRUE(contains(few.out, "gps.place == office -> not wifi.networks has home")) << few.out;
}

TEST_F(RankResults, DrawTheConstraintGraph) {
  const Args all = {"--support", "0", "--confidence", "0"};
  EXPECT_EQ(ranked(all + Args{"--graph", path("graph.json")}).out, ranked(all).out);
  const Value graph = value_of(contents(path("graph.json")));
  EXPECT_FALSE(graph["vertices"].items.empty());
  EXPECT_FALSE(graph["edges"].items.empty());
  std::set<std::string> vertices;
  for (const Value& vertex : graph["vertices"].items)
    EXPECT_TRUE(vertices.insert(vertex.text).second);
  for (const Value& edge : graph["edges"].items) {
    EXPECT_TRUE(vertices.contains(edge["from"].text));
    EXPECT_TRUE(vertices.contains(edge["to"].text));
    EXPECT_GT(edge["confidence"].number(), 0);
    EXPECT_LE(edge["confidence"].number(), 1);
    EXPECT_LE(edge["support"].number(), edge["confidence"].number());
  }
  EXPECT_EQ(ranked(all + Args{"--graph", path("graph.dot")}).status, 1);
  const std::string dot = contents(path("graph.dot"));
  EXPECT_TRUE(dot.starts_with("digraph ")) << dot;
  EXPECT_TRUE(dot.ends_with("}\n"));
  std::size_t arrows = 0;
  std::istringstream lines(dot);
  for (std::string line; std::getline(lines, line);) arrows += contains(line, " -> ");
  EXPECT_EQ(arrows, graph["edges"].items.size());
}

// ---- Verdicts from a file ----

TEST_F(RankVerdicts, PutConfirmedFaultsFirstAndRejectedOnesLast) {
  const Words before = ids();
  ASSERT_GT(before.size(), 3U);
  write("verdicts.jsonl", judgement(before.front(), "rejected") + "\n" +
                              judgement(before.back(), "confirmed") + "\n");
  for (const char* method : {"likelihood", "paper"}) {
    const Value after = json({"--feedback", verdicts_, "--method", method});
    const Value& first = after["faults"].items.front();
    const Value& last = after["faults"].items.back();
    EXPECT_EQ(first["id"].text, before.back());
    EXPECT_EQ(first["verdict"].text, "confirmed");
    EXPECT_EQ(last["id"].text, before.front());
    EXPECT_EQ(last["verdict"].text, "rejected");
    EXPECT_EQ(after["verdicts"].count(), 2U);
    EXPECT_EQ(after["faults"].items.size(), before.size());
  }
}

TEST_F(RankVerdicts, CountWhenTheyAreTheLastOnAFault) {
  const std::string id = ids().at(2);
  write("verdicts.jsonl", judgement(id, "confirmed") + "\n\n" + judgement(id, "rejected") + "\n");
  EXPECT_EQ(json({"--feedback", verdicts_})["verdicts"].count(), 1U);
  EXPECT_EQ(ids({"--feedback", verdicts_}).back(), id);
  write("verdicts.jsonl", judgement(id, "confirmed") + "\n" + judgement(id, "none"));
  EXPECT_EQ(ranked({"--feedback", verdicts_, "--format", "json"}).out,
            ranked({"--format", "json"}).out);
}

TEST_F(RankVerdicts, AreTheSameWithoutDamagedLines) {
  const Words known = ids();
  const Words whole = {judgement(known.at(0), "rejected"), judgement(known.at(1), "confirmed")};
  for (const std::string& damaged :
       Words{"garbage", "{}", R"({"fault": "x"})", R"({"verdict": "rejected"})",
             judgement(known.at(0), "maybe"), judgement(known.at(0), "confirmed") + "x",
             R"({"fault": 7, "verdict": "confirmed"})", "\xFF",
             R"({"fault": "x", "verdict": "confirmed", "verdict": "rejected"})"}) {
    for (const std::size_t at : {0U, 1U, 2U}) {
      write("verdicts.jsonl", joined(with(whole, at, "")));
      const Outcome expected = ranked({"--feedback", verdicts_, "--format", "json"});
      EXPECT_EQ(expected.err, "");
      write("verdicts.jsonl", joined(with(whole, at, damaged)));
      const Outcome said = ranked({"--feedback", verdicts_, "--format", "json"});
      EXPECT_EQ(said.out, expected.out) << damaged;
      EXPECT_EQ(said.status, 1);
      EXPECT_TRUE(said.err.starts_with("poise: " + verdicts_ + ":" + std::to_string(at + 1) + ": "))
          << said.err;
      const Outcome strict = ranked({"--feedback", verdicts_, "--strict"});
      EXPECT_EQ(strict.status, 2) << damaged;
      EXPECT_EQ(strict.out, "");
      EXPECT_EQ(strict.err, said.err);
      const Outcome truth = ranked({"--truth", verdicts_, "--strict"});
      EXPECT_EQ(truth.status, 2) << damaged;
      EXPECT_EQ(truth.err, said.err);
    }
  }
}

TEST_F(RankVerdicts, ThatAreAllDamagedDoNotFloodTheTerminal) {
  write("verdicts.jsonl", repeated("garbage\n", 1000));
  const Outcome said = ranked({"--feedback", verdicts_});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(std::ranges::count(said.err, '\n'), 6) << said.err.substr(0, 2000);
  EXPECT_TRUE(contains(said.err, verdicts_ + ": 995 more lines were skipped"));
}

TEST_F(RankVerdicts, SurviveEditsOfTheModel) {
  const Value before = json();
  std::string text;
  for (const std::string& id : texts(before["faults"], "id"))
    text += judgement(id, "rejected") + "\n";
  write("verdicts.jsonl", text);
  write("phone.poise", kPhoneEdited);
  const Value after = json({"--feedback", verdicts_});
  EXPECT_EQ(after["verdicts"].count(), before["faults"].items.size());
  EXPECT_EQ(after["reported"].count(), before["reported"].count());
  std::set<std::string> ids_before;
  std::set<std::string> ids_after;
  for (const std::string& id : texts(before["faults"], "id")) ids_before.insert(id);
  for (const std::string& id : texts(after["faults"], "id")) ids_after.insert(id);
  EXPECT_EQ(ids_after, ids_before);
  EXPECT_FALSE(contains(ranked({"--feedback", verdicts_}).out, "not reported any more"));
}

TEST_F(RankVerdicts, OnFaultsThatAreGoneAreCountedAndKept) {
  EXPECT_EQ(inspected(std::string(100, 'c')).status, 1);
  const std::string earlier = contents(verdicts_);
  const std::size_t all = judged().size();
  ASSERT_EQ(all, ids().size());
  write("phone.poise", kDeclarations + kHomeRules + kActivateOffice);  // no way out of the office
  const Value value = json({"--feedback", verdicts_});
  const std::size_t left = value["verdicts"].count();
  EXPECT_GT(left, 0U);
  EXPECT_LT(left, all);
  const Outcome text = ranked({"--feedback", verdicts_});
  EXPECT_TRUE(contains(text.out, std::to_string(all - left) + " that are not reported any more"))
      << text.out;
  EXPECT_EQ(inspected("cq").status, 1);
  EXPECT_TRUE(contents(verdicts_).starts_with(earlier));
  write("phone.poise", kPhone);
  EXPECT_EQ(json({"--feedback", verdicts_})["verdicts"].count(), all);
}

TEST_F(RankVerdicts, ThatAreTrueSayHowGoodTheRankingIs) {
  const Words known = ids();
  write("truth", judgement(known.at(1), "confirmed") + "\n" + judgement(known.at(4), "confirmed") +
                     "\n" + judgement(known.at(5), "rejected") + "\n" +
                     judgement("0123456789abcdef", "confirmed") + "\n");
  for (const char* method : {"likelihood", "paper"}) {
    const Value value = json({"--truth", path("truth"), "--method", method});
    EXPECT_EQ(texts(value["quality"], "ranking"), (Words{"static", "dynamic", "random", "ideal"}));
    for (const Value& quality : value["quality"].items) {
      for (const char* measure : {"dcg", "top_true", "top_tenth"}) {
        EXPECT_GE(quality[measure].number(), 0) << measure;
        EXPECT_LE(quality[measure].number(), 1) << measure;
      }
    }
    EXPECT_EQ(value["quality"].items.at(3)["dcg"].number(), 1);
    EXPECT_EQ(value["quality"].items.at(3)["top_true"].number(), 1);
    EXPECT_LT(value["quality"].items.at(2)["dcg"].number(), 1);
    // To know the truth changes nothing about the ranking.
    EXPECT_EQ(texts(value["faults"], "id"), ids({"--method", method}));
  }
  const Outcome text = ranked({"--truth", path("truth")});
  for (const char* name : {"\n  static ", "\n  dynamic ", "\n  random ", "\n  ideal     1.000 "}) {
    EXPECT_TRUE(contains(text.out, name)) << name;
  }
  EXPECT_FALSE(contains(ranked().out, "ideal"));
  // Nothing is true.
  const Value none = json({"--truth", write("none", "")});
  EXPECT_EQ(none["quality"].items.size(), 4U);
  EXPECT_EQ(none["quality"].items.at(3)["dcg"].number(), 1);
}

// ---- Verdicts from a person ----

// Standard input line by line, with a look at the world before each.
class Typist : public std::streambuf {
 public:
  Typist(Words lines, std::function<void()> look)
      : lines_(std::move(lines)), look_(std::move(look)) {}

 protected:
  int_type underflow() override {
    if (next_ == lines_.size()) return traits_type::eof();
    look_();
    std::string& line = lines_[next_++];
    setg(line.data(), line.data(), line.data() + line.size());
    return traits_type::to_int_type(line.front());
  }

 private:
  Words lines_;
  std::function<void()> look_;
  std::size_t next_ = 0;
};

TEST_F(RankInteractively, AVerdictIsInTheFileBeforeTheNextQuestion) {
  std::vector<std::size_t> lines;
  Typist typist({"c\n", "r\n", "s\n", "u\n", "u\n", "q\n"},
                [&] { lines.push_back(judged().size()); });
  std::istream in(&typist);
  std::ostringstream out;
  std::ostringstream err;
  const Args args = {"rank", model_, "--log", log_, "--feedback", verdicts_, "--interactive"};
  EXPECT_EQ(run(args, in, out, err), 1);
  EXPECT_EQ(lines, (std::vector<std::size_t>{0, 1, 2, 2, 2, 3}));
}

TEST_F(RankInteractively, ConfirmsAndRejects) {
  const Words before = ids();
  const Outcome said = inspected("crq");
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.err, "");
  const std::vector<Judged> verdicts = judged();
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0], (Judged{before.front(), "confirmed"}));
  EXPECT_EQ(verdicts[1].verdict, "rejected");
  EXPECT_NE(verdicts[1].fault, verdicts[0].fault);
  EXPECT_EQ(faults_asked_about(said), 3U);
  EXPECT_TRUE(said.out.ends_with("2 verdicts added to " + verdicts_ + "; " +
                                 std::to_string(before.size() - 2) + " faults without one\n"))
      << said.out;
  const Value after = json({"--feedback", verdicts_});
  EXPECT_EQ(after["verdicts"].count(), 2U);
  EXPECT_EQ(after["faults"].items.front()["id"].text, verdicts[0].fault);
  EXPECT_EQ(after["faults"].items.back()["id"].text, verdicts[1].fault);
}

TEST_F(RankInteractively, JudgesKinAtOnce) {
  for (const auto& [answer, verdict] : {std::pair("C", "confirmed"), std::pair("R", "rejected")}) {
    write("verdicts.jsonl", "");
    const Value before = json();
    std::set<std::string> kin;
    for (const Value& fault : before["faults"].items) {
      if (fault["group"].count() == 1) kin.insert(fault["id"].text);
    }
    ASSERT_GT(kin.size(), 1U);
    const Outcome said = inspected(std::string(answer) + "q");
    EXPECT_TRUE(contains(said.out, std::to_string(kin.size() - 1) + " more with this core"))
        << said.out;
    std::set<std::string> judged_kin;
    for (const Judged& one : judged()) {
      EXPECT_EQ(one.verdict, verdict);
      EXPECT_TRUE(judged_kin.insert(one.fault).second);
    }
    EXPECT_EQ(judged_kin, kin);
  }
}

TEST_F(RankInteractively, SkipsAFaultForThisSession) {
  const Words before = ids();
  const Outcome said = inspected("scq");
  const std::vector<Judged> verdicts = judged();
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0], (Judged{before.at(1), "confirmed"}));
  EXPECT_EQ(faults_asked_about(said), 3U);
  // All can be skipped.
  const Outcome all = inspected(std::string(1000, 's'));
  EXPECT_EQ(all.status, 1);
  EXPECT_EQ(faults_asked_about(all), before.size() - 1);
  EXPECT_EQ(judged().size(), 1U);
}

TEST_F(RankInteractively, UndoesTheLastAnswer) {
  const std::string untouched = ranked({"--format", "json"}).out;
  const auto is_untouched = [&] {
    return ranked({"--feedback", verdicts_, "--format", "json"}).out == untouched;
  };
  const std::string first = ids().front();
  const Outcome once = inspected("cuq");
  EXPECT_EQ(judged(), (std::vector<Judged>{{first, "confirmed"}, {first, "none"}}));
  EXPECT_TRUE(is_untouched());
  EXPECT_TRUE(contains(once.out, "0 verdicts added to ")) << once.out;
  // It is asked about again, in the same words.
  const std::size_t question = once.out.find("\n   1. ");
  const std::string asked = once.out.substr(question, once.out.find(" > ") - question);
  EXPECT_NE(once.out.find(asked, question + 1), std::string::npos) << once.out;

  write("verdicts.jsonl", "");
  EXPECT_EQ(inspected("Cuq").status, 1);
  const std::vector<Judged> kin = judged();
  ASSERT_GT(kin.size(), 2U);
  EXPECT_EQ(std::ranges::count(kin, "none", &Judged::verdict),
            static_cast<std::ptrdiff_t>(kin.size() / 2));
  EXPECT_TRUE(is_untouched());

  for (const std::string& answers : Words{"crRuuuq", "RCuuq", "rurucuq", "sruq", "rsuuq", "cuuq"}) {
    write("verdicts.jsonl", "");
    const Outcome said = inspected(answers);
    EXPECT_EQ(said.status, 1) << answers;
    EXPECT_TRUE(is_untouched()) << answers;
    EXPECT_TRUE(contains(said.out, "\n0 verdicts added to ")) << answers << said.out;
  }
  write("verdicts.jsonl", "");
  EXPECT_EQ(inspected("cruq").status, 1);
  EXPECT_EQ(json({"--feedback", verdicts_})["verdicts"].count(), 1U);
  EXPECT_EQ(ids({"--feedback", verdicts_}).front(), first);
}

TEST_F(RankInteractively, SaysThatThereIsNothingToUndo) {
  const Outcome said = inspected("uuq");
  EXPECT_EQ(said.status, 1);
  EXPECT_TRUE(contains(said.out, "there is nothing to undo")) << said.out;
  EXPECT_EQ(contents(verdicts_), "");
  // What an earlier session said is not undone.
  EXPECT_EQ(inspected("cq").status, 1);
  const std::string earlier = contents(verdicts_);
  EXPECT_TRUE(contains(inspected("uq").out, "there is nothing to undo"));
  EXPECT_EQ(contents(verdicts_), earlier);
}

TEST_F(RankInteractively, EndsWhereTheInputEnds) {
  const Outcome quit = inspected("q");
  const Outcome end = inspected("");
  EXPECT_EQ(quit.status, 1);
  EXPECT_EQ(end.status, 1);
  EXPECT_EQ(end.out, quit.out);
  EXPECT_TRUE(contains(end.out, "0 verdicts added to ")) << end.out;
  EXPECT_EQ(contents(verdicts_), "");
  // The last line may lack its end.
  const Args args = {"rank", model_, "--log", log_, "--feedback", verdicts_, "--interactive"};
  EXPECT_EQ(outcome(args, "c").status, 1);
  EXPECT_EQ(judged().size(), 1U);
}

TEST_F(RankInteractively, AsksAgainWhereItDoesNotUnderstand) {
  const Args args = {"rank", model_, "--log", log_, "--feedback", verdicts_, "--interactive"};
  const Outcome said = outcome(args, "x\n\nconfirm\n\xFF\nc\nq\n");
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(judged().size(), 1U);
  EXPECT_EQ(faults_asked_about(said), 2U);
  EXPECT_TRUE(contains(said.out, "an answer is one of c, r, C, R, s, u, q")) << said.out;
}

TEST_F(RankInteractively, GoesOnWhereTheLastSessionEnded) {
  const Words all = ids();
  const Outcome whole = inspected(std::string("crc") + std::string(all.size() - 3, 'r'));
  EXPECT_EQ(whole.status, 1);
  const std::string expected = contents(verdicts_);
  EXPECT_EQ(judged().size(), all.size());
  EXPECT_TRUE(contains(whole.out, "; 0 faults without one")) << whole.out;

  write("verdicts.jsonl", "");
  EXPECT_EQ(inspected("cq").status, 1);
  EXPECT_EQ(inspected("r").status, 1);
  EXPECT_EQ(inspected("csuqq").status, 1);
  write("verdicts.jsonl", "");
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(inspected(i == 0 || i == 2 ? "cq" : "r").status, 1);
  }
  EXPECT_EQ(contents(verdicts_), expected);
  const Outcome nothing_left = inspected("ccc");
  EXPECT_EQ(faults_asked_about(nothing_left), 0U);
  EXPECT_EQ(contents(verdicts_), expected);
}

TEST_F(RankInteractively, AppendsToAFileThatEndsWithinALine) {
  const Words all = ids();
  write("verdicts.jsonl", judgement(all.at(2), "rejected"));
  EXPECT_EQ(inspected("cq").status, 1);
  EXPECT_EQ(judged(), (std::vector<Judged>{{all.at(2), "rejected"}, {all.at(0), "confirmed"}}));
  // As if the program had ended while it wrote.
  write("verdicts.jsonl", R"({"fault": "0123)");
  const Outcome said = inspected("cq");
  EXPECT_TRUE(contains(said.err, verdicts_ + ":1: ")) << said.err;
  EXPECT_EQ(json({"--feedback", verdicts_})["verdicts"].count(), 1U);
}

TEST_F(RankInteractively, SaysThatItCannotKeepAVerdict) {
  verdicts_ = path("no/where.jsonl");
  const Outcome said = inspected("ccc");
  EXPECT_EQ(said.status, 2);
  EXPECT_TRUE(contains(said.err, "cannot write " + verdicts_)) << said.err;
}

}  // namespace
}  // namespace poise::cli
