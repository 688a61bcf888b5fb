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

constexpr std::size_t kUsualLength = 1024;  // bytes of a fault, as a rule

std::string json_fault(const Model& model, const Fault& fault) {
  json::Object object(kUsualLength);
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

}  // namespace

std::string check_json(const Model& model, const check::Report& report) {
  Document document("poise.check/1", model, (report.faults.size() + 1) * kUsualLength);
  document.add("size", json_size(report.size));
  document.add("engine", json::quoted(check::name(report.engine)));
  document.add(report.extent);
  document.add_lines("unstable", report.unstable, [&](const check::Unstable& unstable) {
    return json_unstable(model, unstable);
  });
  document.add_lines("faults", report.faults,
                     [&](const Fault& fault) { return json_fault(model, fault); });
  return document.finished();
}

std::string json_array(std::span<const std::string> objects) {
  std::string json = "[";
  for (const std::string& object : objects) {
    json += json.size() > 1 ? ",\n" : "\n";
    json += std::string_view(object).substr(0, object.find_last_not_of('\n') + 1);
  }
  return json + "\n]\n";
}

}  // namespace poise::report
