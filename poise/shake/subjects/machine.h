#pragma once

// A running policy (model/policy.h): the subject in most uses.
//
//   PolicyMachine machine(model, grid);
//   machine.reset();
//   for (const Instance& instance : flow) machine.step(values_of(grid, instance));
//
// The constructor compiles the policy (compiled_policy.h; 30 us for the paper's web server) and
// keeps neither model nor grid. A step allocates nothing; for the paper's web server (22
// preferences, 6 options) it takes about 130 ns, with contexts that change all the time. To be used
// by one thread at a time.
//
// Values. A step calculates in doubles; calculated numbers are compared as number.h says. "No
// value" is NaN, and a calculation with it has no value, min and max included. A number that is
// assigned is clamped to the bounds of its variable, and out_of_bounds() reports it; a whole
// variable gets the nearest whole number, halves away from 0. Assigning no value changes nothing.
//
// Time. Tick t is at t * tick seconds. `held D` is true if the condition has been true at all ticks
// from D ago up to now: with a tick of 1 s, `held 10s` is true for the first time at the eleventh
// tick. `over D` means the ticks less than D ago that have a value. `rate over D` looks back to the
// latest tick that is D ago or more, else to the first one; at the first tick it is 0. An option
// with `cooldown D` can act again D after it acted. For the moment within a tick at which something
// is read see compiled_policy.h.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "poise/model/model.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/compiled_policy.h"
#include "poise/shake/subjects/fields.h"
#include "poise/shake/subjects/sensor_fault.h"
#include "poise/shake/subjects/stateful.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

class PolicyMachine final : public StatefulSubject {
 public:
  // Faults of the sensor and of the fuzzy engine, if any, become part of the subject
  // (sensor_fault.h).
  PolicyMachine(const model::Model& model, const Grid& grid, const SensorFault& sensors = {},
                const TermFault& terms = {});

  // The variants in the order of their declaration; of a set, one boolean for each member, called
  // `set has member`.
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] const Variant& variant() const override { return variant_; }
  void reset() override;
  Result<std::span<const double>> step(std::span<const double> context) override;  // never fails
  [[nodiscard]] std::vector<std::string> acted() const override;

  // By option: how useful it was in the last step.
  [[nodiscard]] std::span<const double> utilities() const {
    return {registers_.data() + program_.utilities, program_.options.size()};
  }
  [[nodiscard]] std::size_t preferences() const { return program_.preferences.size(); }
  // How far the condition of a preference held in the last step, 0 to 1; by its number.
  [[nodiscard]] double degree(std::size_t preference) const {
    return registers_[program_.preferences[preference]];
  }
  // The options that acted in the last step, in order.
  [[nodiscard]] std::span<const std::uint32_t> acted_options() const { return acted_; }
  // The first field that was assigned a number outside of its bounds in the last step.
  [[nodiscard]] std::optional<std::size_t> out_of_bounds() const { return out_of_bounds_; }

  // ---- States ----
  //
  // Everything that future behaviour depends on: own variables, cooldowns, history. Equal states
  // (as numbers, or byte for byte) behave alike. restore() takes a state of any machine of the same
  // policy, with or without faults; variant() is then as it was, and acted() is empty.
  [[nodiscard]] std::span<const double> state() const override {
    return {registers_.data(), program_.state};
  }
  void restore(std::span<const double> state) override;
  // Whether there are finitely many states (finite_states.h).
  [[nodiscard]] bool is_finite() const { return is_finite_; }
  // Whether the state has cooldowns or history, not only own variables.
  [[nodiscard]] bool has_history() const { return program_.has_history; }

 private:
  struct Input {  // from a property to a register
    std::size_t property;
    Register to;
    double scale;  // 1 unless the sensor has a fault
    bool boolean;
  };

  void run(const Block& block);
  void assign(const CompiledPolicy::Assignment& assignment);
  void show_variant();

  CompiledPolicy program_;
  bool is_finite_;
  std::vector<Field> fields_;
  std::vector<Input> inputs_;
  std::vector<FieldSource> outputs_;                  // by field
  std::vector<std::optional<std::size_t>> field_of_;  // by slot
  std::vector<double> registers_;
  Variant variant_;
  std::vector<std::uint32_t> acted_;
  std::optional<std::size_t> out_of_bounds_;
};

}  // namespace poise::shake
