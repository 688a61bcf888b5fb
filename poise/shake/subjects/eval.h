#pragma once

// The plain meaning of policies (model/policy.h): expressions are evaluated by recursion, and
// history by looking back in a record of all earlier ticks. Slow and obvious. It judges
// expectations, and tests compare the compiled machine with it (reference.h).
//
// *When* a value is read matters, because options run one after the other. A tick has moments: 0 is
// before the first option, i is before option i, and the last one is after all options. Preferences
// are evaluated at moment 0, what option i reads at moment i (its second assignment sees the effect
// of the first), expectations at the last moment. History looks at the present moment, and at the
// last moment of earlier ticks: what was in between is nobody's business but that tick's.
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
// Rounding. Numbers whose difference rounding may account for are equal, and a number that near to
// a whole one is that one.
//
//   const Evaluator evaluator(model);
//   evaluator.holds(record, expr, {.tick = 17})

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "poise/model/model.h"

namespace poise::shake {

[[nodiscard]] double number_of(const Rational& number);  // the nearest double, or one beside it
[[nodiscard]] double rounded(double number);  // halves, and numbers near them, go away from 0

// The degree to which a number fits the shape, 0 to 1; 0 for NaN.
[[nodiscard]] double degree(const model::Shape& shape, double number);

// The number that stands for a term in a weighted average of utilities: the middle of where its
// degree is 1 (of a table: of where it is greatest).
[[nodiscard]] double middle(const model::Shape& shape);

// The values of all slots at every moment of every tick, and the utilities of all options.
class Record {
 public:
  Record(std::size_t slots, std::size_t moments, std::size_t options)
      : slots_(slots), moments_(moments), options_(options) {}

  void clear();
  // Adds a tick. At all of its moments slots have the given values, and utilities are 0.
  void add_tick(std::span<const double> slots);
  // Sets a slot from this moment of the last tick on.
  void set(std::size_t moment, model::SlotId slot, double value);
  void set_utility(model::OptionId option, double utility);

  [[nodiscard]] std::size_t ticks() const { return ticks_; }
  [[nodiscard]] std::size_t last_moment() const { return moments_ - 1; }
  [[nodiscard]] double slot(std::size_t tick, std::size_t moment, model::SlotId slot) const {
    return values_[(tick * moments_ + moment) * slots_ + slot.index];
  }
  [[nodiscard]] std::span<const double> slots(std::size_t tick, std::size_t moment) const {
    return {values_.data() + (tick * moments_ + moment) * slots_, slots_};
  }
  [[nodiscard]] double utility(std::size_t tick, model::OptionId option) const {
    return utilities_[tick * options_ + option.index];
  }

  // The value of an expression at the end of a tick that is over, for the evaluator to remember.
  static constexpr double kNotAsked = std::numeric_limits<double>::infinity();
  [[nodiscard]] double& at_end(std::size_t tick, model::PolicyExprId expr) const;

 private:
  std::size_t slots_;
  std::size_t moments_;
  std::size_t options_;
  std::size_t ticks_ = 0;
  std::vector<double> values_;
  std::vector<double> utilities_;
  mutable std::vector<std::vector<double>> ends_;  // by expression and tick: at_end()
};

// When, and for which option, an expression is evaluated.
struct Place {
  std::size_t tick = 0;
  std::size_t moment = 0;
  std::optional<model::OptionId> option = {};  // `utility` means its utility
};

enum class Logic {
  Crisp,  // truths are 0 or 1
  Fuzzy,  // truths are degrees from 0 to 1: conditions of preferences
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
  // As value(), but slots are read from `now` in place of the record's present moment.
  [[nodiscard]] double value_with(const Record& record, model::PolicyExprId expr,
                                  const Place& place, std::span<const double> now) const;

  // How many ticks a duration takes, rounded up.
  [[nodiscard]] std::size_t ticks_in(const Rational& seconds) const;

 private:
  struct Reading;  // a record and a place in it
  [[nodiscard]] double evaluated(const Reading& reading, model::PolicyExprId expr,
                                 Logic logic) const;
  [[nodiscard]] double truth(const Reading& reading, model::PolicyExprId expr, Logic logic) const;
  [[nodiscard]] double ago(const Reading& reading, model::PolicyExprId expr, std::size_t ticks,
                           Logic logic = Logic::Crisp) const;
  [[nodiscard]] double history(const Reading& reading, const model::PolicyExpr& expr,
                               std::size_t index, Logic logic) const;

  const model::Model& model_;
  double tick_ = 1;                // seconds
  std::vector<double> numbers_;    // by expression: its number as a double
  std::vector<std::size_t> back_;  // by expression: its duration in ticks
};

// The slots of the variant, as declared: field i of a policy's variant is the i-th of them.
[[nodiscard]] std::vector<model::SlotId> variant_slots(const model::Model& model);

// Translate a slot's number to a field's and back. Only members of enumerations differ: in a slot
// they are numbers of symbols, in a field places among the declared members.
[[nodiscard]] double field_value(const model::Model& model, model::SlotId slot, double value);
[[nodiscard]] double slot_value(const model::Model& model, model::SlotId slot, double field);

}  // namespace poise::shake
