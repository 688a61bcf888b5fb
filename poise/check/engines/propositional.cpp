#include "poise/check/engines/propositional.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "poise/model/polynomial.h"
#include "poise/model/step.h"

namespace poise::check {

namespace {

using model::Action;
using model::Atom;
using model::AtomId;
using model::Effect;
using model::Model;
using model::SlotId;

SlotId slot_of(AtomId atom) { return {atom.index}; }

bool reads(const Atom& atom, SlotId slot) { return std::ranges::binary_search(atom.slots, slot); }

bool stands_behind(const Model& model, SlotId slot, SlotId guard) {
  for (auto outer = model::guard_slot(model, slot); outer;
       outer = model::guard_slot(model, *outer)) {
    if (*outer == guard) return true;
  }
  return false;
}

// The slot, in the propositional form, of the atom that is this boolean variable itself; none if no
// rule or constraint mentions it.
std::optional<SlotId> plain_atom(const Model& model, SlotId slot) {
  const std::string& name = model.variables[model.slots[slot].variable].name;
  const auto atom = std::ranges::find(model.atoms, name, &Atom::text);
  if (atom == model.atoms.end()) return std::nullopt;
  return SlotId{static_cast<std::uint32_t>(atom - model.atoms.begin())};
}

// What becomes of atoms when a slot of the user's model is set to a value: of those that read it,
// and of those behind it, if it is a guard.
std::vector<Effect> effects_on_atoms(const Model& model, SlotId slot, const Rational& value) {
  std::vector<Effect> effects;
  // Applied last, because the others may ask whether the guard held before (Effect::unless).
  std::vector<Effect> effects_on_readers;
  model::Context context(model.slots.size());
  context[slot.index] = value;
  const bool enables = value.sign() != 0;
  for (const AtomId id : model.atoms.ids()) {
    const Atom& atom = model.atoms[id];
    const bool behind = std::ranges::any_of(
        atom.slots, [&](SlotId read) { return stands_behind(model, read, slot); });
    if (behind && enables) {
      effects.push_back({slot_of(id), std::nullopt, plain_atom(model, slot)});
    } else if (behind) {
      effects.push_back({slot_of(id), Rational(0), std::nullopt});
    } else if (reads(atom, slot)) {
      model::Value truth;
      if (atom.slots.size() == 1) truth = Rational(model::holds(atom, context) ? 1 : 0);
      effects_on_readers.push_back({slot_of(id), truth, std::nullopt});
    }
  }
  effects.insert(effects.end(), effects_on_readers.begin(), effects_on_readers.end());
  return effects;
}

}  // namespace

Model propositional(const Model& model) {
  Model result = model;
  result.variables = {};
  result.slots = {};
  result.atoms = {};
  result.constraints = {};
  for (const Atom& atom : model.atoms) {
    const SlotId slot{static_cast<std::uint32_t>(result.slots.size())};
    const model::VariableId variable = result.variables.add(
        {.name = atom.text, .type = {}, .guard = {}, .first_slot = slot, .initial = {}, .at = {}});
    result.slots.add({.variable = variable});
    result.atoms.add({.text = atom.text,
                      .slots = {slot},
                      .value = sum(model::slot_value(slot), model::constant(-1)),
                      .among = {}});
  }
  for (model::Rule& rule : result.rules) {
    for (Action& action : rule.actions) {
      std::vector<Effect> effects;
      for (const Effect& effect : action.effects) {
        const std::vector<Effect> next = effects_on_atoms(model, effect.slot, *effect.value);
        effects.insert(effects.end(), next.begin(), next.end());
      }
      action.effects = std::move(effects);
    }
  }
  return result;
}

}  // namespace poise::check
