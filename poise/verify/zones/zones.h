#pragma once

// Verification by zones: the actual values with which a path can have been followed are a union of
// octagons, and what a move makes of one octagon are octagons again. That is so, and exact, where
//   - guards and failures compare a variable with a number, or two variables with each other
//     without factors (x - y < 3, x + y <= 5): what is sensed off by an error is then a guard on
//     actual values that is wider by the error;
//   - an action gives a variable the value of another one, or its negation, or a number, plus what
//     it does within an error; two variables may move together, as the distance ahead and the
//     distance behind do.
// Whether a model fits is found out here. Where two variables move together that are related to a
// third one, it is found out on the way.

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "poise/verify/system/system.h"
#include "poise/verify/zones/octagon.h"

namespace poise::verify {

using Zones = std::vector<Octagon>;  // what is in any of them

class ZoneSystem {
 public:
  // Or why zones do not fit. The system must outlive it.
  static std::variant<ZoneSystem, std::string> of(const System& system);

  [[nodiscard]] Zones start() const;

  struct Failing {
    std::size_t act;
    model::FailureId failure;
    Zones zones;  // after the act
  };
  struct Outcome {
    std::vector<Failing> failing;  // in the order of acts, then of failures
    Zones after;                   // where nothing failed
    bool exact = true;             // else nothing is known of this move
  };
  [[nodiscard]] Outcome outcome(const Zones& before, model::StateId state, std::size_t move) const;

  [[nodiscard]] const Octagon::Shape& shape() const { return *shape_; }
  // The slot of a dimension, and how many ticks are 1.
  [[nodiscard]] const std::vector<model::SlotId>& dimensions() const { return dimensions_; }
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
  // One way in which an act can go.
  struct Change {
    Constraints before;
    std::vector<Octagon::Source> sources;
    std::vector<std::uint32_t> zeros;  // are 0 before they are shifted
    std::vector<Shift> shifts;
    std::vector<Together> together;
    // Between values before and after, the latter numbered behind the former: what is neither of
    // the above, and takes longer.
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
    std::vector<Constraints> safe;  // empty if there is nothing to fail
  };
  struct CompiledMove {
    std::vector<Constraints> guard;
    std::vector<CompiledAct> acts;
  };

  static void restrict(const Zones& zones, const std::vector<Constraints>& to, Zones& result);
  [[nodiscard]] Octagon related(const Octagon& zone, const Change& change) const;
  [[nodiscard]] Zones renewed(Zones zones) const;
  bool change(const Zones& before, const CompiledAct& act, Zones& result) const;

  std::shared_ptr<const Octagon::Shape> shape_;
  std::shared_ptr<const Octagon::Shape> twice_;  // values before and after
  std::vector<model::SlotId> dimensions_;
  std::vector<Constraints> start_;
  std::vector<std::uint32_t> renewed_;  // dimensions that take any value before each step
  Constraints renewed_domains_;
  std::vector<std::vector<CompiledMove>> moves_;  // by state
};

// Without what is inside of others, in an order that depends only on what they are.
void tidy(Zones& zones);

}  // namespace poise::verify
