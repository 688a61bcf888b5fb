#pragma once

// The world around an application, as `poise verify` knows it: how far what is sensed may be from
// what is, what actions do, and what must not happen.
//
// Conditions of the world are about *actual* values. They have tables of their own, which are built
// like those of the model: an atom reads slots, and a slot of number `slots + i`, where `slots` is
// how many the model has, is the value of slot i after an action. Conditions of failures read no
// such slots.
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

// How far a value may be off, and how that is spread. Of something sensed: sensed value less actual
// value. Of an own variable: what is done less what is meant.
struct WorldError {
  enum class Law {
    Uniform,
    Gauss,     // around 0 with a standard deviation, cut to the range
    Triangle,  // highest at 0, or at the end of the range that is next to 0; 0 at both ends
    Table,     // weights of parts of the range, all as wide, within which it is uniform
  };
  Rational low;
  Rational high;  // not less than low
  Law law = Law::Uniform;
  Rational deviation;             // Gauss: more than 0
  std::vector<Rational> weights;  // Table: none negative, one positive
};

// What holds between the values before and after. A sensed variable whose later value it does not
// mention takes any value of its range; an own one stays as it is.
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

struct World {
  Table<WorldActionId, WorldAction> actions;
  Table<FailureId, WorldFailure> failures;
  Table<AtomId, Atom> atoms;
  Table<FormulaId, Formula> formulas;
};

}  // namespace poise::model
