#pragma once

// A model prepared for verification: which rules lead where, what each action does to actual
// values, and where failures are checked. Every engine works on this. Whatever a mode ignores is
// left out here; only the mode AsPrinted needs attention elsewhere.
//
// A *path* is a sequence of moves from the initial state. At each step the actual values satisfy
// the constraints; then all sensed variables are read, each off by an error drawn anew; a move is
// possible if its guard holds on the readings and no stronger guard does. Then its acts run in
// order, on actual values.
//
// Slots are those of the model. In the condition of an act, slot number slots() + i stands for slot
// i after the act.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poise/base/table.h"
#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::verify {

// A failure after an act, and when it happens.
struct Case {
  model::FailureId failure;
  model::FormulaId condition;  // on actual values
};

// One action of a rule. Slots that are in none of the lists keep their values.
struct Act {
  std::string text;
  std::optional<model::WorldActionId> action;  // none for an assignment, which only sets slots
  std::optional<model::FormulaId> condition;   // over slots before and after
  std::vector<model::Effect> sets;
  std::vector<model::SlotId> later;  // new values as the condition says (its primed slots)
  std::vector<model::SlotId> freed;  // take any value of their domain
  std::vector<model::SlotId> done;   // own variables that it reads with an error drawn anew
  std::vector<Case> cases;           // failures that are checked after it, each once
};

// A rule in a state.
struct Move {
  model::RuleId rule;
  model::StateId to;
  model::FormulaId guard;                  // on sensed values
  std::vector<model::FormulaId> stronger;  // guards of stronger rules of the state
  std::vector<Act> acts;
};

struct System {
  const model::Model* model = nullptr;
  Mode mode = Mode::Actual;
  Table<model::AtomId, model::Atom> atoms;
  Table<model::FormulaId, model::Formula> formulas;
  std::vector<std::vector<Move>> moves;  // by state, in the order of declaration
  std::vector<model::FormulaId> start;   // what holds at the start: constraints, and `start`
  // Constraints. The actual values satisfy them whenever the application is about to look at its
  // sensors; a run whose values do not ends there. They are not imposed between acts.
  std::vector<model::FormulaId> always;
  // By slot: of sensing; for own variables, of actions that read them.
  std::vector<std::optional<model::WorldError>> errors;
  std::vector<bool> changes;  // by slot: is sensed, or some act may change it
  // By slot: "the value is a member of the enumeration"; only if its members have gaps in between.
  std::vector<std::optional<model::FormulaId>> members;
  std::vector<model::SlotId> renewed;  // conditions over streams: take any value before each step
  // By slot, if it may have no value, or none that matters: "slot slots() + i is slot i while that
  // has a value, else the least of its domain". So what cannot be seen is the same everywhere.
  std::vector<std::optional<model::FormulaId>> seen;

  [[nodiscard]] std::size_t slots() const { return model->slots.size(); }
  [[nodiscard]] const model::Variable& variable(model::SlotId slot) const {
    return model->variables[model->slots[slot].variable];
  }
  [[nodiscard]] bool is_sensed(model::SlotId slot) const { return !variable(slot).own; }
  // Whether the slot is sensed with an error.
  [[nodiscard]] bool is_off(model::SlotId slot) const {
    return is_sensed(slot) && errors[slot.index].has_value();
  }
};

// The model must outlive it.
[[nodiscard]] System system_of(const model::Model& model, Mode mode);

// Whether the slot is a boolean, of an enumeration or of a set: it never leaves its domain,
// whatever an action says. Numbers may.
[[nodiscard]] bool has_members(const System& system, model::SlotId slot);

[[nodiscard]] bool is_whole(const System& system, model::SlotId slot);  // not real
struct Domain {
  Rational low;
  Rational high;
  std::vector<Rational> gaps = {};  // of an enumeration: numbers in between that are no members
};
[[nodiscard]] Domain domain_of(const System& system, model::SlotId slot);

}  // namespace poise::verify
