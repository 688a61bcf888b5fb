#pragma once

// A policy, as `poise shake` knows it: how a context, and what came before it, decide about a
// *variant* of the system. A model has either a policy or states and rules.
//
// Once per tick the policy looks at the context. First each option gets a *utility*: its
// preferences say by how much, each as far as its condition holds (fuzzily). Then the options are
// looked at in the order in which they are declared; one whose condition holds, and that does not
// cool down, makes its assignments, one after the other. Conditions and assigned values read
// variables as they are by then.
//
// Variants, and own variables as the policy's memory, are variables of the model
// (Variable::variant, Variable::own). So is what is sensed; an expression reads slots. A slot
// without a value makes every comparison with it false.
//
// lang/ establishes these invariants:
//   - expressions are trees: each has one parent at most, and parts come before it in their table;
//   - they are well typed: parts of And are truths, parts of Add are numbers, and so on; a truth
//     may stand where a boolean value is assigned or compared;
//   - assigned slots belong to variants and own variables;
//   - a preference's term is one of its option's utility; Is names a term of its slot's variable;
//   - Utility stands only in the condition and the values of an option.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poise/base/rational.h"
#include "poise/base/source.h"
#include "poise/base/table.h"
#include "poise/model/condition.h"

namespace poise::model {

using PolicyExprId = Id<struct PolicyExprTag>;
using OptionId = Id<struct OptionTag>;
using PreferenceId = Id<struct PreferenceTag>;
using ExpectationId = Id<struct ExpectationTag>;

// ---- Words for numbers ----

// How far a number has a property, from 0 to 1.
struct Shape {
  enum class Kind {
    Trapezoid,  // a b c d: rises from a to b, is 1 from b to c, falls from c to d
    Triangle,   // a b c: rises from a to b, falls from b to c
    Ramp,       // a b: 0 at a and before it, 1 at b and behind it; it falls if b < a
    Singleton,  // v: 1 at v, 0 elsewhere
    Table,      // x0 y0 x1 y1 …: straight lines between, the first and last y beyond; x ascend
  };
  Kind kind = Kind::Triangle;
  std::vector<Rational> points;
};

struct Term {  // `low` of `term low = trapezoid 0 0 0.2 0.4`
  std::string name;
  Shape shape;
  Position at;
};

// ---- Expressions ----

enum class PolicyOp : std::uint8_t {
  // Numbers; members of enumerations are the numbers of their symbols.
  Number,
  Slot,
  Utility,   // of the option in which it stands
  Add,       // two parts or more
  Multiply,  // likewise
  Divide,    // two; by 0 there is no value
  Negate,
  Minimum,  // two parts or more
  Maximum,
  Absolute,
  Ceiling,
  Floor,
  Round,  // halves away from 0
  If,     // three: a condition, then, else
  // Truths. Fuzzily: the smaller, the greater, the rest to 1. A slot of a boolean is 0 or 1.
  Not,
  And,  // two parts or more
  Or,
  Implies,
  Iff,
  Equal,  // comparisons have two parts, and are false if one of them has no value
  NotEqual,
  Less,
  LessEqual,
  Is,  // how far a slot is what a term says; where only true and false count, from 0.5 on it is
  // History. It is recorded at every tick, whether or not it matters at that tick.
  Held,         // a condition has held without a break for so many seconds, up to now
  Rate,         // of a number, per second: since the tick before, or over so many seconds
  MaximumOver,  // of a number, over so many seconds: ticks less than that ago, the present one too
  MinimumOver,
  MeanOver,
  Previous,  // a number or a truth as it was at the tick before; at the first tick as it is
};

struct PolicyExpr {
  PolicyOp op;
  Rational number = {};    // Number; history: how many seconds, 0 if none are given
  SlotId slot = {};        // Slot, Is
  std::uint32_t term = 0;  // Is: of the variable's terms
  std::vector<PolicyExprId> parts = {};
  Position at = {};   // where it stands; copies of a `let` stand at the same place
  Position end = {};  // one past its last character
};

// ---- The policy ----

// What preferences add up to. Sugeno: the mean of the terms' middles, weighted by how far their
// conditions hold; Mamdani: the centroid of the terms, each cut at how far its condition holds,
// and the greatest taken. Without any preference that holds it is `otherwise`.
struct UtilityScale {
  enum class Method { Sugeno, Mamdani };
  Method method = Method::Sugeno;
  Rational low = 0;
  Rational high = 1;
  Rational otherwise = 0;
  std::vector<Term> terms;  // by default low, medium and high: singletons at 0, 0.5 and 1
};

struct PolicyAssignment {
  SlotId slot;
  PolicyExprId value;
  Position at;
};

struct Option {
  std::string name;
  std::vector<PolicyAssignment> assignments;
  std::optional<PolicyExprId> when;  // none: always
  Rational cooldown = 0;             // seconds after it acted in which it does not act again
  UtilityScale scale;
  Position at;
};

struct Preference {
  OptionId option;
  std::uint32_t term = 0;  // of its option's scale
  PolicyExprId when;
  Rational weight = 1;  // its condition counts as so much
  Position at;
  Position term_at;  // the word
};

// A property that the policy should have, whatever the context does.
struct Expectation {
  enum class Kind {
    Holds,    // a condition, after every tick
    Stable,   // while the context is held, nothing of the variant changes after so many seconds
    Changes,  // at most so many changes within so many seconds
    Base,   // so many seconds after the context returned to its origin, the variant is as at first
    Rises,  // of two holds, the one with more of a property never ends with less of a variant
    Falls,  // likewise, never more
  };
  Kind kind = Kind::Holds;
  std::string name;                       // made of its text if it has none
  std::optional<PolicyExprId> condition;  // Holds
  Rational seconds = 0;                   // Rises, Falls: that a hold must have lasted to count
  std::uint32_t count = 0;                // Changes
  std::optional<SlotId> variant;          // of which; none: of any
  std::optional<SlotId> property;         // Rises, Falls
  Position at;
};

struct Policy {
  Rational tick = 1;  // seconds
  Table<PolicyExprId, PolicyExpr> exprs;
  Table<OptionId, Option> options;
  Table<PreferenceId, Preference> preferences;
  Table<ExpectationId, Expectation> expectations;

  [[nodiscard]] bool empty() const { return options.empty(); }
};

}  // namespace poise::model
