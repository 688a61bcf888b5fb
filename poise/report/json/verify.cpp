#include "poise/report/json/verify.h"

#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "poise/base/figures.h"
#include "poise/json/writer.h"
#include "poise/report/json/document.h"
#include "poise/report/json/simulation.h"
#include "poise/report/json/values.h"
#include "poise/report/vacuous_words.h"
#include "poise/report/verify_words.h"

namespace poise::report {

using model::Model;
using model::SlotId;

namespace {

std::string json_rules(const Model& model, const std::vector<model::RuleId>& rules) {
  std::vector<std::string> names;
  for (const model::RuleId rule : rules) names.push_back(json::quoted(model.rules[rule].name));
  return json::list(names);
}

std::string json_act(const Model& model, const verify::ActTrace& act) {
  json::Object object;
  object.add_text("action", act.text);
  json::Object done;
  for (const auto& [slot, value] : act.done) {
    done.add(model.variables[model.slots[slot].variable].name, json_value(model, slot, value));
  }
  object.add("done", done.json());
  object.add("actual", json_values(model, act.actual, Which::All));
  if (!act.read.empty()) object.add("sensed", json_values(model, act.read, Which::Sensed));
  return object.json();
}

std::string json_step(const Model& model, const verify::StepTrace& step) {
  json::Object object;
  object.add_text("rule", model.rules[step.rule].name);
  object.add_text("from", model.states[step.from].name);
  object.add_text("to", model.states[model.rules[step.rule].to].name);
  object.add("sensed", json_values(model, step.sensed, Which::Sensed));
  object.add("actual", json_values(model, step.actual, Which::All));
  std::vector<std::string> acts;
  for (const verify::ActTrace& act : step.acts) acts.push_back(json_act(model, act));
  object.add("actions", json::list(acts));
  return object.json();
}

// `decisions` is how many decisions an hour has, if a rate per hour was asked for.
void add_probability(json::Object& object, const std::optional<verify::Likelihood>& probability,
                     const std::optional<double>& decisions) {
  constexpr int kDigits = 6;
  object.add("probability", probability ? figure_down(probability->value, kDigits) : "null");
  object.add("error", probability ? figure_up(probability->error, 2) : "null");
  object.add("at_most", probability ? figure_up(probability->at_most, kDigits) : "null");
  object.add("method", probability ? json::quoted(probability->method) : "null");
  if (!decisions) return;
  object.add("per_hour",
             probability ? figure_up(verify::per_hour(probability->at_most, *decisions), kDigits)
                         : "null");
}

std::string json_counterexample(const Model& model, const verify::Counterexample& example,
                                const std::optional<double>& decisions) {
  json::Object object;
  object.add_text("failure", model.world.failures[example.failure].name);
  object.add("path", json_rules(model, example.path));
  add_probability(object, example.probability, decisions);
  object.add("as_printed", example.paper_odds ? json::figure(*example.paper_odds) : "null");
  object.add("environment", example.environment.empty()
                                ? "null"
                                : json_values(model, example.environment, Which::Sensed));
  std::vector<std::string> steps;
  for (const verify::StepTrace& step : example.trace) steps.push_back(json_step(model, step));
  object.add("steps", json::list(steps));
  return object.json();
}

std::string json_counts(const std::vector<Integer>& counts) {
  std::vector<std::string> texts;
  for (const Integer& count : counts) texts.push_back(json::quoted(count.to_string()));
  return json::list(texts);
}

std::string json_repair(const Model& model, const verify::Repair& repair) {
  json::Object object;
  object.add_text("variable", model.variables[model.slots[repair.slot].variable].name);
  object.add_text("relation",
                  repair.least ? (repair.strict ? ">" : ">=") : (repair.strict ? "<" : "<="));
  object.add("from", json_number(repair.from));
  object.add("to", json_number(repair.to));
  return object.json();
}

// Adds low and high.
void add_bounds(json::Object& object, const verify::Within& bounds) {
  const verify::Within cut = cut_outward(bounds, 6);
  object.add("low", json::figure(cut.low));
  object.add("high", json::figure(cut.high));
  object.add("complete", json::boolean(bounds.complete));
}

std::string json_mission(const verify::Mission& mission) {
  if (!mission.failure) return "null";
  json::Object object;
  object.add_number("decisions", mission.decisions);
  add_bounds(object, *mission.failure);
  return object.json();
}

std::string json_hazard(const Model& model, const verify::Hazard& hazard,
                        const std::optional<double>& decisions) {
  json::Object object;
  object.add_text("failure", model.world.failures[hazard.failure].name);
  object.add_text("state", model.states[hazard.state].name);
  object.add_text("rule", model.rules[hazard.rule].name);
  object.add_text("action", act_name(model, hazard.rule, hazard.act));
  object.add_number("occurrence", hazard.act);
  object.add_number("first", hazard.first);
  object.add("first_exact", hazard.first_exact ? "true" : "false");
  object.add("shortest", json_rules(model, hazard.shortest));
  object.add("likeliest", hazard.likeliest.empty() ? "null" : json_rules(model, hazard.likeliest));
  add_probability(object, hazard.probability, decisions);
  object.add("paths", json_counts(hazard.paths));
  std::vector<std::string> repairs;
  for (const verify::Repair& repair : hazard.repairs) repairs.push_back(json_repair(model, repair));
  object.add("repairs", json::list(repairs));
  if (hazard.mission) {
    json::Object mission;
    add_bounds(mission, *hazard.mission);
    object.add("mission", mission.json());
  }
  object.add("at", json_place(model, model.rules[hazard.rule].at));
  return object.json();
}

std::string json_invariant(const Model& model, const verify::Invariant& invariant) {
  json::Object object;
  object.add_text("state", model.states[invariant.state].name);
  const std::optional<std::string> holds = verify::condition_of(invariant);
  object.add("holds", holds ? json::quoted(*holds) : "null");
  std::vector<std::string> cases;
  for (const std::string& one : invariant.cases) cases.push_back(json::quoted(one));
  object.add("cases", json::list(cases));
  return object.json();
}

std::string json_vacuous(const Model& model, const verify::Report& report,
                         const verify::Vacuous& vacuous) {
  json::Object object;
  object.add_text("what", name(vacuous.what));
  object.add_text("name", vacuous_name(model, vacuous));
  if (vacuous.state) object.add_text("state", model.states[*vacuous.state].name);
  if (vacuous.failure) object.add_text("after", model.world.actions[*vacuous.action].name);
  object.add_text("why", why_never(model, report, vacuous));
  object.add("at", json_place(model, vacuous.at));
  return object.json();
}

std::string json_departure(const Model& model, const verify::Departure& departure) {
  const model::Constraint& constraint = model.constraints[departure.constraint];
  json::Object object;
  object.add("constraint", constraint.name.empty() ? "null" : json::quoted(constraint.name));
  object.add_text("state", model.states[departure.state].name);
  object.add_text("rule", model.rules[departure.rule].name);
  object.add("at", json_place(model, constraint.at));
  return object.json();
}

}  // namespace

std::string verify_json(const Model& model, const verify::Report& report) {
  Document document("poise.verify/1", model);
  document.add("mode", json::quoted(name(report.mode)));
  document.add("bound", report.bound ? fmt::format("{}", *report.bound) : "null");
  document.add("engine", json::quoted(name(report.engine)));
  document.add("linear", json::boolean(report.linear));
  document.add("verdict", json::quoted(name(report.verdict)));
  document.add("reason", json::quoted(report.reason));
  document.add(report.extent);
  Integer nodes = 0;
  for (const Integer& count : report.paths) nodes = nodes + count;
  document.add("nodes", report.bound ? json::quoted(nodes.to_string()) : "null");
  document.add("paths", json_counts(report.paths));
  document.add("failing", json_counts(report.failing));
  const auto& decisions = report.decisions_per_hour;
  document.add("decisions_per_hour", decisions ? fmt::format("{}", *decisions) : "null");
  document.add_lines("hazards", report.hazards, [&](const verify::Hazard& hazard) {
    return json_hazard(model, hazard, decisions);
  });
  document.add_lines("invariants", report.invariants, [&](const verify::Invariant& invariant) {
    return json_invariant(model, invariant);
  });
  if (report.vacuous) {
    document.add_lines("vacuous", *report.vacuous, [&](const verify::Vacuous& vacuous) {
      return json_vacuous(model, report, vacuous);
    });
  } else {
    document.add("vacuous", "null");
  }
  document.add_lines("departures", report.departures, [&](const verify::Departure& departure) {
    return json_departure(model, departure);
  });
  document.add_lines("counterexamples", report.counterexamples,
                     [&](const verify::Counterexample& example) {
                       return json_counterexample(model, example, decisions);
                     });
  if (report.mission) {
    document.add("mission", json_mission(*report.mission));
    if (!report.mission->failure) {
      document.add("mission_reason", json::quoted(report.mission->reason));
    }
  }
  if (report.simulation) document.add("simulation", simulation_json(model, report));
  return document.finished();
}

}  // namespace poise::report
