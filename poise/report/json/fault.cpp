#include "poise/report/json/fault.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "poise/finding/assumed.h"

namespace poise::report {

namespace {

using finding::Fault;
using finding::FaultKind;
using model::Model;

void append_rules(std::string& json, const Model& model, std::span<const model::RuleId> rules) {
  json += '[';
  for (const model::RuleId rule : rules) {
    if (json.back() != '[') json += ", ";
    json::append_quoted(json, model.rules[rule].name);
  }
  json += ']';
}

void append_number(std::string& json, const Rational& number) {
  const std::string text = number.to_string();
  if (number.is_decimal()) {
    json += text;
  } else {
    json::append_quoted(json, text);
  }
}

// The value of a set: the names of the members that are in it.
void append_members(std::string& json, const Model& model, const model::Variable& variable,
                    const finding::Witness& witness) {
  json += '[';
  for (std::uint32_t i = 0; i < variable.slot_count; ++i) {
    const model::Value& in = witness[model::SlotId{variable.first_slot.index + i}];
    if (!in || in->sign() == 0) continue;
    if (json.back() != '[') json += ", ";
    json::append_quoted(json, model.symbols[variable.type.members[i]]);
  }
  json += ']';
}

void append_value(std::string& json, const Model& model, const model::Variable& variable,
                  const finding::Witness& witness) {
  const model::Value& value = witness[variable.first_slot];
  if (!value) {
    json += "null";
    return;
  }
  switch (variable.type.kind) {
    case model::TypeKind::Bool: json += json::boolean(value->sign() != 0); return;
    case model::TypeKind::Int:
    case model::TypeKind::Real: append_number(json, *value); return;
    case model::TypeKind::Enum:
      json::append_quoted(json, model::to_text(model, variable.first_slot, value));
      return;
    case model::TypeKind::Set: append_members(json, model, variable, witness); return;
  }
}

// A witness lists every variable of the model, up to this many variables. In a larger model it
// lists only those that matter to the fault, or each fault would take as much room as the model
// does.
constexpr std::size_t kMostVariables = 1000;

void append_witness(std::string& json, const Model& model, const Fault& fault) {
  json += '{';
  const auto append = [&](const model::Variable& variable) {
    if (json.back() != '{') json += ", ";
    json::append_quoted(json, variable.name);
    json += ": ";
    append_value(json, model, variable, *fault.witness);
  };
  if (model.variables.size() <= kMostVariables) {
    for (const model::Variable& variable : model.variables) append(variable);
  } else {
    for (const model::VariableId id : variables_that_matter(model, fault)) {
      append(model.variables[id]);
    }
  }
  json += '}';
}

// The keys that only this kind of fault has.
void add_particulars(json::Object& object, const Model& model, const Fault& fault) {
  switch (fault.kind) {
    case FaultKind::Nondeterminism:
      append_rules(object.value_of("rules"), model, fault.rules);
      if (fault.harmless) object.add("harmless", json::boolean(true));
      break;
    case FaultKind::DeadRule: {
      const bool shadowed = fault.cause == finding::DeadCause::Shadowed;
      append_rules(object.value_of("rules"), model, fault.rules);
      object.add_text("cause", shadowed ? "shadowed" : "unsatisfiable");
      if (shadowed) append_rules(object.value_of("by"), model, fault.by);
      break;
    }
    case FaultKind::DeadState:
    case FaultKind::UnreachableState: break;
    case FaultKind::Race:
      append_rules(object.value_of("path"), model, fault.rules);
      object.add_text("ends", model.states[fault.ends].name);
      break;
    case FaultKind::Cycle:
      append_rules(object.value_of("path"), model, fault.rules);
      object.add_number("loop", fault.loop);
      break;
  }
}

}  // namespace

void add_facts(json::Object& object, const Model& model, const Fault& fault) {
  add_particulars(object, model, fault);
  object.add_figure("situations", fault.situations);
  object.add("reachable", json::boolean(fault.reachable));
  if (fault.when) {
    object.add_text("when", finding::to_text(model, *fault.when));
  } else {
    object.add("when", "null");
  }
  if (fault.witness) {
    append_witness(object.value_of("witness"), model, fault);
  } else {
    object.add("witness", "null");
  }
  std::vector<std::string> free;
  for (const model::AtomId atom : finding::assumed_free(model, fault)) {
    free.push_back(json::quoted(model.atoms[atom].text));
  }
  if (!free.empty()) object.add("assumed_free", json::list(free));
}

}  // namespace poise::report
