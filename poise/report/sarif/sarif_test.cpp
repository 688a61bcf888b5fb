#include "poise/report/sarif/sarif.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "poise/diag/render.h"
#include "poise/report/sarif/rules.h"
#include "tests/support/models.h"
#include "tests/support/office_faults.h"
#include "tests/support/office_model.h"

namespace poise::report {
namespace {

using finding::Fault;
using finding::FaultKind;
using model::Model;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string json_of(const Model& model, const check::Report& report,
                    UnstableRules unstable = UnstableRules::LeftOut) {
  SarifLog log({.version = "1.2.3", .unstable = unstable});
  log.add(model, report);
  return log.json();
}

check::Report with(std::vector<Fault> faults) {
  check::Report report;
  report.faults = std::move(faults);
  return report;
}

// The line of the first result.
std::string first_result(const Model& model, const Fault& fault) {
  return test::line_from(json_of(model, with({fault})), "{\"ruleId\"");
}

Fault nondeterminism() {
  Fault fault = test::enter_or_walk();
  fault.situations = 1234;
  return fault;
}

Fault cycle() {
  return {.kind = FaultKind::Cycle,
          .state = test::kIdle,
          .rules = {test::kEnter, test::kLeave},
          .loop = 1,
          .situations = 1};
}

TEST(SarifRules, AreOneForEachKindAndOneForEachCompactList) {
  ASSERT_EQ(sarif_rules().size(), std::size(finding::kAllFaultKinds) + 2);
  for (const FaultKind kind : finding::kAllFaultKinds) {
    EXPECT_EQ(sarif_rules()[sarif_index(kind)].id, "poise/" + std::string(finding::name(kind)));
  }
  EXPECT_EQ(sarif_rules()[sarif_index_of_unstable()].id, "poise/unstable-rule");
}

TEST(SarifRules, DefineFaultsAsTheDocumentDoes) {
  std::ifstream file(POISE_SOURCE_DIR "/docs/findings.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  for (const FaultKind kind : finding::kAllFaultKinds) {
    const SarifRule& rule = sarif_rules()[sarif_index(kind)];
    EXPECT_TRUE(contains(document, "*" + std::string(rule.definition) + "*")) << rule.definition;
  }
}

TEST(SarifRules, OfOtherVerbsAreSectionsOfTheDocument) {
  std::ifstream file(POISE_SOURCE_DIR "/docs/findings.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> ids;
  for (const SarifVerb verb : {SarifVerb::Verify, SarifVerb::Shake}) {
    for (const SarifRule& rule : sarif_rules(verb)) {
      ids.emplace_back(rule.id);
      const std::string section =
          "\n## " + ids.back().substr(6) + "\n\n*" + std::string(rule.definition) + "*\n";
      EXPECT_TRUE(contains(document, section)) << section;
    }
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"poise/hazard", "poise/broken-expectation",
                                           "poise/variant-range", "poise/difference",
                                           "poise/program-failure", "poise/surviving-mutant"}));
}

TEST(SarifLog, HasFailuresOfAPolicyAtTheirPlaces) {
  Model model;
  model.name = "Fan";
  model.file = "fan.poise";
  shake::Report report;
  report.failures.push_back({.kind = shake::Failing::Kind::Expectation,
                             .name = "calm",
                             .text = "it does not hold",
                             .at = Position{.line = 7, .column = 3},
                             .flows = 2,
                             .original = {},
                             .smallest = {{}},
                             .shown = {}});
  report.failures.push_back({.kind = shake::Failing::Kind::Ended,
                             .name = "program",
                             .text = "the program ended with status 1",
                             .at = {},
                             .original = {},
                             .smallest = {{}, {}},
                             .shown = {}});
  SarifLog log({.version = "1", .verb = SarifVerb::Shake});
  log.add(model, report);
  const std::string json = log.json();
  const std::string first = test::line_from(json, "{\"ruleId\"");
  EXPECT_TRUE(contains(first, R"("ruleId": "poise/broken-expectation", "ruleIndex": 0, )"
                              R"("level": "error", "message": {"text": "`calm` is broken: it does )"
                              R"(not hold. The smallest flow that shows it has 1 tick."})"));
  EXPECT_TRUE(contains(first, R"("region": {"startLine": 7, "startColumn": 3})"));
  EXPECT_TRUE(contains(json, R"("ruleId": "poise/program-failure", "ruleIndex": 3)"));
  EXPECT_FALSE(contains(json, "poise/hazard"));
}

