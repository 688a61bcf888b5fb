#include "poise/report/json/check.h"

#include <string_view>

#include <fmt/format.h>

#include "poise/finding/finding.h"
#include "poise/json/writer.h"
#include "poise/report/json/document.h"
#include "poise/report/json/fault.h"

namespace poise::report {

namespace {

using finding::Fault;
using model::Model;

std::string json_fault(const Model& model, const Fault& fault) {
  json::Object object;
  object.add_text("kind", finding::name(fault.kind));
  object.add_text("state", model.states[fault.state].name);
  add_facts(object, model, fault);
  object.add("at", json_place(model, finding::position(model, fault)));
  return object.json();
}

std::string json_unstable(const Model& model, const check::Unstable& unstable) {
  json::Object object;
  object.add_text("state", model.states[unstable.state].name);
  object.add_text("rule", model.rules[unstable.rule].name);
  object.add_text("to", model.states[unstable.to].name);
  object.add_figure("situations", unstable.situations);
  return object.json();
}

std::string json_overlap(const Model& model, const check::Overlap& overlap) {
  const std::string rules[] = {json::quoted(model.rules[overlap.first].name),
                               json::quoted(model.rules[overlap.second].name)};
  json::Object object;
  object.add_text("state", model.states[overlap.state].name);
  object.add("rules", json::list(rules));
  object.add_figure("situations", overlap.situations);
  return object.json();
}

std::string json_size(const check::Size& size) {
  json::Object object;
  object.add_number("states", size.states);
  object.add_number("rules", size.rules);
  object.add_number("atoms", size.atoms);
  if (size.situations) {
    object.add_figure("situations", *size.situations);
  } else {
    object.add("situations", "null");
  }
  return object.json();
}

// The end of the report, or all of it if there is no sink.
std::string written(const Model& model, const check::Report& report, const Sink& sink) {
  Document document("poise.check/1", model, sink);
  document.add("size", json_size(report.size));
  document.add("engine", json::quoted(check::name(report.engine)));
  document.add(report.extent);
  document.add_lines("unstable", report.unstable, [&](const check::Unstable& unstable) {
    return json_unstable(model, unstable);
  });
  document.add_lines("overlaps", report.overlaps,
                     [&](const check::Overlap& overlap) { return json_overlap(model, overlap); });
  document.add_lines("faults", report.faults,
                     [&](const Fault& fault) { return json_fault(model, fault); });
  return document.finished();
}

}  // namespace

std::string check_json(const Model& model, const check::Report& report) {
  return written(model, report, nullptr);
}

void write_check_json(const Model& model, const check::Report& report, const Sink& sink) {
  const std::string rest = written(model, report, sink);
  sink(std::string_view(rest).substr(0, rest.size() - 1));
}

}  // namespace poise::report
