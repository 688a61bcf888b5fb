#pragma once

// Verification by zones: the actual values that are possible after a path are a union of octagons,
// and a move turns octagons into octagons. A model *fits* if this is exact, that is, if
//   - guards and failures compare a variable with a number, or two variables with each other
//     without factors (x - y < 3, x + y <= 5): a guard on sensed values is then a guard on actual
//     values that is wider by the error;
//   - an action gives a variable the value of another one, or its negation, or a number, plus a
//     distance within an error; two variables may move by the same distance, as the distances ahead
//     and behind do.
// Compilation finds out whether a model fits, with one exception: if two variables move together
// and are related to a third one, outcome() finds out.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "poise/base/budget.h"
#include "poise/verify/system/system.h"
#include "poise/verify/zones/octagon.h"

namespace poise::verify {

using Zones = std::vector<Octagon>;  // their union

// The moves of a system, compiled to operations on octagons.
class ZoneSystem {
 public:
  // The text says why zones do not fit, or which limit was reached.
  static std::variant<ZoneSystem, std::string> of(const System& system, Budget& budget);

  [[nodiscard]] Zones start() const;

  struct Failing {
    std::size_t act;
    model::FailureId failure;
    Zones zones;  // after the act
  };
  struct Outcome {
    std::vector<Failing> failing;  // in the order of acts, then of failures
    Zones after;                   // values after the move, if nothing failed
    bool fires = false;
    std::size_t acts = 0;  // so many of its acts happen, from the first on
    bool exact = true;     // false: zones do not fit, and nothing else here counts
    bool finished = true;  // false: the budget is exhausted, and nothing else here counts
  };
  [[nodiscard]] Outcome outcome(const Zones& before, model::StateId state, std::size_t move,
                                Budget& budget) const;

  // Whether the application looks at its sensors with some of these values; whether a guard then
  // holds on some reading, whatever stronger ones say; whether some values violate a constraint (an
  // index of System::always).
  [[nodiscard]] bool looks(const Zones& before, Budget& budget) const;
  [[nodiscard]] bool holds(const Zones& before, model::StateId state, std::size_t move,
                           Budget& budget) const;
  [[nodiscard]] bool leave(const Zones& after, std::size_t constraint, Budget& budget) const;

  [[nodiscard]] const Octagon::Shape& shape() const { return *shape_; }
  // The slot of each dimension: those that can change.
  [[nodiscard]] const std::vector<model::SlotId>& dimensions() const { return dimensions_; }
  // How many ticks make 1: so many that every number of the model is a whole number of ticks.
  [[nodiscard]] std::int64_t ticks() const { return shape_->unit; }

 private:
  friend class ZoneCompiler;

  using Constraints = std::vector<Octagon::Constraint>;
  struct Together {
    std::vector<Octagon::Moved> moved;
    std::int64_t low;
    std::int64_t high;
  };
  struct Shift {
    std::uint32_t dimension;
    std::int64_t low;
    std::int64_t high;
  };
  // One cube of an act's condition, as operations on octagons.
  struct Change {
    Constraints before;
    std::vector<Octagon::Source> sources;
    std::vector<std::uint32_t> zeros;  // dimensions set to 0 before they are shifted
    std::vector<Shift> shifts;
    std::vector<Together> together;
    // Relations between values before and after that the above cannot express. Dimensions after
    // the act are numbered behind those before it. Needs an octagon over both, which is slow.
    Constraints relation;
    Constraints after;
  };
  struct CompiledAct {
    std::vector<Change> changes;
    struct Fails {
      model::FailureId failure;
      std::vector<Constraints> where;
    };
    std::vector<Fails> failures;
    std::vector<Constraints> safe;  // where nothing fails; empty if there are no failures
  };
  struct CompiledMove {
    std::vector<Constraints> guard;
    std::vector<Constraints> alone;  // the guard without the stronger ones
    std::vector<CompiledAct> acts;
  };

  static void restrict(const Zones& zones, const std::vector<Constraints>& to, Zones& result,
                       Budget& budget);
  [[nodiscard]] Octagon related(const Octagon& zone, const Change& change) const;
  [[nodiscard]] Zones renewed(Zones zones) const;
  // The values with which a step begins: what streams say is new, and the constraints hold.
  [[nodiscard]] Zones about_to_look(const Zones& before, Budget& budget) const;
  bool change(const Zones& before, const CompiledAct& act, Zones& result, Budget& budget) const;

  std::shared_ptr<const Octagon::Shape> shape_;
  std::shared_ptr<const Octagon::Shape> twice_;  // for octagons over values before and after
  std::vector<model::SlotId> dimensions_;
  std::vector<Constraints> start_;
  std::optional<std::vector<Constraints>> always_;  // before each step, if there are constraints
  std::vector<std::vector<Constraints>> violated_;  // by constraint; empty if AsPrinted
  std::vector<std::uint32_t> renewed_;  // dimensions that take any value before each step
  Constraints renewed_domains_;
  std::vector<std::vector<CompiledMove>> moves_;  // by state
};

// Drops octagons that others include, and sorts the rest by hash, so that equal sets of octagons
// are equal vectors. If the budget is exhausted, it leaves off.
void tidy(Zones& zones, Budget& budget);
// Only the second.
void sort_by_hash(Zones& zones);

}  // namespace poise::verify
