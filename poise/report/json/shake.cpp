#include "poise/report/json/shake.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "poise/json/writer.h"
#include "poise/report/json/document.h"
#include "poise/report/shake_words.h"

namespace poise::report {

using shake::Failing;
using shake::MutantResult;

namespace {

std::string json_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) items.push_back(json::quoted(text));
  return json::list(items);
}

std::string json_numbers(const std::vector<std::size_t>& numbers) {
  std::vector<std::string> items;
  for (const std::size_t number : numbers) items.push_back(fmt::format("{}", number));
  return json::list(items);
}

std::string_view word_for(shake::Property::Kind kind) {
  switch (kind) {
    case shake::Property::Kind::Number: return "number";
    case shake::Property::Kind::Boolean: return "boolean";
    case shake::Property::Kind::Label: return "label";
  }
  return "";
}

std::string_view word_for(Failing::Kind kind) {
  switch (kind) {
    case Failing::Kind::Expectation: return "expectation";
    case Failing::Kind::Range: return "range";
    case Failing::Kind::Difference: return "difference";
    case Failing::Kind::Ended: return "ended";
  }
  return "";
}

std::string_view word_for(MutantResult::Status status) {
  switch (status) {
    case MutantResult::Status::Killed: return "killed";
    case MutantResult::Status::Survived: return "survived";
    case MutantResult::Status::Killable: return "killable";
    case MutantResult::Status::Equivalent: return "equivalent";
  }
  return "";
}

std::string json_property(const shake::Property& property) {
  json::Object object;
  object.add_text("name", property.name);
  object.add_text("kind", word_for(property.kind));
  std::vector<std::string> values;
  for (std::size_t i = 0; i < property.values.size(); ++i) {
    values.push_back(json_value(property, static_cast<shake::Index>(i)));
  }
  object.add("values", json::list(values));
  return object.json();
}

std::string json_variant(const std::vector<shake::Field>& fields, const shake::Variant& variant) {
  json::Object object;
  for (std::size_t i = 0; i < variant.size(); ++i) {
    object.add(fields[i].name, json_value(fields[i], variant[i]));
  }
  return object.json();
}

std::string json_flow_facts(const shake::Report& report, std::size_t flow) {
  const shake::FlowFacts& facts = report.facts[flow];
  json::Object object;
  object.add_text("from", facts.from);
  object.add_number("profiles", facts.profiles);
  object.add("oscillation", json::figure(facts.oscillation));
  object.add_number("hold", facts.hold);
  object.add_number("shape", facts.cell);
  object.add_number("violent", facts.violent);
  object.add_number("smooth", facts.smooth);
  if (facts.realism) object.add("realism", json::figure(*facts.realism));
  object.add("contexts", json_flow(report.grid, report.flows[flow]));
  return object.json();
}

std::string json_covered(const shake::Criterion& covered) {
  json::Object object;
  object.add_text("what", covered.what);
  object.add_number("covered", covered.covered);
  object.add_number("feasible", covered.feasible);
  object.add("missing", json_texts(covered.missing));
  return object.json();
}

std::string json_shown(const shake::Report& report, const shake::ShownTick& tick) {
  json::Object object;
  object.add_number("ticks", tick.ticks);
  json::Object context;
  for (std::size_t i = 0; i < tick.instance.size(); ++i) {
    const shake::Property& property = report.grid.properties[i];
    context.add(property.name, json_value(property, tick.instance[i]));
  }
  object.add("context", context.json());
  object.add("variant", tick.actual.empty() ? "null" : json_variant(report.fields, tick.actual));
  if (tick.expected) object.add("expected", json_variant(report.fields, *tick.expected));
  object.add("acted", json_texts(tick.acted));
  if (tick.expected) object.add("expected_acted", json_texts(tick.expected_acted));
  return object.json();
}

std::string json_failure(const model::Model& model, const shake::Report& report,
                         const Failing& failing) {
  json::Object object;
  object.add_text("kind", word_for(failing.kind));
  object.add_text("name", failing.name);
  object.add_text("text", failing.text);
  object.add_number("flow", failing.flow);
  object.add_number("tick", failing.tick);
  object.add_number("flows", failing.flows);
  object.add_number("kept", failing.kept);
  object.add_number("executions", failing.executions);
  std::vector<std::string> shown;
  for (const shake::ShownTick& tick : failing.shown) shown.push_back(json_shown(report, tick));
  object.add("smallest", json::list(shown));
  object.add("at", failing.at ? json_place(model, *failing.at) : "null");
  return object.json();
}

std::string json_judging(const model::Model& model, const shake::Report& report,
                         const shake::Judging& judging) {
  const model::Expectation& expectation = model.policy.expectations[judging.expectation];
  json::Object object;
  object.add_text("name", expectation.name);
  object.add_number("judged", judging.judged);
  object.add_number("wait", judging.wait);
  object.add("why_not",
             judging.judged > 0 ? "null" : json::quoted(why_not_judged(model, report, judging)));
  object.add("at", json_place(model, expectation.at));
  return object.json();
}

