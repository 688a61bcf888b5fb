#pragma once

// A policy, compiled to instructions for a register machine: machine.h executes it. Everything that
// a tick looks at or changes is a number in one row of registers,
//
//   state (own variables, cooldowns, history) | utilities | sensed slots | constants | the rest,
//
// so that the state of a policy can be copied out and put back as a block.
//
// *When* something is read matters, because options act one after another. Preferences read the
// values at the start of a tick. Option i reads when its turn comes. History is kept at the end of
// the tick, after all options, whether or not one of them acted; whoever asks about it adds the
// value as it is by then. An expression of sensed values and utilities only is the same during the
// whole tick and is calculated once, at the start. Equal expressions that are read at the same time
// are calculated once. Equal history is kept once, whoever asks.
//
// History is kept only as far as it can matter, so that states that behave alike are equal:
//   Held          for how many ticks it held, at most as many as are asked for
//   Previous      the number
//   Rate          the numbers at the ticks back to the one that it looks at, latest first
//   MaximumOver   for each age below the window: the greatest number since then (a smaller number
//                 before a greater one will never matter); MinimumOver likewise
//   MeanOver      the numbers in the window, latest first
//   cooldown      how many ticks are left
// "No value" is kept as +infinity, ticks before the first one as -infinity (MinimumOver has
// +infinity, MaximumOver -infinity for both). No register of the state is ever NaN or -0.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "poise/model/model.h"
#include "poise/shake/subjects/fuzzy.h"
#include "poise/shake/subjects/sensor_fault.h"

namespace poise::shake {

using Register = std::uint32_t;

// Longer windows are cut to this many ticks, because each tick of a window takes memory.
inline constexpr std::uint32_t kMostTicks = 100'000;

// What an instruction calculates from a, b and c into `to`. They are registers unless a comment
// says otherwise. Truths are numbers from 0 to 1 and never NaN.
enum class Code : std::uint8_t {
  Add,
  Multiply,
  Divide,
  Negate,
  Minimum,  // NaN if one is
  Maximum,
  Absolute,
  Ceiling,
  Floor,
  Round,
  NearCeiling,  // Near...: for calculated numbers, up to rounding (number.h)
  NearFloor,
  NearRound,
  Select,  // a != 0 ? b : c
  Not,
  And,  // two truths
  Or,
  Truth,  // of a boolean that may have no value: then false
  Clear,  // of a degree: true from 0.5 on
  Equal,
  NotEqual,
  Less,
  LessEqual,
  NearEqual,
  NearNotEqual,
  NearLess,
  NearLessEqual,
  Degree,       // of a; b is a number of a trapezoid
  TableDegree,  // of a; b is a number of a table
  // History of a, which is the present value. b is the first register of what was kept; c is how
  // many ticks before this one count: for Held a register, else the number itself.
  Held,
  Rate,
  MaximumOver,
  MinimumOver,
  MeanOver,
  Previous,
  // Adds a to what is kept; b and c as above.
  Keep,  // of Rate, MeanOver and Previous
  KeepHeld,
  KeepMaximum,
  KeepMinimum,
};

struct Instruction {
  Code code = Code::Add;
  Register to = 0;
  Register a = 0;
  Register b = 0;
  Register c = 0;
};

using Block = std::vector<Instruction>;

struct CompiledPolicy {
  struct Cell {  // a degree that is calculated at the start of a tick
    Trapezoid shape;
    Register number;
    Register to;
  };
  struct Assignment {
    enum class Kind : std::uint8_t { Boolean, Symbol, Whole, Real };  // Whole: to be rounded
    Block code;                                                       // calculates `value`
    Register value = 0;
    Register target = 0;
    Kind kind = Kind::Real;
    double low = 0;  // of the variable's range
    double high = 0;
    std::uint32_t slot = 0;  // of the model; `target` is its register
  };
  struct Option {
    std::string name;
    Block asked;                        // calculates the condition, unless the option cools down
    std::optional<Register> condition;  // none: always true
    double cooldown = 0;                // in ticks; 0 if it makes no difference
    Register cooling = 0;               // the ticks left of a cooldown
    std::vector<Assignment> assignments;
    Scale scale;
    std::vector<Vote> votes;
  };

  std::vector<double> registers;  // their values at the beginning of a flow
  std::size_t state = 0;          // how many registers, the first ones, are the state
  std::size_t utilities = 0;      // where utilities begin; one for each option
  std::vector<Register> slots;    // by slot of the model
  std::vector<Trapezoid> trapezoids;
  std::vector<std::vector<double>> tables;
  double tick = 1;  // seconds
  std::vector<Cell> cells;
  std::vector<Register> preferences;  // by preference: the degree to which its condition holds
  Block start;                        // at the start of a tick, after `cells`
  Block ready;                        // once utilities are known
  std::vector<Option> options;
  Block end;                 // after all options: what history keeps
  Block keep;                // then keeps it
  bool has_history = false;  // the state has history or cooldowns, not only own variables
};

[[nodiscard]] CompiledPolicy program_of(const model::Model& model, const TermFault& terms = {});

}  // namespace poise::shake