TEST(SarifLog, TellsMutantsApartThatReadAlike) {
  Model model;
  model.name = "Fan";
  model.file = "fan.poise";
  shake::Report report;
  report.mutation.emplace();
  using Status = shake::MutantResult::Status;
  for (const Status status :
       {Status::Survived, Status::Killed, Status::Survived, Status::Equivalent}) {
    shake::MutantResult mutant;
    mutant.id = "comparison-1";
    mutant.group = "comparison";
    mutant.description = "`a` instead of `b`";
    mutant.at = {.line = 2, .column = 1};
    mutant.end = {.line = 2, .column = 2};
    mutant.status = status;
    report.mutation->mutants.push_back(mutant);
  }
  SarifLog log({.version = "1", .verb = SarifVerb::Shake});
  log.add(model, report);
  const std::string json = log.json();
  std::set<std::string> fingerprints;
  const std::string key = R"("poiseFault/v1": ")";
  for (std::size_t at = json.find(key); at != std::string::npos; at = json.find(key, at + 1)) {
    fingerprints.insert(json.substr(at + key.size(), 16));
  }
  EXPECT_EQ(fingerprints.size(), 2U);
  EXPECT_TRUE(contains(json, R"("ruleId": "poise/surviving-mutant", "ruleIndex": 4, )"
                             R"("level": "note")"));
}

TEST(SarifLog, SaysWhoMadeItAndThatAllWentWell) {
  const std::string json = SarifLog({.version = "1.2.3"}).json();
  EXPECT_TRUE(contains(json, R"("driver": {"name": "poise", "version": "1.2.3", "rules": [)"));
  EXPECT_TRUE(contains(json, R"({"executionSuccessful": true, "toolExecutionNotifications": []})"));
  EXPECT_TRUE(contains(json, "\"results\": []\n"));
  EXPECT_TRUE(json.ends_with("}\n"));
}

TEST(SarifLog, LinksTheRulesOfAChoice) {
  const std::string result = first_result(test::office_model(), nondeterminism());
  EXPECT_TRUE(contains(result, R"("message": {"text": "In Idle, [Enter](1) and [Walk](2) are )"
                               R"(triggered at once, and chance decides: in 1,234 situations, )"
                               R"(when place == office and gps.speed > 5."})"));
  EXPECT_TRUE(contains(result, R"("relatedLocations": [{"id": 1, "physicalLocation": )"
                               R"({"artifactLocation": {"uri": "office.poise", )"
                               R"("uriBaseId": "%SRCROOT%", "index": 0}, )"
                               R"("region": {"startLine": 11, "startColumn": 1}})"));
  EXPECT_TRUE(contains(result, R"("id": 2, )"));
}

TEST(SarifLog, NamesStatesAndRules) {
  EXPECT_TRUE(contains(
      first_result(test::office_model(), nondeterminism()),
      R"("logicalLocations": [{"name": "Idle", "fullyQualifiedName": "Office::Idle", )"
      R"("kind": "state"}, {"name": "Enter", "fullyQualifiedName": "Office::Idle::Enter", )"
      R"("kind": "rule"}])"));
}

TEST(SarifLog, WalksAlongAPathAndMarksItsLoop) {
  const std::string result = first_result(test::office_model(), cycle());
  EXPECT_TRUE(contains(result, R"("ruleId": "poise/cycle", "ruleIndex": 5, "level": "error")"));
  EXPECT_TRUE(contains(result, R"("message": {"text": "Enter leads from Idle to Work"}}, )"
                               R"("nestingLevel": 0, "executionOrder": 1)"));
  EXPECT_TRUE(contains(result, R"("message": {"text": "Leave leads from Work to Idle; the loop )"
                               R"(starts here; and so on without end"}}, "kinds": ["loop"], )"
                               R"("nestingLevel": 1, "executionOrder": 2)"));
  EXPECT_FALSE(contains(first_result(test::office_model(), nondeterminism()), "codeFlows"));
}

TEST(SarifLog, SaysWhyARuleIsDead) {
  const Model model = test::office_model();
  Fault fault{.kind = FaultKind::DeadRule,
              .state = test::kIdle,
              .rules = {test::kLate},
              .cause = finding::DeadCause::Shadowed,
              .by = {test::kEnter}};
  EXPECT_TRUE(contains(first_result(model, fault),
                       "In Idle, Late is never triggered: wherever it is satisfied, it loses to "
                       "[Enter](1)."));
  fault.cause = finding::DeadCause::Unsatisfiable;
  fault.by.clear();
  const std::string result = first_result(model, fault);
  EXPECT_TRUE(contains(result, "no feasible context satisfies its guard `place == office`."));
  EXPECT_FALSE(contains(result, "relatedLocations"));
}

