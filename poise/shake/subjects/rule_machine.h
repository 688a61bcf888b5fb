#pragma once

// A model of states and rules that runs: its variant is its state, and with it its own variables.
//
// At each tick the sensed variables get what the environment says, and rules fire until none is
// satisfied, or until a configuration comes back: then it stays there (docs/language.md, "What
// happens at run time"). Of several rules that are triggered the first declared fires; where an
// action frees a variable, it gets the least value of its domain (false, the first member). What
// actions do to sensed variables lasts until the end of the tick, what they do to own ones for
// good.
//
//   RuleMachine machine(model, grid);
//   machine.step(values_of(grid, instance));
//   machine.acted();                          // the rules that fired, in order
//
// It keeps neither model nor grid. Conditions are calculated in doubles, as number.h says. A step
// without a firing looks at the rules of one state: some 10 ns each. One thread at a time.

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
  // A run of more firings is cut: its configurations are too many to keep.
  static constexpr std::size_t kMostFirings = 10'000;

  RuleMachine(const model::Model& model, const Grid& grid, const SensorFault& sensors = {});

  // The first is `state`, the others are the own variables.
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] const Variant& variant() const override { return variant_; }
  void reset() override;
  Result<std::span<const double>> step(std::span<const double> context) override;  // never fails
  [[nodiscard]] std::vector<std::string> acted() const override;

  enum class End { Stable, Closed, Cut };
  [[nodiscard]] End end() const { return end_; }  // of the last step's run

  // Everything that decides about what comes: the state, and the own variables. There are finitely
  // many. See PolicyMachine.
  [[nodiscard]] std::span<const double> state() const override { return {values_.data(), kept_}; }
  void restore(std::span<const double> state) override;

 private:
  struct Input {
    std::size_t property;
    std::uint32_t to;
    double scale;
    bool boolean;
  };
  struct Atom {
    enum class Kind : std::uint8_t { Compared, Among, Sum, SumAmong };
    Kind kind = Kind::Compared;
    model::Relation relation = model::Relation::Equal;
    std::uint32_t place = 0;  // Compared, Among: of the only number it reads
    double bound = 0;         // Compared: with this
    std::vector<double> among;
    struct Term {
      double factor;
      std::vector<std::uint32_t> places;
    };
    std::vector<Term> terms;
    double constant = 0;
    std::vector<std::uint32_t> places;  // Sum: all that it reads
  };
  struct Formula {
    model::Op op;
    std::uint32_t atom = 0;
    std::vector<std::uint32_t> parts = {};
  };
  struct Effect {
    std::uint32_t place;
    double value;
    std::optional<std::uint32_t> unless;  // skipped where this holds
    std::optional<std::uint32_t> guard;   // skipped where this does not hold
  };
  struct Rule {
    std::string name;
    std::uint32_t guard;  // a formula
    std::uint32_t to;
    std::vector<Effect> effects;
  };
  struct Behind {  // a guard
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
  std::vector<std::vector<Behind>> behind_;           // by place
  std::vector<double> initial_;
  std::size_t kept_ = 1;

  std::vector<double> values_;  // the state, own variables, sensed ones
  // The truth of formulas in the present context; of another one if the stamp is older.
  std::vector<std::uint64_t> stamps_;
  std::vector<bool> truths_;
  std::uint64_t stamp_ = 0;
  std::vector<double> seen_;  // the configurations of this tick, one behind the other
  std::vector<std::uint32_t> fired_;
  Variant variant_;
  End end_ = End::Stable;
};

}  // namespace poise::shake
