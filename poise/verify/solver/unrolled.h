#pragma once

// A path as requirements for a solver, step by step (bounded model checking): every variable has a
// new unknown at every moment at which its value may change. A depth-first search calls push()
// before a step and pop() after it.

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "poise/verify/result.h"
#include "poise/verify/solver/requirements.h"
#include "poise/verify/system/paths.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

class Unrolled {
 public:
  enum class From {
    Start,     // the values satisfy the declarations, constraints and start conditions
    Anywhere,  // slots that can change have any values
  };
  // Adds the requirements on the first values. Both must outlive it.
  Unrolled(const System& system, Requirements& requirements, From from = From::Start);

  void push();
  void pop();

  // Begins a step: the constraints hold and all variables are sensed. A guard holds on that, or
  // not.
  void look();
  void require_guard(model::FormulaId guard, smt::Polarity truth);
  // look(), and the move is triggered.
  void sense(model::StateId state, const Move& move);
  void run(const Act& act);
  // That a failure happens on the present actual values, or does not.
  void require(const Case& one, smt::Polarity truth);
  // A condition on now().
  void require(const smt::Conditions& conditions, model::FormulaId condition, smt::Polarity truth);

  // Takes the whole path: each move fires, nothing fails before the last act, and that one does.
  // `moment` is called after each sensing and each act.
  void take(const FailingPath& failing, const std::function<void()>& moment = {});

  // The present values that acts work on, by slot: actual ones or, in the mode AsPrinted, sensed
  // ones.
  [[nodiscard]] std::span<const smt::UnknownId> now() const { return now_; }

  // The run that the solver's values stand for.
  [[nodiscard]] Trace trace(const smt::Values& values) const;

 private:
  using Unknowns = std::vector<smt::UnknownId>;  // by slot
  struct ActUnknowns {
    const Act* act;
    std::vector<std::pair<model::SlotId, smt::UnknownId>> done;
    Unknowns actual;
    Unknowns read;  // only AsPrinted
  };
  struct StepUnknowns {
    model::StateId from;
    model::RuleId rule;
    Unknowns actual;
    Unknowns sensed;
    std::vector<ActUnknowns> acts;
  };

  [[nodiscard]] bool as_printed() const { return system_.mode == Mode::AsPrinted; }
  smt::UnknownId unknown(model::SlotId slot, std::string_view what);
  void require_domain(smt::UnknownId unknown, model::SlotId slot);
  void require_equal(smt::UnknownId unknown, const Rational& value);
  // New unknowns for readings of actual values, off by errors; and the other way round.
  [[nodiscard]] Unknowns read_of(const Unknowns& actual);
  [[nodiscard]] Unknowns actual_of(const Unknowns& read);
  void free(model::SlotId slot);

  const System& system_;
  Requirements& requirements_;
  smt::Conditions conditions_;
  Unknowns now_;
  Unknowns actual_;  // the same as now_ unless AsPrinted
  Unknowns read_;    // after look()
  std::vector<StepUnknowns> steps_;
  struct Saved {
    Unknowns now;
    Unknowns actual;
    std::size_t steps;
    std::size_t acts;  // of the last step
  };
  std::vector<Saved> saved_;
};

}  // namespace poise::verify
