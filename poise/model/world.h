#pragma once

// The world around an application, as `poise verify` knows it: how far what is sensed may be from
// what is, what actions do, what must not happen, and what holds when the system starts.
//
// Conditions of the world are about *actual* values. They have tables of their own, which are built
// like those of the model. In a model of n slots, slot n + i of such a condition is the value of
// slot i after an action (a primed variable). Conditions of failures and of
// the start read no primed slots.
//
// lang/ establishes these invariants:
//   - errors are on numbers, and their range is not empty;
//   - an action is the name of no variable; every failure is after an action that is declared;
//   - no condition of the world asks about streams.

#include <string>
#include <vector>

#include "poise/base/rational.h"
#include "poise/base/source.h"
#include "poise/base/table.h"
#include "poise/model/condition.h"

namespace poise::model {

struct Formula;
using AtomId = Id<struct AtomTag>;
using FormulaId = Id<struct FormulaTag>;
using WorldActionId = Id<struct WorldActionTag>;
using FailureId = Id<struct FailureTag>;
using StartId = Id<struct StartTag>;

// The error of a value, as a range and a distribution. For a sensed variable: sensed minus actual
// value. For an own variable: what is done minus what is meant.
struct WorldError {
  enum class Law {
    Uniform,
    Gauss,     // around 0 with a standard deviation, cut to the range
    Triangle,  // peak at 0, or at the end of the range nearest to 0; falls to 0 at the ends
    Table,     // a histogram: weights of parts of the range of equal width
  };
  Rational low;
  Rational high;  // not less than low
  Law law = Law::Uniform;
  Rational deviation;             // Gauss: more than 0
  std::vector<Rational> weights;  // Table: none negative, one positive
};

// What an action does: a relation between the values before and after. A sensed variable whose
// later value it does not mention takes any value of its range; an own variable keeps its value.
struct WorldAction {
  std::string name;
  FormulaId condition;         // of World::formulas
  std::vector<SlotId> primed;  // the slots whose later values it mentions, sorted
  Position at;
};

struct WorldFailure {
  struct Case {
    FormulaId condition;  // of World::formulas
    WorldActionId after;
    Position at;
  };
  std::string name;
  std::vector<Case> cases;
  Position at;
};

// What holds when the system starts, beside the constraints, which hold always.
struct WorldStart {
  std::string name;     // empty if it has none
  FormulaId condition;  // of World::formulas
  Position at;
};

struct World {
  Table<WorldActionId, WorldAction> actions;
  Table<FailureId, WorldFailure> failures;
  Table<StartId, WorldStart> starts;
  Table<AtomId, Atom> atoms;
  Table<FormulaId, Formula> formulas;
};

}  // namespace poise::model
