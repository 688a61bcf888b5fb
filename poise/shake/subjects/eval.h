#pragma once

// The plain meaning of policies (model/policy.h): expressions are evaluated by recursion, and
// history by looking back in a record of everything that was. Slow and obvious; it judges
// expectations, and (reference.h) the compiled machine is held to it in tests.
//
// *When* a value is read matters, because options run one after the other. A tick has moments: 0 is
// before the first option, i is before option i, and the last one is after all options. What
// preferences ask is asked at moment 0, what option i asks at moment i (the second of its
// assignments sees what the first has done, but history is told once, before the first), what
// expectations ask at the last. History looks at the same moment of earlier ticks.
//
// Time. Tick t is at t * tick seconds. `held D` holds where the condition holds now and did at
// every tick not more than D ago, and the run is at least that old: with a tick of 1 s, `held 10s`
// holds for the first time at the eleventh tick. `over D` is about the ticks less than D ago. `rate
// over D` looks back to the latest tick that is D ago or more, or else to the first one. A cooldown
// of D ends D after the option acted.
//
// No value. Arithmetic with no value has none; a comparison with it, `is` of it and a boolean slot
// without value are false. `over` leaves out ticks without value; assigning it changes nothing.
//
// Rounding. Numbers that differ by no more than rounding may have done are equal, and near a whole
// number is that number.
//
//   const Evaluator evaluator(model);
//   evaluator.holds(record, expr, {.tick = 17})

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "poise/model/model.h"

namespace poise::shake {

[[nodiscard]] double number_of(const Rational& number);  // the nearest, or the one beside it
[[nodiscard]] double rounded(double number);  // halves away from 0, near misses taken for them

// How far a number is what the shape says; 0 for NaN.
[[nodiscard]] double degree(const model::Shape& shape, double number);

// The number that stands for a term where utilities are added up: the middle of where it is 1 (of a
// table: of where it is greatest).
[[nodiscard]] double middle(const model::Shape& shape);

// The values of all slots at every moment of every tick, and the utilities of all options.
class Record {
 public:
  Record(std::size_t slots, std::size_t moments, std::size_t options)
      : slots_(slots), moments_(moments), options_(options) {}

  void clear();
  // A new tick: at all of its moments slots are as given, utilities are 0.
  void add_tick(std::span<const double> slots);
  // From this moment of the last tick on.
  void set(std::size_t moment, model::SlotId slot, double value);
  void set_utility(model::OptionId option, double utility);

  [[nodiscard]] std::size_t ticks() const { return ticks_; }
  [[nodiscard]] double slot(std::size_t tick, std::size_t moment, model::SlotId slot) const {
    return values_[(tick * moments_ + moment) * slots_ + slot.index];
  }
  [[nodiscard]] std::span<const double> slots(std::size_t tick, std::size_t moment) const {
    return {values_.data() + (tick * moments_ + moment) * slots_, slots_};
  }
  [[nodiscard]] double utility(std::size_t tick, model::OptionId option) const {
    return utilities_[tick * options_ + option.index];
  }

 private:
  std::size_t slots_;
  std::size_t moments_;
  std::size_t options_;
  std::size_t ticks_ = 0;
  std::vector<double> values_;
  std::vector<double> utilities_;
};

// When, and for whom, an expression is evaluated.
struct Place {
  std::size_t tick = 0;
  std::size_t moment = 0;
  std::optional<model::OptionId> option = {};  // whose utility `utility` is
};

enum class Logic {
  Crisp,  // truths are 0 or 1
  Fuzzy,  // degrees of truth: preferences
};

// Keeps a reference to the model.
class Evaluator {
 public:
  explicit Evaluator(const model::Model& model);

  // NaN for no value.
  [[nodiscard]] double value(const Record& record, model::PolicyExprId expr, const Place& place,
                             Logic logic = Logic::Crisp) const;
  [[nodiscard]] bool holds(const Record& record, model::PolicyExprId expr,
                           const Place& place) const;
  // As value(), but slots outside of history are read from here.
  [[nodiscard]] double value_with(const Record& record, model::PolicyExprId expr,
                                  const Place& place, std::span<const double> now) const;

  // Ticks that make up so much time, rounded up.
  [[nodiscard]] std::size_t ticks_in(const Rational& seconds) const;

 private:
  struct Reading;  // where slots are read from
  [[nodiscard]] double evaluated(const Reading& reading, model::PolicyExprId expr,
                                 Logic logic) const;
  [[nodiscard]] double truth(const Reading& reading, model::PolicyExprId expr, Logic logic) const;
  [[nodiscard]] double history(const Reading& reading, const model::PolicyExpr& expr,
                               std::size_t index, Logic logic) const;

  const model::Model& model_;
  double tick_ = 1;                // seconds
  std::vector<double> numbers_;    // by expression
  std::vector<std::size_t> back_;  // by expression: ticks_in its seconds
};

// The slots of the variant, in the order of their declaration: field i of a policy's variant is the
// i-th of them.
[[nodiscard]] std::vector<model::SlotId> variant_slots(const model::Model& model);

// What a slot's number is as a field, and the other way round: members of an enumeration are
// numbers of symbols in one and places among the declared ones in the other.
[[nodiscard]] double field_value(const model::Model& model, model::SlotId slot, double value);
[[nodiscard]] double slot_value(const model::Model& model, model::SlotId slot, double field);

}  // namespace poise::shake
