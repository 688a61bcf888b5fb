#include "poise/verify/system/words.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/model/polynomial.h"
#include "poise/model/relation.h"

namespace poise::verify {

using model::SlotId;

namespace {

// The least positive factor that makes every number of the polynomial a decimal.
Rational decimal_factor(const model::Polynomial& value) {
  Integer factor = 1;
  const auto take_in = [&](const Rational& number) {
    const Rational scaled = number * Rational(factor);
    if (!scaled.is_decimal()) factor = factor * scaled.denominator();
  };
  take_in(value.constant);
  for (const model::Monomial& term : value.terms) take_in(term.coefficient);
  return Rational(factor);
}

// The terms with the sign, as a sum without signs.
std::string side_words(const model::Model& model, const std::vector<model::Monomial>& terms,
                       int sign) {
  std::string text;
  for (const model::Monomial& term : terms) {
    if (term.coefficient.sign() != sign) continue;
    const Rational size = sign < 0 ? -term.coefficient : term.coefficient;
    if (!text.empty()) text += " + ";
    if (size != Rational(1)) text += size.to_string() + " * ";
    for (std::size_t i = 0; i < term.slots.size(); ++i) {
      const model::Variable& variable = model.variables[model.slots[term.slots[i]].variable];
      text += (i == 0 ? "" : " * ") + variable.name;
    }
  }
  return text;
}

}  // namespace

std::string value_words(const System& system, SlotId slot, const Rational& value) {
  const model::Variable& variable = system.variable(slot);
  const std::string_view negation = value.sign() == 0 ? "not " : "";
  switch (variable.type.kind) {
    case model::TypeKind::Bool: return fmt::format("{}{}", negation, variable.name);
    case model::TypeKind::Set: {
      const std::uint32_t member = system.model->slots[slot].member;
      return fmt::format("{}{} has {}", negation, variable.name,
                         system.model->symbols[variable.type.members[member]]);
    }
    case model::TypeKind::Enum:
      // Not `==`: a member may have the name of a keyword, and only in braces that is a member.
      return fmt::format("{} in {{{}}}", variable.name, model::to_text(*system.model, slot, value));
    case model::TypeKind::Int:
    case model::TypeKind::Real: break;
  }
  return comparison_words(*system.model,
                          model::sum(model::slot_value(slot), model::constant(-value)),
                          model::Relation::Equal);
}

std::vector<Rational> members_of(const System& system, SlotId slot) {
  const model::Type& type = system.variable(slot).type;
  if (type.kind != model::TypeKind::Enum) return {0, 1};
  std::vector<Rational> members;
  for (const model::SymbolId member : type.members) members.emplace_back(member.index);
  std::ranges::sort(members);
  return members;
}

std::string among_words(const System& system, SlotId slot, std::span<const Rational> values) {
  if (values.empty()) return "false";
  if (values.size() == members_of(system, slot).size()) return "true";
  if (values.size() == 1) return value_words(system, slot, values.front());
  std::vector<std::string> names;
  for (const model::SymbolId member : system.variable(slot).type.members) {
    const bool is_one = std::ranges::find(values, Rational(member.index)) != values.end();
    if (is_one) names.push_back(system.model->symbols[member]);
  }
  return fmt::format("{} in {{{}}}", system.variable(slot).name, joined(names, ", "));
}

std::string comparison_words(const model::Model& model, const model::Polynomial& value,
                             model::Relation relation) {
  if (value.terms.empty()) {
    return model::holds(relation, value.constant.sign()) ? "true" : "false";
  }
  const model::Polynomial scaled = model::scaled(value, decimal_factor(value));
  std::string left = side_words(model, scaled.terms, 1);
  std::string right = side_words(model, scaled.terms, -1);
  const Rational number = -scaled.constant;
  if (left.empty()) {
    std::swap(left, right);
    right = (-number).to_string();
    relation = mirrored(relation);
  } else if (right.empty()) {
    right = number.to_string();
  } else if (number.sign() > 0) {
    right += " + " + number.to_string();
  } else if (number.sign() < 0) {
    right += " - " + (-number).to_string();
  }
  return fmt::format("{} {} {}", left, symbol(relation), right);
}

std::string all_words(std::span<const std::string> parts) {
  std::vector<std::string> said;
  for (const std::string& part : parts) {
    if (part == "false") return part;
    if (part != "true") said.push_back(part);
  }
  return said.empty() ? "true" : joined(said, " and ");
}

std::string any_words(std::span<const std::string> parts) {
  std::vector<std::string> said;
  for (const std::string& part : parts) {
    if (part == "true") return part;
    if (part != "false") said.push_back(part);
  }
  return said.empty() ? "false" : joined(said, " or ");
}

std::vector<std::string> constant_words(const System& system) {
  std::vector<std::string> words;
  for (const SlotId slot : system.model->slots.ids()) {
    if (system.changes[slot.index]) continue;
    const std::uint32_t member = system.model->slots[slot].member;
    words.push_back(value_words(system, slot, system.variable(slot).initial[member]));
  }
  return words;
}

}  // namespace poise::verify
