#include "poise/log/vocabulary.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/base/utf8.h"
#include "poise/json/number.h"

namespace poise::log {

namespace {

using model::Type;
using model::TypeKind;
using model::Variable;

std::string what_it_takes(const Type& type) {
  switch (type.kind) {
    case TypeKind::Bool: return "true or false";
    case TypeKind::Int:
      return fmt::format("a whole number in {}..{}", type.low.to_string(), type.high.to_string());
    case TypeKind::Real:
      return fmt::format("a number in {}..{}", type.low.to_string(), type.high.to_string());
    case TypeKind::Enum: return "one of its members";
    case TypeKind::Set: return "a list of its members";
  }
  return "";
}

}  // namespace

Vocabulary::Vocabulary(const model::Model& model) : model_(model) {
  for (const model::VariableId id : model.variables.ids()) {
    // The truths of queries follow from streams; a log cannot set them.
    if (!model.variables[id].query) variables_.emplace(model.variables[id].name, id);
  }
  for (const model::StreamId id : model.streams.ids()) {
    streams_.emplace(model.streams[id].name, id);
  }
  for (const model::SymbolId id : model.symbols.ids()) symbols_.emplace(model.symbols[id], id);
}

std::optional<model::VariableId> Vocabulary::variable(std::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<model::StreamId> Vocabulary::stream(std::string_view name) const {
  const auto found = streams_.find(name);
  return found == streams_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> Vocabulary::member(const Typed& of, std::string_view name) const {
  const auto symbol = symbols_.find(name);
  if (symbol == symbols_.end()) return std::nullopt;
  const std::vector<model::SymbolId>& members = of.type.members;
  const auto found = std::ranges::find(members, symbol->second);
  if (found == members.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - members.begin());
}

Error Vocabulary::no_member(const Typed& of, std::string_view name) const {
  std::vector<std::string_view> candidates;
  for (const model::SymbolId id : of.type.members) candidates.push_back(model_.symbols[id]);
  // A very long name is no slip of the pen, and comparing it would take long.
  const auto guess = name.size() < 100 ? closest(name, candidates) : std::nullopt;
  return {fmt::format("`{}` has no member `{}`{}", of.name, shown(name),
                      guess ? fmt::format("; did you mean `{}`?", *guess) : "")};
}

Result<Rational> number_for(const Typed& of, std::string_view text) {
  Result<Rational> number = json::exact_number(text);
  if (!number) return number;
  const Type& type = of.type;
  const bool whole = type.kind != TypeKind::Int || number->is_integer();
  if (!whole || *number < type.low || *number > type.high) return Failure(refusal(of, text));
  return number;
}

Error refusal(const Typed& of, std::string_view text) {
  return {fmt::format("`{}` takes {}{}", of.name, what_it_takes(of.type),
                      text.empty() ? "" : fmt::format(", not `{}`", shown(text)))};
}

Update::Kind meaning_of_null(const Variable& variable) {
  return variable.guard ? Update::Kind::None : Update::Kind::Unknown;
}

model::SlotId member_slot(const Variable& set, std::uint32_t member) {
  return {set.first_slot.index + member};
}

void append_all(std::vector<Update>& updates, const Variable& variable, Update::Kind kind) {
  for (std::uint32_t i = 0; i < variable.slot_count; ++i) {
    updates.push_back({.slot = member_slot(variable, i), .kind = kind, .value = 0});
  }
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result;
  while (!text.empty() && result.size() < kLongest) {
    const CodePoint point = first_code_point(text);
    const bool control = point.value < 0x20 || (point.value >= 0x7F && point.value < 0xA0);
    result += point.valid && !control ? text.substr(0, point.length) : "\uFFFD";
    text.remove_prefix(point.length);
  }
  return text.empty() ? result : result + "…";
}

}  // namespace poise::log
