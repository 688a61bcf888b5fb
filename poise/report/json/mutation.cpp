#include "poise/report/json/mutation.h"

#include <vector>

#include <fmt/format.h>

#include "poise/json/writer.h"

namespace poise::report {

using shake::MutantResult;

namespace {

std::string flow_id(std::size_t flow) { return fmt::format("flow-{}", flow + 1); }

std::string json_position(const Position& at) {
  json::Object object;
  object.add_number("line", at.line);
  object.add_number("column", at.column);
  return object.json();
}

std::string json_location(const Position& at, const Position& end) {
  json::Object object;
  object.add("start", json_position(at));
  object.add("end", json_position(at < end ? end : Position{at.line, at.column + 1}));
  return object.json();
}

std::string_view status_of(const MutantResult& mutant) {
  switch (mutant.status) {
    case MutantResult::Status::Killed: return "Killed";
    case MutantResult::Status::Equivalent: return "Ignored";
    case MutantResult::Status::Survived:
    case MutantResult::Status::Killable: break;
  }
  return "Survived";
}

std::string stryker_mutant(const MutantResult& mutant, std::size_t flows) {
  std::vector<std::string> killers;
  std::vector<std::string> all;
  std::string first;
  for (std::size_t i = 0; i < flows; ++i) {
    all.push_back(json::quoted(flow_id(i)));
    if (mutant.killed_at[i] < 0) continue;
    killers.push_back(json::quoted(flow_id(i)));
    if (first.empty()) {
      first = fmt::format("first differs at tick {} of {}", mutant.killed_at[i] + 1, flow_id(i));
    }
  }
  json::Object object;
  object.add_text("id", mutant.id);
  object.add_text("mutatorName", mutant.group);
  object.add_text("description", mutant.description);
  object.add_text("replacement", mutant.replacement);
  object.add("location", json_location(mutant.at, mutant.end));
  object.add_text("status", status_of(mutant));
  object.add_text("statusReason", mutant.reason.empty() ? first : mutant.reason);
  object.add("killedBy", json::list(killers));
  object.add("coveredBy", json::list(all));
  return object.json();
}

}  // namespace

std::string mutation_json(const model::Model& model, const shake::Report& report,
                          std::string_view source) {
  std::vector<std::string> mutants;
  for (const MutantResult& mutant : report.mutation->mutants) {
    mutants.push_back(stryker_mutant(mutant, report.flows.size()));
  }
  std::vector<std::string> tests;
  for (std::size_t i = 0; i < report.flows.size(); ++i) {
    json::Object test;
    test.add_text("id", flow_id(i));
    test.add_text("name", fmt::format("flow {}: {}", i + 1, report.facts[i].from));
    tests.push_back(test.json());
  }
  json::Object config;
  config.add_text("generator", report.generator);
  config.add("seed", fmt::format("{}", report.seed));
  return fmt::format(
      "{{\n"
      "  \"schemaVersion\": \"2\",\n"
      "  \"thresholds\": {{\"high\": 90, \"low\": 70}},\n"
      "  \"framework\": {{\"name\": \"poise shake\"}},\n"
      "  \"config\": {},\n"
      "  \"files\": {{\n"
      "    {}: {{\n"
      "      \"language\": \"none\",\n"
      "      \"source\": {},\n"
      "      \"mutants\": {}\n"
      "    }}\n"
      "  }},\n"
      "  \"testFiles\": {{\n"
      "    \"flows\": {{\"tests\": {}}}\n"
      "  }}\n"
      "}}\n",
      config.json(), json::quoted(model.file), json::quoted(source), json::lines(mutants, 8),
      json::lines(tests, 6));
}

}  // namespace poise::report
