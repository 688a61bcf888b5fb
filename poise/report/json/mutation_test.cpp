#include "poise/report/json/mutation.h"

#include <gtest/gtest.h>

namespace poise::report {
namespace {

using Status = shake::MutantResult::Status;

shake::MutantResult mutant(std::string id, Status status, std::vector<std::int32_t> killed_at) {
  shake::MutantResult result;
  result.id = std::move(id);
  result.group = "threshold";
  result.description = "`x > \"6\"` instead";
  result.replacement = "6";
  result.at = {.line = 3, .column = 9};
  result.end = {.line = 3, .column = 10};
  result.status = status;
  result.killed_at = std::move(killed_at);
  return result;
}

std::string json_of(std::vector<shake::MutantResult> mutants) {
  model::Model model;
  model.name = "M";
  model.file = "m.poise";
  shake::Report report;
  report.generator = "portfolio";
  report.seed = 7;
  report.flows = {{{0}}, {{0}}};
  report.facts.resize(2);
  report.facts[0].from = "hold";
  report.facts[1].from = "ramp";
  report.mutation.emplace();
  report.mutation->mutants = std::move(mutants);
  return mutation_json(model, report, "model M\n\"x\"\n");
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(MutationJson, HasTheTextAndTheFlowsAsTests) {
  const std::string json = json_of({});
  EXPECT_TRUE(has(json, R"("schemaVersion": "2")"));
  EXPECT_TRUE(has(json, R"("config": {"generator": "portfolio", "seed": 7})"));
  EXPECT_TRUE(has(json, R"("source": "model M\n\"x\"\n")"));
  EXPECT_TRUE(has(json, R"({"id": "flow-1", "name": "flow 1: hold"})"));
  EXPECT_TRUE(has(json, R"({"id": "flow-2", "name": "flow 2: ramp"})"));
}

TEST(MutationJson, SaysWhoKillsAndWhenItFirstDiffers) {
  const std::string json = json_of({mutant("threshold-1", Status::Killed, {-1, 4})});
  EXPECT_TRUE(has(json, R"("location": {"start": {"line": 3, "column": 9}, )"
                        R"("end": {"line": 3, "column": 10}}, "status": "Killed", )"
                        R"("statusReason": "first differs at tick 5 of flow-2", )"
                        R"("killedBy": ["flow-2"], "coveredBy": ["flow-1", "flow-2"])"))
      << json;
}

TEST(MutationJson, IgnoresWhatIsEquivalentAndLetsTheOthersSurvive) {
  shake::MutantResult equivalent = mutant("a", Status::Equivalent, {-1, -1});
  equivalent.reason = "equivalent on this grid";
  const std::string json = json_of({equivalent, mutant("b", Status::Killable, {-1, -1}),
                                    mutant("c", Status::Survived, {-1, -1})});
  EXPECT_TRUE(has(json, R"("status": "Ignored", "statusReason": "equivalent on this grid", )"
                        R"("killedBy": [])"));
  const std::size_t first = json.find(R"("status": "Survived")");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(json.find(R"("status": "Survived")", first + 1), std::string::npos);
}

TEST(MutationJson, GivesAPlaceWithoutAnEndACharacter) {
  shake::MutantResult whole = mutant("a", Status::Killed, {0, 0});
  whole.end = {};
  EXPECT_TRUE(has(json_of({whole}), R"("end": {"line": 3, "column": 10})"));
}

}  // namespace
}  // namespace poise::report
