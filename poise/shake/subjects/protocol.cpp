#include "poise/shake/subjects/protocol.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "poise/base/utf8.h"
#include "poise/json/reader.h"
#include "poise/json/writer.h"
#include "poise/log/vocabulary.h"
#include "poise/shake/subjects/fields.h"

namespace poise::shake {

namespace {

using model::TypeKind;

std::vector<std::string> names_of_states(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::State& state : model.states) names.push_back(state.name);
  return names;
}

std::string json_of(const model::Model& model, const model::Variable& variable, double value) {
  if (std::isnan(value)) return "null";
  switch (variable.type.kind) {
    case TypeKind::Bool: return value != 0 ? "true" : "false";
    case TypeKind::Enum:
      return json::quoted(model.symbols[model::SymbolId{static_cast<std::uint32_t>(value)}]);
    case TypeKind::Int:
    case TypeKind::Real:
    case TypeKind::Set: break;
  }
  return fmt::format("{}", value);
}

// ---- Reading ----

Result<double> value_from(json::Reader& json, const Field& field) {
  const auto wrong = [&](std::string_view expected) {
    return failure(fmt::format("`{}` is no {}", field.name, expected));
  };
  switch (field.kind) {
    case Field::Kind::Boolean: {
      if (json.kind() != json::Reader::Kind::Bool) return wrong("boolean");
      const std::optional<bool> value = json.boolean();
      return value && *value ? 1.0 : 0.0;
    }
    case Field::Kind::Number: {
      if (json.kind() != json::Reader::Kind::Number) return wrong("number");
      const std::optional<std::string_view> text = json.number();
      if (!text) return wrong("number");
      double value = 0;
      const auto read = std::from_chars(text->data(), text->data() + text->size(), value);
      if (read.ec != std::errc()) return wrong("number");  // too large
      return value;
    }
    case Field::Kind::Symbol: {
      if (json.kind() != json::Reader::Kind::String) return wrong("string");
      const std::optional<std::string_view> text = json.string();
      const auto at = std::ranges::find(field.symbols, text.value_or(""));
      if (at != field.symbols.end()) return static_cast<double>(at - field.symbols.begin());
      return failure(fmt::format("`{}` is none of its values", field.name));
    }
  }
  return wrong("value");
}

}  // namespace

std::vector<Field> fields_of(const model::Model& model) {
  std::vector<Field> fields;
  for (const model::Variable& variable : model.variables) {
    for (std::uint32_t i = 0; variable.variant && i < variable.slot_count; ++i) {
      fields.push_back(field_of(model, model::SlotId{variable.first_slot.index + i}));
    }
  }
  if (fields.empty()) {
    fields.push_back(
        {.name = "state", .kind = Field::Kind::Symbol, .symbols = names_of_states(model)});
  }
  return fields;
}

Variant first_variant(const model::Model& model) {
  Variant variant;
  for (const model::Variable& variable : model.variables) {
    for (std::uint32_t i = 0; variable.variant && i < variable.slot_count; ++i) {
      const model::SlotId slot{variable.first_slot.index + i};
      variant.push_back(shown(source_of(model, slot, 0), to_double(variable.initial[i])));
    }
  }
  if (variant.empty()) variant.push_back(model.initial.index);
  return variant;
}

std::string context_line(const model::Model& model, const Grid& grid,
                         std::span<const double> context) {
  std::string line = "{";
  const auto add = [&](std::string_view name, std::string_view json) {
    if (line.size() > 1) line += ", ";
    line += json::quoted(name);
    line += ": ";
    line += json;
  };
  for (std::size_t i = 0; i < grid.properties.size(); ++i) {
    const Property& property = grid.properties[i];
    if (!property.slot) {
      add(property.name, std::isnan(context[i]) ? "null" : fmt::format("{}", context[i]));
      continue;
    }
    const model::VariableId id = model.slots[*property.slot].variable;
    const model::Variable& variable = model.variables[id];
    if (variable.type.kind != TypeKind::Set) {
      add(variable.name, json_of(model, variable, context[i]));
      continue;
    }
    if (*property.slot != variable.first_slot) continue;
    std::string members = "[";
    for (std::size_t j = i; j < grid.properties.size(); ++j) {
      const std::optional<model::SlotId> slot = grid.properties[j].slot;
      if (!slot || model.slots[*slot].variable != id) continue;
      if (!(context[j] > 0)) continue;  // not a member, or without a value
      if (members.size() > 1) members += ", ";
      members += json::quoted(model.symbols[variable.type.members[model.slots[*slot].member]]);
    }
    add(variable.name, std::isnan(context[i]) ? "null" : members + "]");
  }
  return line + "}";
}

Result<Variant> variant_from(std::string_view line, std::span<const Field> fields) {
  if (first_invalid_byte(line)) return failure("it is not UTF-8");
  std::string scratch;
  json::Reader json(line, scratch);
  Variant variant(fields.size(), std::nan(""));
  if (!json.begin_object()) return failure("it is no JSON object");
  while (const std::optional<std::string_view> key = json.next_key()) {
    const auto field = std::ranges::find(fields, *key, &Field::name);
    if (field == fields.end()) {
      return failure(fmt::format("`{}` is not declared as a variant", log::shown(*key)));
    }
    double& value = variant[static_cast<std::size_t>(field - fields.begin())];
    if (!std::isnan(value)) return failure(fmt::format("`{}` is there twice", *key));
    const Result<double> read = value_from(json, *field);
    if (!read) return Failure(read.error());
    value = *read;
  }
  if (!json.finish()) return json.error();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (std::isnan(variant[i])) {
      return failure(fmt::format("`{}` is missing", fields[i].name));
    }
  }
  return variant;
}

}  // namespace poise::shake
