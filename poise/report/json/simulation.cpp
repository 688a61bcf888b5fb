#include "poise/report/json/simulation.h"

#include <vector>

#include <fmt/format.h>

#include "poise/json/writer.h"
#include "poise/report/verify_words.h"

namespace poise::report {

using model::Model;
using verify::Counterexample;
using verify::Observed;
using verify::Simulation;

namespace {

std::string json_replay(const Model& model, const verify::Report& report, std::size_t i) {
  const Counterexample& example = report.counterexamples[i];
  const Simulation& simulation = *report.simulation;
  const Observed& observed = simulation.replays[i];
  json::Object object;
  object.add_number("counterexample", i);
  object.add_text("failure", model.world.failures[example.failure].name);
  object.add("predicted", example.probability ? json::figure(example.probability->value) : "null");
  object.add_number("hits", observed.hits);
  object.add("observed",
             simulation.runs == 0 ? "null" : json::figure(frequency(simulation, observed.hits)));
  object.add("low", json::figure(observed.low));
  object.add("high", json::figure(observed.high));
  return object.json();
}

std::string json_hit(const Model& model, const Simulation::Hit& hit) {
  json::Object object;
  object.add_text("failure", model.world.failures[hit.failure].name);
  object.add_text("state", model.states[hit.state].name);
  object.add_text("rule", model.rules[hit.rule].name);
  object.add_text("action", act_name(model, hit.rule, hit.act));
  object.add_number("occurrence", hit.act);
  object.add_number("runs", hit.runs);
  return object.json();
}

}  // namespace

std::string simulation_json(const Model& model, const verify::Report& report) {
  const Simulation& simulation = *report.simulation;
  std::vector<std::string> replays;
  for (std::size_t i = 0; i < simulation.replays.size(); ++i) {
    replays.push_back(json_replay(model, report, i));
  }
  std::vector<std::string> hits;
  for (const Simulation::Hit& hit : simulation.hits) hits.push_back(json_hit(model, hit));
  json::Object random;
  random.add_number("steps", simulation.bound);
  random.add_number("failed", simulation.failed);
  random.add_number("stuck", simulation.stuck);
  random.add("hazards", json::lines(hits, 8));
  std::string json = fmt::format("{{\n    \"runs\": {},\n    \"confidence\": {:g}", simulation.runs,
                                 simulation.confidence);
  json += fmt::format(",\n    \"replays\": {}", json::lines(replays, 6));
  json += fmt::format(",\n    \"random\": {}", random.json());
  return json + "\n  }";
}

}  // namespace poise::report
