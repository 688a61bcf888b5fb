#pragma once

// A path as requirements: step by step, each value of each variable at each moment an
// unknown. Whoever follows paths depth first pushes before a step and pops behind it.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "poise/verify/result.h"
#include "poise/verify/solver/requirements.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

class Unrolled {
 public:
  enum class From {
    Start,
    Anywhere,  // with any values
  };
  // Requires what holds at the start. Both must outlive it.
  Unrolled(const System& system, Requirements& requirements, From from = From::Start);

  void push();
  void pop();

  // The next step: everything is read, and the move is the one that is made.
  void sense(model::StateId state, const Move& move);
  void run(const Act& act);
  // On the actual values now; what comes from elsewhere, on those that actions work on.
  void require(const Case& one, smt::Polarity truth);
  void require(const smt::Conditions& conditions, model::FormulaId condition, smt::Polarity truth);

  // What acts work on, by slot.
  [[nodiscard]] std::span<const smt::UnknownId> now() const { return now_; }

  // After a solver has said Yes.
  [[nodiscard]] Trace trace(const smt::Values& values) const;

 private:
  using Unknowns = std::vector<smt::UnknownId>;  // by slot
  struct ActUnknowns {
    const Act* act;
    std::vector<std::pair<model::SlotId, smt::UnknownId>> done;
    Unknowns actual;
    Unknowns read;  // as printed
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
  // What is read of actual values, off by errors; and the other way round.
  [[nodiscard]] Unknowns read_of(const Unknowns& actual);
  [[nodiscard]] Unknowns actual_of(const Unknowns& read);
  void free(model::SlotId slot);

  const System& system_;
  Requirements& requirements_;
  smt::Conditions conditions_;
  // What acts work on: actual values, or, as the paper prints it, what is read.
  Unknowns now_;
  Unknowns actual_;  // the same unless as printed
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
