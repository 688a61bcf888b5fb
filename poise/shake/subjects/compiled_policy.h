#pragma once

// A policy as a program for a machine of registers: what machine.h executes. Everything that a tick
// looks at or changes is a number in one row of registers,
//
//   state (own variables, cooldowns, history) | utilities | sensed slots | constants | the rest,
//
// so that the state of a policy can be taken out and put back as it lies there.
//
// *When* something is read matters, because options act one after another. Preferences read what is
// there at the start of a tick. What option i asks, it asks when its turn comes; history is told
// then, once a tick, before its first assignment and whether or not the option acts. What depends
// on sensed values and utilities only is the same all the time: it is calculated once, at the
// start. Expressions that are equal, and read at the same time, are calculated once; so equal
// history is kept once.
//
// History is kept as far as it can matter, so that states that behave alike are equal:
//   Held          for how many ticks, at most one more than are asked for
//   Previous      the number
//   Rate          the numbers at ticks up to the one that it looks back to, latest first
//   MaximumOver   for each age below the window: the greatest since then (a smaller one before a
//                 greater one will never matter); MinimumOver likewise
//   MeanOver      the numbers in the window, latest first
//   cooldown      how many ticks are left
// Where there is no number +infinity stands; before the first tick -infinity. No register of the
// state is ever NaN or -0.

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

// Windows of more ticks than these are cut to them: what is kept has to be kept somewhere.
inline constexpr std::uint32_t kMostTicks = 100'000;

// `to` becomes what is said of a, b and c, which are registers unless it says otherwise. Truths are
// numbers from 0 to 1 and never NaN.
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
  NearCeiling,  // of calculated numbers: number.h
  NearFloor,
  NearRound,
  Select,  // a != 0 ? b : c
  Not,
  And,  // two truths
  Or,
  Truth,  // of a boolean that may have no value
  Clear,  // from 0.5 on it is 1, else 0
  Equal,
  NotEqual,
  Less,
  LessEqual,
  NearEqual,
  NearNotEqual,
  NearLess,
  NearLessEqual,
  Degree,       // of a, by trapezoid b
  TableDegree,  // of a, by table b
  Held,         // a; b: its state; c: how many ticks before this one
  Rate,         // likewise
  MaximumOver,  // a; b: its state; c: how many ticks before this one
  MinimumOver,
  MeanOver,
  Previous,
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
  struct Cell {  // a degree that is asked for at the start
    Trapezoid shape;
    Register number;
    Register to;
  };
  struct Assignment {
    enum class Kind : std::uint8_t { Boolean, Symbol, Whole, Real };  // Whole: to be rounded
    Block code;
    Register value = 0;
    Register target = 0;
    Kind kind = Kind::Real;
    double low = 0;
    double high = 0;
    std::uint32_t slot = 0;
  };
  struct Option {
    std::string name;
    Block told;  // history, every tick
    Block asked;
    std::optional<Register> condition;
    double cooldown = 0;  // ticks; 0 if it makes no difference
    Register cooling = 0;
    std::vector<Assignment> assignments;
    Scale scale;
    std::vector<Vote> votes;
  };

  std::vector<double> registers;  // as at the beginning of a flow
  std::size_t state = 0;          // how many of them, the first ones
  std::size_t utilities = 0;      // where they begin; one for each option
  std::vector<Register> slots;    // by slot of the model
  std::vector<Trapezoid> trapezoids;
  std::vector<std::vector<double>> tables;
  double tick = 1;
  std::vector<Cell> cells;
  std::vector<Register> preferences;  // how far their conditions hold, from the start of a tick on
  Block start;
  Block ready;  // once the utilities are known
  std::vector<Option> options;
  bool has_history = false;  // or cooldowns: own variables are not all of the state
};

[[nodiscard]] CompiledPolicy program_of(const model::Model& model, const TermFault& terms = {});

}  // namespace poise::shake
