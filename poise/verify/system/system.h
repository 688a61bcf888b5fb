#pragma once

// A model made ready to be verified: which rules lead where, what each action does to actual
// values, and where failures are looked for. Every engine works on this, so what a mode leaves out
// is left out here, and nowhere else.
//
// A *path* is a sequence of moves from the initial state. At each step all sensed variables are
// read, off by an error drawn anew; a move is possible if its guard holds on what was read and no
// stronger guard does. Then its acts run in order, on actual values.
//
// Slots are those of the model. In conditions, a slot of number slots + i is slot i after an act.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poise/base/table.h"
#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::verify {

struct Case {
  model::FailureId failure;
  model::FormulaId condition;
};

// What one action of a rule does.
struct Act {
  std::string text;
  std::optional<model::WorldActionId> action;  // a declared one; else it only sets slots
  std::optional<model::FormulaId> condition;   // over slots before and after
  std::vector<model::Effect> sets;
  std::vector<model::SlotId> later;  // slots whose values after it the condition gives
  std::vector<model::SlotId> freed;  // take any value of their domain
  std::vector<model::SlotId> done;  // own variables that it does within their error, each time anew
  std::vector<Case> cases;          // what fails after it; failures differ
};

struct Move {
  model::RuleId rule;
  model::StateId to;
  model::FormulaId guard;                  // over what is sensed
  std::vector<model::FormulaId> stronger;  // guards of stronger rules of the state
  std::vector<Act> acts;
};

struct System {
  const model::Model* model = nullptr;
  Mode mode = Mode::Actual;
  Table<model::AtomId, model::Atom> atoms;
  Table<model::FormulaId, model::Formula> formulas;
  std::vector<std::vector<Move>> moves;  // by state; a state's rules as declared
  std::vector<model::FormulaId> start;   // constraints
  // By slot; of own variables: of what is done.
  std::vector<std::optional<model::WorldError>> errors;
  std::vector<bool> changes;  // by slot: is sensed, or an act gives it another value
  // By slot: that its value is a member of its enumeration, where not all numbers between are.
  std::vector<std::optional<model::FormulaId>> members;
  std::vector<model::SlotId> renewed;  // take any value before each step: conditions over streams

  [[nodiscard]] std::size_t slots() const { return model->slots.size(); }
  [[nodiscard]] const model::Variable& variable(model::SlotId slot) const {
    return model->variables[model->slots[slot].variable];
  }
  [[nodiscard]] bool is_sensed(model::SlotId slot) const { return !variable(slot).own; }
  // Whether what is read of the slot may be off.
  [[nodiscard]] bool is_off(model::SlotId slot) const {
    return is_sensed(slot) && errors[slot.index].has_value();
  }
};

// The model must outlive it.
[[nodiscard]] System system_of(const model::Model& model, Mode mode);

// Whether a slot has no other values than those of its type, whatever an action says.
[[nodiscard]] bool has_members(const System& system, model::SlotId slot);

// Whether a slot takes whole numbers only, and the least and the greatest of its domain.
[[nodiscard]] bool is_whole(const System& system, model::SlotId slot);
struct Domain {
  Rational low;
  Rational high;
  std::vector<Rational> gaps = {};  // values between them that are none, of enumerations
};
[[nodiscard]] Domain domain_of(const System& system, model::SlotId slot);

}  // namespace poise::verify
