#pragma once

// Which slots of a system matter for its failures, and what kind of value each has there.
//
// A slot matters if it decides whether something fails, which rule fires where something can fail
// later on, or whether an action can happen; and if a slot that matters gets its value from it. The
// others are left out: whatever they are, the probability of a failure is the same.

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "poise/base/rational.h"
#include "poise/verify/system/cubes.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// What a slot is to a mission.
struct SlotRole {
  enum class Kind {
    Ignored,
    Fixed,   // never changes: a number
    Choice,  // one of few values, which are told apart: booleans, members, what rules assign
    Number,  // has an axis
  };
  Kind kind = Kind::Ignored;
  Rational value = 0;     // Fixed
  std::size_t index = 0;  // of the choice, or the axis
};

struct ChoiceSlot {
  model::SlotId slot;
  std::vector<Rational> values;
};

// A rule fires on a reading in one of `cubes`, and if several could, one of these.
struct Outcome {
  std::vector<std::size_t> moves;  // numbers of moves in the state; none: nothing happens
  std::vector<Cube> cubes;
};

struct ActParts {
  std::vector<Cube> ways;                 // of its condition; one that is empty if it has none
  std::vector<std::vector<Cube>> failed;  // by case
};

struct MissionNumbers {
  std::vector<SlotRole> roles;  // by slot
  std::vector<ChoiceSlot> choices;
  std::vector<model::SlotId> axes;
  std::vector<bool> fails_later;                         // by state
  std::vector<std::vector<Outcome>> outcomes;            // by state; none if nothing fails later
  std::vector<std::vector<std::vector<ActParts>>> acts;  // by state, move and act
  std::vector<std::vector<Cube>> start;                  // by condition of the start
  std::vector<std::vector<Cube>> always;                 // by constraint: before each decision

  // All choices together are one number below combinations().
  [[nodiscard]] std::size_t combinations() const;
  [[nodiscard]] std::size_t digit(std::size_t combination, std::size_t choice) const;
};

// Or why a mission cannot be calculated.
[[nodiscard]] std::variant<MissionNumbers, std::string> mission_numbers(const System& system);

}  // namespace poise::verify
