#include "tests/support/office_model.h"

#include <string>
#include <utility>
#include <vector>

namespace poise::test {

namespace {

using namespace model;  // the model is spelt out here, name by name

VariableId add_variable(Model& model, std::string name, Type type,
                        std::optional<VariableId> guard = std::nullopt) {
  const bool set = type.kind == TypeKind::Set;
  const auto slots = set ? static_cast<std::uint32_t>(type.members.size()) : 1U;
  const SlotId first{static_cast<std::uint32_t>(model.slots.size())};
  const VariableId id = model.variables.add({.name = std::move(name),
                                             .type = std::move(type),
                                             .guard = guard,
                                             .first_slot = first,
                                             .slot_count = slots});
  for (std::uint32_t i = 0; i < slots; ++i) model.slots.add({.variable = id, .member = i});
  return id;
}

// The atom `slot RELATION bound`, and the formula that is just that.
FormulaId add_atom(Model& model, std::string text, SlotId slot, Relation relation, Rational bound) {
  Polynomial value{.terms = {{.slots = {slot}, .coefficient = 1}}, .constant = -bound};
  const AtomId atom = model.atoms.add(
      {.text = std::move(text), .slots = {slot}, .value = std::move(value), .relation = relation});
  return model.formulas.add({.op = Op::Atom, .atom = atom});
}

struct RuleText {
  std::string name;
  StateId from;
  StateId to;
  std::int64_t priority;
  FormulaId guard;
};

void add_rule(Model& model, const RuleText& text) {
  const auto line = static_cast<std::uint32_t>(11 + model.rules.size());
  const RuleId id = model.rules.add({.name = text.name,
                                     .from = {text.from},
                                     .to = text.to,
                                     .guard = text.guard,
                                     .priority = text.priority,
                                     .at = {.line = line, .column = 1}});
  model.states[text.from].rules.push_back(id);
}

}  // namespace

Model office_model() {
  Model model;
  model.name = "Office";
  model.file = "office.poise";
  const SymbolId home = model.symbols.add("home");
  const SymbolId office = model.symbols.add("office");
  const SymbolId pc = model.symbols.add("pc");
  const SymbolId phone = model.symbols.add("phone");

  const VariableId gps = add_variable(model, "gps.on", {.kind = TypeKind::Bool});
  const VariableId speed =
      add_variable(model, "gps.speed", {.kind = TypeKind::Real, .low = 0, .high = 350}, gps);
  const VariableId place =
      add_variable(model, "place", {.kind = TypeKind::Enum, .members = {home, office}});
  const VariableId devices =
      add_variable(model, "bt", {.kind = TypeKind::Set, .members = {pc, phone}});
  add_variable(model, "count", {.kind = TypeKind::Int, .low = 0, .high = 50});

  const SlotId phone_slot{model.variables[devices].first_slot.index + 1};
  const FormulaId at_office = add_atom(model, "place == office", model.variables[place].first_slot,
                                       Relation::Equal, Rational(office.index));
  const FormulaId has_phone = add_atom(model, "bt has phone", phone_slot, Relation::Equal, 1);
  const FormulaId moving =
      add_atom(model, "gps.speed > 5", model.variables[speed].first_slot, Relation::Greater, 5);

  for (const char* name : {"Idle", "Work", "Away"}) {
    model.states.add({.name = name, .at = {.line = 8, .column = 7}});
  }
  model.initial = kIdle;
  add_rule(model, {"Enter", kIdle, kWork, 2, at_office});
  add_rule(model, {"Leave", kWork, kIdle, 2, has_phone});
  add_rule(model, {"Walk", kIdle, kAway, 2, moving});
  add_rule(model, {"Late", kIdle, kAway, 4, at_office});
  return model;
}

Context at_the_office() {
  // gps.on, gps.speed, place, pc, phone, count
  return {Rational(0), std::nullopt, Rational(1), Rational(0), Rational(1), Rational(3)};
}

}  // namespace poise::test
