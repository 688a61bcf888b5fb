// The usual mutants of states and rules, by group; mutants.h lists them.

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "poise/shake/mutants/mutant_kinds.h"
#include "poise/shake/mutants/sites.h"

namespace poise::shake {

using model::Atom;
using model::AtomId;
using model::FormulaId;
using model::Model;
using model::Relation;
using model::RuleId;
using model::TypeKind;

namespace {

Relation neighbour(Relation relation) {
  switch (relation) {
    case Relation::Equal: return Relation::NotEqual;
    case Relation::NotEqual: return Relation::Equal;
    case Relation::Less: return Relation::LessEqual;
    case Relation::LessEqual: return Relation::Less;
    case Relation::Greater: return Relation::GreaterEqual;
    case Relation::GreaterEqual: return Relation::Greater;
  }
  return relation;
}

bool is_numeric(const Model& model, model::SlotId slot) {
  const TypeKind kind = model.variables[model.slots[slot].variable].type.kind;
  return kind == TypeKind::Int || kind == TypeKind::Real;
}

// Only comparisons of numbers have a threshold.
bool compares_numbers(const Model& model, const Atom& atom) {
  return !atom.membership && !atom.slots.empty() && atom.among.empty() &&
         std::ranges::all_of(atom.slots, [&](model::SlotId s) { return is_numeric(model, s); });
}

// `speed > 7` for a variable and a number; else the polynomial, written out.
std::string text_of(const Model& model, const Atom& atom) {
  const auto name = [&](model::SlotId slot) -> const std::string& {
    return model.variables[model.slots[slot].variable].name;
  };
  const model::Polynomial& value = atom.value;
  if (value.terms.size() == 1 && value.terms[0].slots.size() == 1) {
    const Rational& factor = value.terms[0].coefficient;
    const Relation relation = factor.sign() > 0 ? atom.relation : mirrored(atom.relation);
    return fmt::format("{} {} {}", name(value.terms[0].slots[0]), symbol(relation),
                       (-value.constant / factor).to_string());
  }
  std::string text;
  for (const model::Monomial& term : value.terms) {
    if (!text.empty()) text += " + ";
    text += term.coefficient.to_string();
    for (const model::SlotId slot : term.slots) text += " * " + name(slot);
  }
  return fmt::format("{} {} {}", text, symbol(atom.relation), (-value.constant).to_string());
}

// The guard with an atom replaced. Parts without that atom are shared with the old guard.
FormulaId with_atom(Model& model, FormulaId id, AtomId from, AtomId to) {
  model::Formula formula = model.formulas[id];
  if (formula.op == model::Op::Atom) {
    if (formula.atom != from) return id;
    formula.atom = to;
    return model.formulas.add(std::move(formula));
  }
  bool is_new = false;
  for (FormulaId& part : formula.parts) {
    const FormulaId other = with_atom(model, part, from, to);
    is_new |= other != part;
    part = other;
  }
  return is_new ? model.formulas.add(std::move(formula)) : id;
}

Mutant with_atom(const Model& model, RuleId rule, AtomId from, Atom atom) {
  Mutant mutant{.at = model.rules[rule].at, .end = model.rules[rule].at, .model = model};
  const std::string& before = model.atoms[from].text;
  mutant.replacement = atom.text;
  mutant.description =
      fmt::format("rule `{}`: `{}` instead of `{}`", model.rules[rule].name, atom.text, before);
  // An atom with this text may exist already: atoms have different texts.
  std::optional<AtomId> to;
  for (const AtomId other : model.atoms.ids()) {
    if (model.atoms[other].text == atom.text) to = other;
  }
  if (!to) to = mutant.model.atoms.add(std::move(atom));
  FormulaId& guard = mutant.model.rules[rule].guard;
  guard = with_atom(mutant.model, guard, from, *to);
  return mutant;
}

std::vector<Mutant> moved_thresholds(const Model& model) {
  std::vector<Mutant> mutants;
  for (const RuleId rule : model.rules.ids()) {
    for (const AtomId id : model::atoms_of(model, {model.rules[rule].guard})) {
      const Atom& atom = model.atoms[id];
      if (!compares_numbers(model, atom)) continue;
      const Rational step = step_of(model.variables[model.slots[atom.slots.front()].variable]);
      for (const Rational& by : {step, -step}) {
        Atom moved = atom;
        // 2 * x > 10 is 2 * x - 10 > 0: to move the threshold for x by 1, the constant moves by -2.
        const Rational factor = atom.value.terms.empty() ? 1 : atom.value.terms[0].coefficient;
        moved.value.constant = moved.value.constant - by * factor;
        moved.text = text_of(model, moved);
        mutants.push_back(with_atom(model, rule, id, std::move(moved)));
      }
    }
  }
  return mutants;
}

std::vector<Mutant> replaced_relations(const Model& model) {
  std::vector<Mutant> mutants;
  for (const RuleId rule : model.rules.ids()) {
    for (const AtomId id : model::atoms_of(model, {model.rules[rule].guard})) {
      const Atom& atom = model.atoms[id];
      if (!compares_numbers(model, atom)) continue;
      Atom other = atom;
      other.relation = neighbour(atom.relation);
      other.text = text_of(model, other);
      mutants.push_back(with_atom(model, rule, id, std::move(other)));
    }
  }
  return mutants;
}

std::vector<Mutant> other_priorities(const Model& model) {
  std::vector<std::int64_t> levels;
  for (const model::Rule& rule : model.rules) {
    if (rule.priority) levels.push_back(*rule.priority);
  }
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  std::vector<Mutant> mutants;
  const auto add = [&](RuleId id, std::optional<std::int64_t> priority) {
    const model::Rule& rule = model.rules[id];
    const auto text = [](std::optional<std::int64_t> p) {
      return p ? fmt::format("priority {}", *p) : std::string("no priority");
    };
    Mutant mutant{.description = fmt::format("rule `{}` has {} instead of {}", rule.name,
                                             text(priority), text(rule.priority)),
                  .at = rule.at,
                  .end = rule.at,
                  .replacement = priority ? text(priority) : "",
                  .model = model};
    mutant.model.rules[id].priority = priority;
    mutants.push_back(std::move(mutant));
  };
  for (const RuleId id : model.rules.ids()) {
    const std::optional<std::int64_t>& priority = model.rules[id].priority;
    if (!priority) {
      if (!levels.empty()) add(id, levels.back());
      continue;
    }
    const auto level = std::ranges::find(levels, *priority);
    if (level != levels.begin()) add(id, *(level - 1) - 1);
    if (level + 1 != levels.end()) {
      add(id, *(level + 1) + 1);
    } else {
      add(id, std::nullopt);
    }
  }
  return mutants;
}

std::vector<Mutant> dropped_rules(const Model& model) {
  std::vector<Mutant> mutants;
  for (const RuleId id : model.rules.ids()) {
    const model::Rule& rule = model.rules[id];
    Mutant mutant{.description = fmt::format("rule `{}` is left out", rule.name),
                  .at = rule.at,
                  .end = rule.at,
                  .model = model};
    mutant.model.rules[id].from.clear();
    for (model::State& state : mutant.model.states) std::erase(state.rules, id);
    mutants.push_back(std::move(mutant));
  }
  return mutants;
}

}  // namespace

std::vector<Mutant> rule_mutants(const Model& model, MutantGroup group) {
  switch (group) {
    case MutantGroup::Threshold: return moved_thresholds(model);
    case MutantGroup::Comparison: return replaced_relations(model);
    case MutantGroup::Priority: return other_priorities(model);
    case MutantGroup::Dropped: return dropped_rules(model);
    default: return {};
  }
}

}  // namespace poise::shake