TEST(SarifLog, HasTheFactsOfJsonAsProperties) {
  Fault fault = nondeterminism();
  fault.situations = Integer::power(2, 100);
  fault.witness = test::at_the_office();
  EXPECT_TRUE(
      contains(first_result(test::office_model(), fault),
               R"("properties": {"model": "Office", "state": "Idle", "rules": ["Enter", "Walk"], )"
               R"("situations": "1267650600228229401496703205376", "reachable": true, )"
               R"("when": "place == office and gps.speed > 5", "witness": {"gps.on": false, )"
               R"("gps.speed": null, "place": "office", "bt": ["phone"], "count": 3}})"));
}

TEST(SarifLog, ShortensLongConditionsInMessagesOnly) {
  Model model = test::office_model();
  model.atoms[test::kAtOffice].text = std::string(300, 'x');
  Fault fault = nondeterminism();
  fault.when = finding::Condition{{{test::kMoving, true}}, {{test::kAtOffice, true}}};
  const std::string result = first_result(model, fault);
  EXPECT_TRUE(contains(result, "when gps.speed > 5 … or 1 other way."));
  EXPECT_TRUE(contains(result, "\"when\": \"gps.speed > 5 or xxx"));
}

TEST(SarifLog, SaysSoWhereAConditionAlwaysHoldsOrIsNotKnown) {
  Fault fault = nondeterminism();
  fault.when = finding::Condition{{}};
  EXPECT_TRUE(contains(first_result(test::office_model(), fault),
                       "in 1,234 situations, whatever the context."));
  fault.when.reset();
  const std::string result = first_result(test::office_model(), fault);
  EXPECT_TRUE(contains(result, "chance decides: in 1,234 situations.\"}"));
  EXPECT_TRUE(contains(result, "\"when\": null"));
}