std::string json_mutant(const model::Model& model, const shake::Report& report,
                        const MutantResult& mutant) {
  json::Object object;
  object.add_text("id", mutant.id);
  object.add_text("group", mutant.group);
  object.add_text("description", mutant.description);
  object.add_text("replacement", mutant.replacement);
  object.add("at", json_place(model, mutant.at));
  object.add_text("status", word_for(mutant.status));
  object.add_text("reason", mutant.reason);
  object.add_number("kills", mutant.kills);
  std::vector<std::string> ticks;
  for (const std::int32_t tick : mutant.killed_at) {
    ticks.push_back(tick < 0 ? "null" : fmt::format("{}", tick + 1));
  }
  object.add("killed_at", json::list(ticks));
  object.add("killed_by_random", json::boolean(mutant.killed_by_random));
  object.add("subsumed_by", mutant.subsumed_by
                                ? json::quoted(report.mutation->mutants[*mutant.subsumed_by].id)
                                : "null");
  object.add("shortest", mutant.shortest ? json_flow(report.grid, *mutant.shortest) : "null");
  return object.json();
}

std::string json_mutation(const model::Model& model, const shake::Report& report) {
  const shake::MutationReport& mutation = *report.mutation;
  json::Object object;
  object.add_number("mutants", mutation.mutants.size());
  object.add_number("killed", mutation.killed);
  object.add_number("equivalent", mutation.equivalent);
  object.add_number("undecided", mutation.undecided);
  object.add_number("killed_by_random", mutation.killed_by_random);
  const std::size_t valid = mutation.mutants.size() - mutation.equivalent;
  object.add("score", valid == 0 ? "null"
                                 : json::figure(static_cast<double>(mutation.killed) /
                                                static_cast<double>(valid)));
  object.add_number("signatures", mutation.signatures);
  object.add("minimal_flows", json_numbers(mutation.minimal_flows));
  std::vector<std::string> rows;
  for (const MutantResult& mutant : mutation.mutants) {
    rows.push_back(json_mutant(model, report, mutant));
  }
  object.add("matrix", json::lines(rows, 4));
  return object.json();
}

}  // namespace

std::string json_value(const shake::Property& property, shake::Index index) {
  if (index == shake::kNoValue) return "null";
  switch (property.kind) {
    case shake::Property::Kind::Boolean:
      return std::string(json::boolean(property.values[index] != 0));
    case shake::Property::Kind::Number: return property.texts[index];
    case shake::Property::Kind::Label: break;
  }
  return json::quoted(property.texts[index]);
}

std::string json_value(const shake::Field& field, double value) {
  if (std::isnan(value)) return "null";
  const std::string text = shake::to_text(field, value);
  return field.kind == shake::Field::Kind::Symbol ? json::quoted(text) : text;
}

std::string json_flow(const shake::Grid& grid, const shake::Flow& flow) {
  std::vector<std::string> items;
  // If a property is itself called "ticks", each tick is an entry of its own, without a count. The
  // reader (shake/oracle/kept_failure.h) expects the same.
  const bool counted =
      std::ranges::find(grid.properties, "ticks", &shake::Property::name) == grid.properties.end();
  for (std::size_t i = 0; i < flow.size();) {
    std::size_t same = 1;
    while (counted && i + same < flow.size() && flow[i + same] == flow[i]) ++same;
    json::Object object;
    if (counted) object.add_number("ticks", same);
    for (std::size_t p = 0; p < grid.properties.size(); ++p) {
      object.add(grid.properties[p].name, json_value(grid.properties[p], flow[i][p]));
    }
    items.push_back(object.json());
    i += same;
  }
  return json::list(items);
}

std::string shake_json(const model::Model& model, const shake::Report& report) {
  Document document("poise.shake/1", model);
  document.add("subject", json::quoted(report.subject));
  document.add("tick", json::figure(report.tick));
  document.add("generator", json::quoted(report.generator));
  document.add("seed", fmt::format("{}", report.seed));
  document.add(report.extent);
  document.add("contexts",
               report.instances ? json::quoted(fmt::format("{}", *report.instances)) : "null");
  document.add_lines("properties", report.grid.properties, json_property);
  document.add_lines("coverage", report.coverage, json_covered);
  document.add("variants", fmt::format("{}", report.reached.size()));
  document.add_lines("expectations", report.expectations, [&](const shake::Judging& judging) {
    return json_judging(model, report, judging);
  });
  document.add_lines("failures", report.failures,
                     [&](const Failing& failing) { return json_failure(model, report, failing); });
  document.add("mutation", report.mutation ? json_mutation(model, report) : "null");
  std::size_t flow = 0;
  document.add_lines("flows", report.flows,
                     [&](const shake::Flow&) { return json_flow_facts(report, flow++); });
  return document.finished();
}

}  // namespace poise::report
