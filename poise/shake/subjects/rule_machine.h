#pragma once

// A running model of states and rules. Its variant is its state and its own variables.
//
// At each tick the sensed variables get their values from the environment, and rules fire until
// none is satisfied, or until a configuration comes back: then the run ends there
// (docs/language.md, "What happens at run time"). Of several rules that are triggered, of equal
// priority, the first declared fires. Where an action frees a variable, it gets the least value of
// its domain (false, the first member). Changes of sensed variables by actions last until the end
// of the tick, changes of own ones for good.
//
//   RuleMachine machine(model, grid);
//   machine.step(values_of(grid, instance));
//   machine.acted();                          // the rules that fired, in order
//
// It keeps neither model nor grid. Conditions are calculated in doubles, as number.h says. A step
// in which nothing fires looks at the rules of one state, some 10 ns each. To be used by one thread
// at a time.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "poise/model/model.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/fields.h"
#include "poise/shake/subjects/sensor_fault.h"
#include "poise/shake/subjects/stateful.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

class RuleMachine final : public StatefulSubject {
 public:
  // A run within a tick is cut after this many firings, because all its configurations are kept.
  static constexpr std::size_t kMostFirings = 10'000;

  RuleMachine(const model::Model& model, const Grid& grid, const SensorFault& sensors = {});

  // The first is `state`, the others are the own variables.
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] const Variant& variant() const override { return variant_; }
  void reset() override;
  Result<std::span<const double>> step(std::span<const double> context) override;  // never fails
  [[nodiscard]] std::vector<std::string> acted() const override;

  // How the run of the last step ended: no rule is satisfied, a configuration came back
  // (oscillation), or there were too many firings.
  enum class End { Stable, Closed, Cut };
  [[nodiscard]] End end() const { return end_; }

  // Everything that future behaviour depends on: the state and the own variables.
  [[nodiscard]] std::span<const double> state() const override { return {values_.data(), kept_}; }
  void restore(std::span<const double> state) override;

 private:
  // A *place* is an index into values_.
  struct Input {  // from a property to a place
    std::size_t property;
    std::uint32_t to;
    double scale;  // 1 unless the sensor has a fault
    bool boolean;
  };
  struct Atom {
    enum class Kind : std::uint8_t { Compared, Among, Sum, SumAmong };
    Kind kind = Kind::Compared;
    model::Relation relation = model::Relation::Equal;
    std::uint32_t place = 0;    // Compared, Among: of the only number that it reads
    double bound = 0;           // Compared: the constant on the other side
    std::vector<double> among;  // Among, SumAmong: the numbers for which it holds
    struct Term {
      double factor;
      std::vector<std::uint32_t> places;
    };
    std::vector<Term> terms;
    double constant = 0;
    std::vector<std::uint32_t> places;  // Sum, SumAmong: of all numbers that it reads
  };
  struct Formula {
    model::Op op;
    std::uint32_t atom = 0;
    std::vector<std::uint32_t> parts = {};
  };
  struct Effect {  // gives a place a value
    std::uint32_t place;
    double value;
    std::optional<std::uint32_t> unless;  // a place: skipped if it is true
    std::optional<std::uint32_t> guard;   // a place: skipped if it is not true
  };
  struct Rule {
    std::string name;
    std::uint32_t guard;  // a formula
    std::uint32_t to;     // a state
    std::vector<Effect> effects;
  };
  struct Behind {  // a variable that has a value only while another one is true
    std::uint32_t place;
    double least;  // of its domain
  };

  [[nodiscard]] Atom compiled(const model::Atom& atom) const;
  [[nodiscard]] bool holds(const Atom& atom) const;
  [[nodiscard]] bool holds(std::uint32_t formula);
  [[nodiscard]] bool fire();
  [[nodiscard]] bool is_back();
  void set(std::uint32_t place, double value);
  void show_variant();

  std::vector<Field> fields_;
  std::vector<FieldSource> outputs_;  // by field
  std::vector<Input> inputs_;
  std::vector<std::uint32_t> places_;  // by slot
  std::vector<Atom> atoms_;
  std::vector<Formula> formulas_;
  std::vector<Rule> rules_;
  std::vector<std::vector<std::uint32_t>> rules_of_;  // by state: the strongest first
  std::vector<std::vector<Behind>> behind_;           // by place: the variables that it guards
  std::vector<double> initial_;                       // values_ at the beginning of a flow
  std::size_t kept_ = 1;                              // places of the state and own variables

  std::vector<double> values_;  // the state, own variables, sensed ones
  // By formula: its truth, valid if its stamp is the current one. Effects make a new stamp.
  std::vector<std::uint64_t> stamps_;
  std::vector<bool> truths_;
  std::uint64_t stamp_ = 0;
  std::vector<double> seen_;  // the configurations of this tick, one after another
  std::vector<std::uint32_t> fired_;
  Variant variant_;
  End end_ = End::Stable;
};

}  // namespace poise::shake