TEST(SarifLog, EscapesWhatMessagesGiveAMeaning) {
  Model model = test::office_model();
  model.rules[test::kEnter].name = "a[0]\\\"";
  model.atoms[test::kAtOffice].text = "place in {home, office}";
  const std::string result = first_result(model, nondeterminism());
  EXPECT_TRUE(contains(result, R"([a\\[0\\]\\\\\"](1) and [Walk](2))"));
  EXPECT_TRUE(contains(result, "when place in {{home, office}} and"));
  EXPECT_TRUE(contains(result, R"("when": "place in {home, office} and)"));
}

TEST(SarifLog, EncodesPaths) {
  Model model = test::office_model();
  model.file = std::string("/my rules/\xFF", 11) + std::string(1, '\0');
  const std::string result = first_result(model, nondeterminism());
  EXPECT_TRUE(contains(result, R"({"uri": "file:///my%20rules/%FF%00", "index": 0})"));
}

TEST(SarifLog, TellsModelsOfOneNameApart) {
  SarifLog log({.version = "1"});
  log.add(test::office_model(), with({cycle()}));
  log.add(test::office_model(), with({cycle()}));
  const std::string json = log.json();
  std::vector<std::string> prints;
  const std::string key = "\"poiseFault/v1\": \"";
  for (std::size_t at = json.find(key); at != std::string::npos; at = json.find(key, at + 1)) {
    prints.push_back(json.substr(at + key.size(), 16));
  }
  ASSERT_EQ(prints.size(), 2U);
  EXPECT_NE(prints[0], prints[1]);
  EXPECT_TRUE(contains(json_of(test::office_model(), with({cycle()})), prints[0]));
}

TEST(SarifLog, SaysThatALimitEndedTheSearch) {
  check::Report report = with({});
  report.extent.complete = false;
  report.extent.stopped = "the time is up";
  const std::string json = json_of(test::office_model(), report);
  EXPECT_TRUE(contains(json, "\"executionSuccessful\": true"));
  EXPECT_TRUE(contains(json, R"("level": "warning", "message": {"text": "A limit ended the search )"
                             R"(in Office: the time is up. )"));
  EXPECT_TRUE(contains(json, R"("properties": {"model": "Office", "complete": false})"));
}

TEST(SarifLog, SaysThatThereAreMorePaths) {
  check::Report report = with({cycle()});
  report.extent.complete = false;
  report.more_races = true;
  report.more_cycles = true;
  EXPECT_TRUE(contains(json_of(test::office_model(), report),
                       R"("level": "note", "message": {"text": "Office has more races and cycles )"
                       R"(than are listed; --paths says how many to list."})"));
}

TEST(SarifLog, ListsUnstableRulesWhereTheyStandForPaths) {
  check::Report report = with({});
  report.unstable = {
      {.state = test::kIdle, .rule = test::kEnter, .to = test::kWork, .situations = Integer(3)}};
  EXPECT_FALSE(contains(json_of(test::office_model(), report), "\"ruleId\""));
  const std::string json = json_of(test::office_model(), report, UnstableRules::AreResults);
  EXPECT_TRUE(contains(json, R"("ruleId": "poise/unstable-rule", "ruleIndex": 6)"));
  EXPECT_TRUE(contains(
      json, "In Idle, Enter leads to Work, where a rule is satisfied at once, in 3 situations."));
}

TEST(SarifLog, IsLessPreciseWhereConditionsAreTakenAsFree) {
  const Model model = test::model_of(R"(
    sense a : bool
    stream calls { line: int 0..9 }
    state Idle initial, Busy
    rule ring: Idle -> Busy when exists c in calls[last 5m]: c.line == 3
    rule stop: Busy -> Busy when a)");
  const auto precision_of = [&](const check::Report& report, const std::string& id) {
    const std::string rule = test::line_from(json_of(model, report, UnstableRules::AreResults),
                                             "{\"id\": \"poise/" + id + "\"");
    return contains(rule, R"("precision": "high")")        ? "high"
           : contains(rule, R"("precision": "very-high")") ? "very-high"
                                                           : "none";
  };
  Fault fault{.kind = FaultKind::Cycle,
              .state = model::StateId{1},
              .rules = {model::RuleId{1}},
              .loop = 0,
              .situations = 1,
              .when = finding::Condition{{{model::AtomId{1}, true}}}};
  EXPECT_EQ(precision_of(with({fault}), "cycle"), "very-high");
  EXPECT_EQ(precision_of(with({fault}), "race"), "very-high");
  fault.when = finding::Condition{{{model::AtomId{0}, true}}};
  EXPECT_EQ(precision_of(with({fault}), "cycle"), "high");
  EXPECT_EQ(precision_of(with({fault}), "race"), "very-high");
  check::Report report;
  report.unstable = {{model::StateId{1}, model::RuleId{1}, model::StateId{1}, 1}};
  EXPECT_EQ(precision_of(report, "unstable-rule"), "very-high");
  report.unstable = {{model::StateId{0}, model::RuleId{0}, model::StateId{1}, 1}};
  EXPECT_EQ(precision_of(report, "unstable-rule"), "high");
}

TEST(SarifLog, TellsWhatIsWrongWithAText) {
  const Source source{.name = "wrong.poise", .text = "state é initial\nrule x"};
  SarifLog log({.version = "1"});
  log.add(source, {{.code = diag::Code::UnknownName,
                    .span = {.begin = 6, .end = 8},
                    .message = "unknown name `é`",
                    .hint = "did you mean `e`?"}});
  const std::string json = log.json();
  EXPECT_TRUE(contains(json, "\"executionSuccessful\": false"));
  EXPECT_TRUE(contains(json, R"({"descriptor": {"id": "unknown-name"}, "level": "error", )"
                             R"("message": {"text": "unknown name `é` (did you mean)"));
  EXPECT_TRUE(contains(json, "(did you mean `e`?)\"}"));
  EXPECT_TRUE(
      contains(json, R"({"startLine": 1, "startColumn": 7, "endLine": 1, "endColumn": 8})"));
}

TEST(SarifLog, TellsOnlyTheFirstOfManyMistakes) {
  const Source source{.name = "wrong.poise", .text = "x"};
  const diag::Diagnostic wrong{
      .code = diag::Code::UnknownName, .span = {.begin = 0, .end = 1}, .message = "unknown"};
  SarifLog log({.version = "1"});
  log.add(source, diag::Diagnostics(diag::kMaxShown + 5, wrong));
  const std::string json = log.json();
  EXPECT_TRUE(contains(json, "… and 5 more errors"));
  EXPECT_LT(std::ranges::count(json, '\n'), 140);
}

TEST(SarifLog, TellsOfAFileThatCannotBeRead) {
  SarifLog log({.version = "1"});
  log.add_unreadable("gone.poise", "cannot read `gone.poise`");
  const std::string json = log.json();
  EXPECT_TRUE(contains(json, "\"executionSuccessful\": false"));
  EXPECT_TRUE(contains(json, R"("message": {"text": "cannot read `gone.poise`"}, "locations": )"
                             R"([{"physicalLocation": {"artifactLocation": {"uri": "gone.poise")"));
}

}  // namespace
}  // namespace poise::report
