// We write JSON ourselves: a witness holds numbers of any size and precision, which must appear
// digit for digit, and the libraries at hand store a number as 64 bits or a double. Writing is the
// small half of JSON; nothing here reads it.

#include "poise/report/json.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/base/utf8.h"
#include "poise/finding/finding.h"

namespace poise::report {

namespace {

using finding::Fault;
using finding::FaultKind;
using model::Model;

std::string escaped(char32_t control) {
  switch (control) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return fmt::format("\\u{:04x}", static_cast<unsigned>(control));
  }
}

// Names in a model are UTF-8, but the path of a file is whatever bytes the system allows: those
// that are no text become U+FFFD.
std::string json_string(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (!point.valid) {
      json += "\uFFFD";
    } else if (point.value < 0x20 || point.value == '"' || point.value == '\\' ||
               point.value == 0x7F) {
      json += escaped(point.value);
    } else {
      json += text.substr(0, point.length);
    }
    text.remove_prefix(point.length);
  }
  return json + '"';
}

std::string_view json_bool(bool value) { return value ? "true" : "false"; }

// `{"a": 1, "b": 2}` on one line, keys in the order they are added.
class Object {
 public:
  void add(std::string_view key, std::string_view json) {
    text_ += text_.empty() ? "" : ", ";
    text_ += fmt::format("\"{}\": {}", key, json);
  }
  void add_text(std::string_view key, std::string_view value) { add(key, json_string(value)); }
  void add_number(std::string_view key, std::size_t value) { add(key, std::to_string(value)); }
  // A figure without bounds is a string of digits: readers would round a number.
  void add_figure(std::string_view key, const Integer& value) { add_text(key, value.to_string()); }
  [[nodiscard]] std::string json() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string one_line_list(std::span<const std::string> items) {
  return "[" + joined(items, ", ") + "]";
}

std::string list_of_lines(std::span<const std::string> items) {
  if (items.empty()) return "[]";
  return "[\n    " + joined(items, ",\n    ") + "\n  ]";
}

std::string rule_names(const Model& model, std::span<const model::RuleId> rules) {
  std::vector<std::string> names;
  for (const model::RuleId rule : rules) names.push_back(json_string(model.rules[rule].name));
  return one_line_list(names);
}

std::string json_number(const Rational& number) {
  const std::string text = number.to_string();
  return number.is_decimal() ? text : json_string(text);
}

// The members of a set that are in it.
std::string json_members(const Model& model, const model::Variable& variable,
                         const model::Context& context) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < variable.slot_count; ++i) {
    const model::Value& in = context[variable.first_slot.index + i];
    if (in && in->sign() != 0) {
      names.push_back(json_string(model.symbols[variable.type.members[i]]));
    }
  }
  return one_line_list(names);
}

std::string json_value(const Model& model, const model::Variable& variable,
                       const model::Context& context) {
  const model::Value& value = context[variable.first_slot.index];
  if (!value) return "null";
  switch (variable.type.kind) {
    case model::TypeKind::Bool: return std::string(json_bool(value->sign() != 0));
    case model::TypeKind::Int:
    case model::TypeKind::Real: return json_number(*value);
    case model::TypeKind::Enum:
      return json_string(model::to_text(model, variable.first_slot, value));
    case model::TypeKind::Set: return json_members(model, variable, context);
  }
  return "null";
}

std::string json_witness(const Model& model, const model::Context& context) {
  std::string json;
  for (const model::Variable& variable : model.variables) {
    json += json.empty() ? "" : ", ";
    json += json_string(variable.name) + ": " + json_value(model, variable, context);
  }
  return "{" + json + "}";
}

std::string json_place(const Model& model, const Fault& fault) {
  const Position at = finding::position(model, fault);
  Object place;
  place.add_text("file", model.file);
  place.add_number("line", at.line);
  place.add_number("column", at.column);
  return place.json();
}

// What only this kind of fault has.
void add_particulars(Object& object, const Model& model, const Fault& fault) {
  switch (fault.kind) {
    case FaultKind::Nondeterminism: object.add("rules", rule_names(model, fault.rules)); break;
    case FaultKind::DeadRule: {
      const bool shadowed = fault.cause == finding::DeadCause::Shadowed;
      object.add("rules", rule_names(model, fault.rules));
      object.add_text("cause", shadowed ? "shadowed" : "unsatisfiable");
      if (shadowed) object.add("by", rule_names(model, fault.by));
      break;
    }
    case FaultKind::DeadState:
    case FaultKind::UnreachableState: break;
    case FaultKind::Race:
      object.add("path", rule_names(model, fault.rules));
      object.add_text("ends", model.states[fault.ends].name);
      break;
    case FaultKind::Cycle:
      object.add("path", rule_names(model, fault.rules));
      object.add_number("loop", fault.loop);
      break;
  }
}

std::string json_fault(const Model& model, const Fault& fault) {
  Object object;
  object.add_text("kind", finding::name(fault.kind));
  object.add_text("state", model.states[fault.state].name);
  add_particulars(object, model, fault);
  object.add_figure("situations", fault.situations);
  object.add("reachable", json_bool(fault.reachable));
  if (fault.when) {
    object.add_text("when", finding::to_text(model, *fault.when));
  } else {
    object.add("when", "null");
  }
  object.add("witness", fault.witness ? json_witness(model, *fault.witness) : "null");
  object.add("at", json_place(model, fault));
  return object.json();
}

std::string json_unstable(const Model& model, const check::Unstable& unstable) {
  Object object;
  object.add_text("state", model.states[unstable.state].name);
  object.add_text("rule", model.rules[unstable.rule].name);
  object.add_text("to", model.states[unstable.to].name);
  object.add_figure("situations", unstable.situations);
  return object.json();
}

std::string json_size(const check::Size& size) {
  Object object;
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
  std::vector<std::string> unstable;
  for (const check::Unstable& entry : report.unstable) {
    unstable.push_back(json_unstable(model, entry));
  }
  std::vector<std::string> faults;
  for (const Fault& fault : report.faults) faults.push_back(json_fault(model, fault));

  std::string json = "{\n  \"schema\": \"poise.check/1\"";
  const auto add = [&json](std::string_view key, std::string_view value) {
    json += fmt::format(",\n  \"{}\": {}", key, value);
  };
  add("model", json_string(model.name));
  add("size", json_size(report.size));
  add("engine", json_string(check::name(report.engine)));
  add("complete", json_bool(report.complete));
  if (!report.stopped.empty()) add("stopped", json_string(report.stopped));
  add("unstable", list_of_lines(unstable));
  add("faults", list_of_lines(faults));
  return json + "\n}\n";
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
