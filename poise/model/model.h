#pragma once

// The model: what a rule file means once its names are resolved. Plain data, shared by every
// analysis; model/step.h executes it.
//
// In a state, a rule is *satisfied* when its guard holds in the current context. Of the satisfied
// rules, those of the strongest priority are *triggered*. Firing one moves to its target and
// applies its actions to the context. docs/language.md defines this in full.
//
// Values. Every scalar value is an exact number: false and true are 0 and 1, a member of an
// enumeration is the number of its symbol. A variable occupies one *slot* of the context, a set
// variable one boolean slot per possible member. So analyses know numbers and slots, and nothing
// else.
//
// lang/ establishes these invariants, so no analysis tests them again:
//   - every id indexes a row of its table;
//   - the parts of a formula come before it in their table, and it is at most kMaxFormulaDepth
//   deep;
//   - atoms occur in at least one rule or constraint, and no two have the same text;
//   - every assigned value lies in its slot's domain;
//   - names are unique within each table; a final state has no rules;
//   - a guard is a boolean sense, and guards do not depend on themselves.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/rational.h"
#include "poise/base/source.h"
#include "poise/base/table.h"
#include "poise/model/condition.h"
#include "poise/model/policy.h"
#include "poise/model/stream.h"
#include "poise/model/world.h"

namespace poise::model {

inline constexpr int kMaxFormulaDepth = 1000;

using VariableId = Id<struct VariableTag>;
using AtomId = Id<struct AtomTag>;
using FormulaId = Id<struct FormulaTag>;
using StateId = Id<struct StateTag>;
using RuleId = Id<struct RuleTag>;
using ConstraintId = Id<struct ConstraintTag>;

// ---- Context ----

struct Variable {
  std::string name;
  Type type;
  std::optional<VariableId> guard;  // has a value only while this boolean variable holds
  bool own = false;                 // `var` or `variant`, else `sense`
  bool variant = false;             // `variant`: what a policy decides about
  SlotId first_slot;                // a set has one slot per member, anything else one
  std::uint32_t slot_count = 1;
  std::vector<Rational> initial;    // own variables: one value per slot
  std::optional<QueryId> query;     // a condition over streams, written out in the name
  std::optional<WorldError> error;  // numbers: how far off what is sensed or done may be
  // `var x : real = 10`: its range is made of the first value and those that rules assign.
  bool unbounded = false;
  std::optional<Rational> step =
      {};                        // numbers: between neighbours; 1 for whole numbers without one
  bool log_scale = false;        // numbers above 0: distances are ratios
  Rational weight = 1;           // of its differences, in distances between contexts
  std::vector<Term> terms = {};  // numbers: words for them
  Position at;
};

struct Slot {
  VariableId variable;
  std::uint32_t member = 0;  // of a set: which
};

// One value per slot; none while the variable's guard does not hold.
using Value = std::optional<Rational>;
// Of a boolean.
[[nodiscard]] inline bool holds(const Value& value) { return value && value->sign() != 0; }
using Context = std::vector<Value>;

struct Assignment {
  SlotId slot;
  Value value;
};

// ---- Conditions ----

enum class Op { False, True, Atom, Not, And, Or, Implies, Iff };

struct Formula {
  Op op;
  AtomId atom = {};              // Op::Atom
  std::vector<FormulaId> parts;  // one for Not, two for Implies and Iff, any number for And and Or
};

struct Constraint {
  std::string name;  // empty if it has none
  FormulaId condition;
  Position at;
};

// ---- Adaptation ----

// Sets a slot to a value, or to any value of its domain, each a run of its own. Skipped where
// `unless` holds.
struct Effect {
  SlotId slot;
  Value value;
  std::optional<SlotId> unless;
};

struct Action {
  std::string text;                    // as it stands
  std::vector<Effect> effects;         // none for a named action
  std::optional<WorldActionId> world;  // a named action that is declared
};

struct Rule {
  std::string name;
  std::vector<StateId> from;  // counts as one rule per source state
  StateId to;
  FormulaId guard;
  std::optional<std::int64_t> priority;  // the smaller, the stronger; none yields to any
  std::vector<Action> actions;           // applied in order
  Position at;
};

struct State {
  std::string name;
  bool final = false;
  std::vector<RuleId> rules;  // that leave it, as declared
  Position at;
};

struct Model {
  std::string name;
  std::string file;
  Table<SymbolId, std::string> symbols;
  Table<VariableId, Variable> variables;
  Table<SlotId, Slot> slots;
  Table<AtomId, Atom> atoms;
  Table<FormulaId, Formula> formulas;
  Table<ConstraintId, Constraint> constraints;
  Table<StateId, State> states;
  Table<RuleId, Rule> rules;
  Table<StreamId, Stream> streams;
  Table<ExternId, Extern> externs;
  Table<QueryId, Query> queries;
  Table<TextId, std::string> texts;  // that conditions compare with
  World world;
  Policy policy;  // if it has options there are no states
  StateId initial;
};

// ---- Small questions ----

// The sensor: the part of the name before its first dot. Variables of one source refresh together.
[[nodiscard]] std::string_view source_of(const Variable& variable);

// The boolean slot that must hold for this one to have a value.
[[nodiscard]] std::optional<SlotId> guard_slot(const Model& model, SlotId slot);

[[nodiscard]] bool is_stronger(const Rule& rule, const Rule& other);

// The number of pairs of a rule and one of its source states.
[[nodiscard]] std::size_t rule_count(const Model& model);

// The atoms of a formula, or of several, sorted.
[[nodiscard]] std::vector<AtomId> atoms_of(const Model& model, std::vector<FormulaId> formulas);

// A formula in the language; "…" stands for what is beyond `limit` characters.
[[nodiscard]] std::string to_text(const Model& model, FormulaId formula, std::size_t limit = 400);

// A slot's value in the language: true, home, 2.5; "none" for no value.
[[nodiscard]] std::string to_text(const Model& model, SlotId slot, const Value& value);

}  // namespace poise::model
