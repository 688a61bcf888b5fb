#include "poise/shake/subjects/fields.h"

#include <algorithm>

#include "poise/base/infinity.h"
#include "poise/shake/grid/number.h"

namespace poise::shake {

using model::TypeKind;

Field field_of(const model::Model& model, model::SlotId slot) {
  const model::Variable& variable = model.variables[model.slots[slot].variable];
  Field field{.name = variable.name};
  switch (variable.type.kind) {
    case TypeKind::Bool: field.kind = Field::Kind::Boolean; break;
    case TypeKind::Set:
      field.kind = Field::Kind::Boolean;
      field.name += " has " + model.symbols[variable.type.members[model.slots[slot].member]];
      break;
    case TypeKind::Enum:
      field.kind = Field::Kind::Symbol;
      for (const model::SymbolId member : variable.type.members) {
        field.symbols.push_back(model.symbols[member]);
      }
      break;
    case TypeKind::Int:
    case TypeKind::Real:
      field.kind = Field::Kind::Number;
      field.low = variable.unbounded ? -kInfinity : to_double(variable.type.low);
      field.high = variable.unbounded ? kInfinity : to_double(variable.type.high);
      break;
  }
  return field;
}

FieldSource source_of(const model::Model& model, model::SlotId slot, std::size_t place) {
  const model::Variable& variable = model.variables[model.slots[slot].variable];
  FieldSource source{place};
  if (variable.type.kind == TypeKind::Enum) {
    for (const model::SymbolId member : variable.type.members) {
      source.symbols.push_back(static_cast<double>(member.index));
    }
  }
  return source;
}

double shown(const FieldSource& source, double number) {
  if (source.symbols.empty()) return number;
  return static_cast<double>(std::ranges::find(source.symbols, number) - source.symbols.begin());
}

}  // namespace poise::shake
