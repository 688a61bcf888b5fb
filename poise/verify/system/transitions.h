#pragma once

// The steps of a system as a transition relation: requirements on values before and after a step.
// For exports to other checkers (export/). Everything that is not determined (errors, free choices
// of the world, values between two acts) is an unknown of its own; a run can take a step if there
// are values for all of them.
//
// Some values are *carried* from step to step: the actual ones or, in the mode AsPrinted, the
// sensed ones. Slots that never change are numbers.

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "poise/verify/system/system.h"

namespace poise::verify {

struct Unknown {
  enum class What {
    Carried,
    Sensed,  // a reading, off by an error; the present value of a condition over streams
    Done,    // an own variable as an act executes it, off by an error
    Actual,  // AsPrinted: the actual value for a sensed one
    Before,  // AsPrinted: the actual value before the step, on which the constraints hold
    Made,    // AsPrinted: the actual value that the world chose, before it is sensed
  };
  model::SlotId slot;
  What what = What::Carried;
  std::size_t act = 0;  // how many acts of the move ran before
  friend bool operator==(const Unknown&, const Unknown&) = default;
};

using Term = std::variant<Unknown, Rational>;

struct HoldsOn {
  model::FormulaId formula;
  bool truth = true;
  std::vector<Term> slots;  // slots[i] stands for slot i of the formula
};
struct Between {
  Unknown unknown;
  Rational low;
  Rational high;
};
// low <= a - b <= high
struct Apart {
  Term a;
  Term b;
  Rational low;
  Rational high;
};
using Requirement = std::variant<HoldsOn, Between, Apart>;

struct Passage {
  std::vector<Unknown> unknowns;  // new ones
  std::vector<Requirement> required;
  std::vector<Term> after;  // by slot: the carried values at its end
};

// A whole step, or the part of one up to a failure.
struct Transition {
  model::StateId from;
  std::size_t move = 0;  // its number in the state
  model::StateId to;
  std::optional<model::FailureId> failure;
  std::size_t act = 0;  // the act after which it fails
  Passage passage;      // begins with carried(), whose unknowns have act 0
};

[[nodiscard]] Passage start_of(const System& system);
// By state, then by move; of each move, failures first.
[[nodiscard]] std::vector<Transition> transitions_of(const System& system);

// The values at the beginning of a step: an unknown, or a number for a slot that never changes.
[[nodiscard]] std::vector<Term> carried(const System& system);

// "bump after walkF of r0 in A", or "r0 in A".
[[nodiscard]] std::string title_of(const System& system, const Transition& transition);

}  // namespace poise::verify
