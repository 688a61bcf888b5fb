#include "poise/report/json/check.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/office_faults.h"
#include "tests/support/office_model.h"

namespace poise::report {
namespace {

using finding::Fault;
using finding::FaultKind;
using model::Model;

check::Report with(std::vector<Fault> faults) {
  check::Report report;
  report.size = {.states = 3, .rules = 4, .atoms = 3, .situations = Integer(12)};
  report.faults = std::move(faults);
  return report;
}

// The line of the first fault, without indentation.
std::string first_fault(const Model& model, const Fault& fault) {
  return test::line_from(check_json(model, with({fault})), "{\"kind\"");
}

Fault nondeterminism() {
  Fault fault = test::enter_or_walk();
  fault.witness = model::Context{Rational(1), Rational(Integer(13), Integer(2)),
                                 Rational(1), Rational(1),
                                 Rational(1), Rational(0)};
  return fault;
}

TEST(CheckJson, HasTheKeysOfTheContractInOrder) {
  check::Report report = with({});
  report.unstable = {
      {.state = test::kIdle, .rule = test::kEnter, .to = test::kWork, .situations = Integer(3)}};
  EXPECT_EQ(check_json(test::office_model(), report), R"({
  "schema": "poise.check/1",
  "model": "Office",
  "size": {"states": 3, "rules": 4, "atoms": 3, "situations": "12"},
  "engine": "reference",
  "complete": true,
  "unstable": [
    {"state": "Idle", "rule": "Enter", "to": "Work", "situations": "3"}
  ],
  "overlaps": [],
  "faults": []
}
)");
}

TEST(CheckJson, SaysWhatStoppedTheRun) {
  check::Report report = with({});
  report.size.situations.reset();
  report.extent.complete = false;
  report.extent.stopped = "the time limit was reached";
  const std::string json = check_json(test::office_model(), report);
  EXPECT_NE(json.find("\"situations\": null"), std::string::npos);
  EXPECT_NE(json.find("\"complete\": false,\n  \"stopped\": \"the time limit was reached\",\n"),
            std::string::npos);
}

TEST(CheckJson, WritesEveryVariableOfAWitness) {
  EXPECT_EQ(first_fault(test::office_model(), nondeterminism()),
            R"({"kind": "nondeterminism", "state": "Idle", "rules": ["Enter", "Walk"], )"
            R"("situations": "2", "reachable": true, "when": "place == office and gps.speed > 5", )"
            R"("witness": {"gps.on": true, "gps.speed": 6.5, "place": "office", )"
            R"("bt": ["pc", "phone"], "count": 0}, )"
            R"("at": {"file": "office.poise", "line": 11, "column": 1}})");
}

TEST(CheckJson, WritesNullForAVariableWithoutValueAndForNoWitness) {
  Fault fault = nondeterminism();
  fault.witness = test::at_the_office();
  EXPECT_NE(first_fault(test::office_model(), fault).find("\"gps.speed\": null, "),
            std::string::npos);
  fault.witness.reset();
  EXPECT_NE(first_fault(test::office_model(), fault).find("\"witness\": null, "),
            std::string::npos);
}

TEST(CheckJson, KeepsNumbersExact) {
  Fault fault = nondeterminism();
  model::Context context = fault.witness->context();
  context[1] = Rational(Integer(1), Integer(3));
  context[5] = Rational(Integer::power(10, 30));
  fault.witness = context;
  fault.situations = Integer::power(2, 100);
  const std::string json = first_fault(test::office_model(), fault);
  EXPECT_NE(json.find(R"("gps.speed": "1/3")"), std::string::npos);
  EXPECT_NE(json.find(R"("count": 1000000000000000000000000000000})"), std::string::npos);
  EXPECT_NE(json.find(R"("situations": "1267650600228229401496703205376")"), std::string::npos);
}

TEST(CheckJson, WritesWhatEachKindHas) {
  const Model model = test::office_model();
  Fault fault{.kind = FaultKind::Race,
              .state = test::kWork,
              .rules = {test::kLeave, test::kWalk},
              .ends = test::kAway};
  EXPECT_NE(
      first_fault(model, fault)
          .find(R"("state": "Work", "path": ["Leave", "Walk"], "ends": "Away", "situations")"),
      std::string::npos);
  fault.kind = FaultKind::Cycle;
  fault.loop = 1;
  EXPECT_NE(first_fault(model, fault).find(R"("path": ["Leave", "Walk"], "loop": 1, )"),
            std::string::npos);
  fault.kind = FaultKind::DeadState;
  EXPECT_NE(first_fault(model, fault).find(R"("state": "Work", "situations")"), std::string::npos);
}

TEST(CheckJson, NamesTheWinnersOfAShadowedRuleOnly) {
  const Model model = test::office_model();
  Fault fault{.kind = FaultKind::DeadRule,
              .state = test::kIdle,
              .rules = {test::kLate},
              .cause = finding::DeadCause::Shadowed,
              .by = {test::kEnter}};
  EXPECT_NE(first_fault(model, fault)
                .find(R"("rules": ["Late"], "cause": "shadowed", "by": ["Enter"], "situations")"),
            std::string::npos);
  fault.cause = finding::DeadCause::Unsatisfiable;
  EXPECT_NE(first_fault(model, fault).find(R"("cause": "unsatisfiable", "situations")"),
            std::string::npos);
}

TEST(CheckJson, EscapesStrings) {
  Model model = test::office_model();
  model.name = "Bür\"o\\\n\x01";
  model.file = "not\xFFtext";
  const std::string json = check_json(model, with({nondeterminism()}));
  EXPECT_NE(json.find("\"model\": \"Bür\\\"o\\\\\\n\\u0001\""), std::string::npos);
  EXPECT_NE(json.find("\"file\": \"not\uFFFDtext\""), std::string::npos);
}

TEST(CheckJson, CanBeWrittenPieceByPiece) {
  const Model model = test::office_model();
  const check::Report report = with(std::vector<finding::Fault>(2000, nondeterminism()));
  std::string all;
  std::size_t longest = 0;
  write_check_json(model, report, [&](std::string_view piece) {
    all += piece;
    longest = std::max(longest, piece.size());
  });
  EXPECT_EQ(all + '\n', check_json(model, report));
  EXPECT_LT(longest, all.size() / 2);
}

}  // namespace
}  // namespace poise::report
