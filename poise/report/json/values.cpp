#include "poise/report/json/values.h"

#include "poise/json/writer.h"
#include "poise/report/verify_words.h"

namespace poise::report {

using model::Model;
using model::SlotId;

std::string json_number(const Rational& number) {
  return number.is_decimal() ? number.to_string() : json::quoted(number.to_string());
}

std::string json_value(const Model& model, SlotId slot, const Rational& value) {
  const model::Type& type = model.variables[model.slots[slot].variable].type;
  switch (type.kind) {
    case model::TypeKind::Bool: return std::string(json::boolean(value.sign() != 0));
    case model::TypeKind::Int:
    case model::TypeKind::Real: return json_number(value);
    case model::TypeKind::Enum:
    case model::TypeKind::Set: break;
  }
  return json::quoted(model::to_text(model, slot, value));
}

std::string json_values(const Model& model, const std::vector<Rational>& values, Which which) {
  json::Object object;
  for (const model::Variable& variable : model.variables) {
    if (which == Which::Sensed && variable.own) continue;
    const SlotId first = variable.first_slot;
    if (!has_value(model, values, first)) {
      object.add(variable.name, "null");
      continue;
    }
    if (variable.type.kind != model::TypeKind::Set) {
      object.add(variable.name, json_value(model, first, values[first.index]));
      continue;
    }
    std::vector<std::string> members;
    for (std::uint32_t i = 0; i < variable.slot_count; ++i) {
      if (values[first.index + i].sign() == 0) continue;
      members.push_back(json::quoted(model.symbols[variable.type.members[i]]));
    }
    object.add(variable.name, json::list(members));
  }
  return object.json();
}

}  // namespace poise::report
