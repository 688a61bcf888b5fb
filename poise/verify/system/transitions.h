#pragma once

// What moves do, as relations between values before and after: for those who write a system down
// for other checkers. Everything that is not determined (errors, what the world is free to choose,
// values between two acts) is an unknown of its own; a run can take the step where there are values
// for all of them.
//
// A system carries from step to step: actual values, or, as the paper prints it, what is read.
// Slots that never change are numbers.

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
    Sensed,  // off by an error; of conditions over streams: what they are now
    Done,    // off by an error
    Actual,  // as printed: behind what is read
    Made,    // as printed: what the world chose, before it is read
  };
  model::SlotId slot;
  What what = What::Carried;
  std::size_t act = 0;  // so many acts of the move ran before
  friend bool operator==(const Unknown&, const Unknown&) = default;
};

using Term = std::variant<Unknown, Rational>;

struct HoldsOn {
  model::FormulaId formula;
  bool truth = true;
  std::vector<Term> slots;  // as many as the formula may read
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
  std::vector<Unknown> unknowns;  // that it introduces
  std::vector<Requirement> required;
  std::vector<Term> after;  // by slot: what is carried on
};

// A step, or one that ends with a failure in the middle.
struct Transition {
  model::StateId from;
  std::size_t move = 0;  // of the state
  model::StateId to;
  std::optional<model::FailureId> failure;
  std::size_t act = 0;  // after which it fails
  Passage passage;      // between what is carried, with act 0, and what is carried on
};

[[nodiscard]] Passage start_of(const System& system);
// By state, then by move; those that fail come first.
[[nodiscard]] std::vector<Transition> transitions_of(const System& system);

// What is carried at the beginning of a step: unknown, or a number for what never changes.
[[nodiscard]] std::vector<Term> carried(const System& system);

// "bump after walkF of r0 in A", or "r0 in A".
[[nodiscard]] std::string title_of(const System& system, const Transition& transition);

}  // namespace poise::verify
