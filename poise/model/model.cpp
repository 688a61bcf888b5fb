#include "poise/model/model.h"

#include <algorithm>

namespace poise::model {

namespace {

// How tightly an operator binds in the language; an operand that binds looser needs parentheses.
int strength(Op op) {
  switch (op) {
    case Op::Iff: return 1;
    case Op::Implies: return 2;
    case Op::Or: return 3;
    case Op::And: return 4;
    case Op::Not: return 5;
    case Op::False:
    case Op::True:
    case Op::Atom: return 6;
  }
  return 6;
}

std::string_view word(Op op) {
  switch (op) {
    case Op::Iff: return " iff ";
    case Op::Implies: return " implies ";
    case Op::Or: return " or ";
    case Op::And: return " and ";
    case Op::Not: return "not ";
    case Op::False: return "false";
    case Op::True: return "true";
    case Op::Atom: return "";
  }
  return "";
}

// Stops once the text is longer than the limit: shared parts could make it exponentially long.
void append(const Model& model, FormulaId id, int outer, std::size_t limit, std::string& text) {
  if (text.size() > limit) return;
  const Formula& formula = model.formulas[id];
  const int own = strength(formula.op);
  const bool parentheses = own < outer;
  if (parentheses) text += '(';
  switch (formula.op) {
    case Op::False:
    case Op::True: text += word(formula.op); break;
    case Op::Atom: text += model.atoms[formula.atom].text; break;
    case Op::Not:
      text += word(formula.op);
      append(model, formula.parts.front(), own, limit, text);
      break;
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Iff:
      if (formula.parts.empty()) text += formula.op == Op::And ? "true" : "false";
      for (std::size_t i = 0; i < formula.parts.size() && text.size() <= limit; ++i) {
        if (i > 0) text += word(formula.op);
        append(model, formula.parts[i], own + 1, limit, text);
      }
      break;
  }
  if (parentheses) text += ')';
}

}  // namespace

std::string_view source_of(const Variable& variable) {
  const std::string_view name = variable.name;
  if (variable.query) return name;
  return name.substr(0, name.find('.'));
}

std::optional<SlotId> guard_slot(const Model& model, SlotId slot) {
  const Variable& variable = model.variables[model.slots[slot].variable];
  if (!variable.guard) return std::nullopt;
  return model.variables[*variable.guard].first_slot;
}

bool is_stronger(const Rule& rule, const Rule& other) {
  if (!rule.priority) return false;
  return !other.priority || *rule.priority < *other.priority;
}

std::size_t rule_count(const Model& model) {
  std::size_t count = 0;
  for (const Rule& rule : model.rules) count += rule.from.size();
  return count;
}

std::vector<AtomId> atoms_of(const Model& model, std::vector<FormulaId> formulas) {
  std::vector<AtomId> atoms;
  std::vector<bool> seen(model.formulas.size(), false);
  while (!formulas.empty()) {
    const FormulaId id = formulas.back();
    formulas.pop_back();
    if (seen[id.index]) continue;
    seen[id.index] = true;
    const Formula& formula = model.formulas[id];
    if (formula.op == Op::Atom) atoms.push_back(formula.atom);
    formulas.insert(formulas.end(), formula.parts.begin(), formula.parts.end());
  }
  std::ranges::sort(atoms);
  return atoms;
}

std::string to_text(const Model& model, FormulaId formula, std::size_t limit) {
  std::string text;
  append(model, formula, 0, limit, text);
  if (text.size() > limit) {
    text.resize(limit);
    text += "…";
  }
  return text;
}

std::string to_text(const Model& model, SlotId slot, const Value& value) {
  if (!value) return "none";
  switch (model.variables[model.slots[slot].variable].type.kind) {
    case TypeKind::Bool:
    case TypeKind::Set: return value->sign() != 0 ? "true" : "false";
    case TypeKind::Int:
    case TypeKind::Real: return value->to_string();
    case TypeKind::Enum:
      return model.symbols[SymbolId{static_cast<std::uint32_t>(value->numerator().to_int64())}];
  }
  return "none";
}

}  // namespace poise::model
