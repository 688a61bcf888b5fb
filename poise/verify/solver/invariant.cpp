#include "poise/verify/solver/invariant.h"

#include <algorithm>

#include "poise/model/polynomial.h"
#include "poise/verify/solver/unrolled.h"

namespace poise::verify {

using model::Atom;
using model::FormulaId;
using model::Op;
using model::Relation;
using model::SlotId;

namespace {

// x_sign * x + y_sign * y <= most, of slots.
Atom atom_of(const ZoneSystem& zones, const Octagon::Constraint& constraint) {
  const SlotId x = zones.dimensions()[constraint.x];
  Atom atom;
  atom.slots = {x};
  atom.value = model::scaled(model::slot_value(x), Rational(constraint.x_sign));
  if (constraint.y_sign != 0) {
    const SlotId y = zones.dimensions()[constraint.y];
    atom.slots.push_back(y);
    std::ranges::sort(atom.slots);
    atom.value =
        model::sum(atom.value, model::scaled(model::slot_value(y), Rational(constraint.y_sign)));
  }
  atom.value =
      model::sum(atom.value, model::constant(-(ticks(constraint.most) / Rational(zones.ticks()))));
  atom.relation = constraint.most.strict ? Relation::Less : Relation::LessEqual;
  return atom;
}

// None if the requirements cannot be satisfied; the words if they can; else why that is not known.
std::optional<std::string> unless_refuted(smt::Solver& solver, std::string words) {
  switch (solver.check()) {
    case smt::Answer::No: return std::nullopt;
    case smt::Answer::Yes: return words;
    case smt::Answer::Unknown: break;
  }
  return std::string(solver.why());
}

}  // namespace

Invariants invariants(const System&, const ZoneSystem& zones, const std::vector<Zones>& by_state) {
  Invariants result;
  for (const Zones& state : by_state) {
    model::Formula any{Op::Or, {}, {}};
    for (const Octagon& zone : state) {
      model::Formula all{Op::And, {}, {}};
      for (const Octagon::Constraint& constraint : zone.constraints()) {
        all.parts.push_back(
            result.formulas.add({Op::Atom, result.atoms.add(atom_of(zones, constraint)), {}}));
      }
      any.parts.push_back(result.formulas.add(std::move(all)));
    }
    result.by_state.push_back(result.formulas.add(std::move(any)));
  }
  return result;
}

std::optional<std::string> objection(const System& system, const Invariants& invariants,
                                     Watchdog* watchdog) {
  const smt::Conditions conditions{invariants.atoms, invariants.formulas};
  const model::Model& model = *system.model;
  {
    smt::Solver solver({.watchdog = watchdog});
    OfSolver requirements(solver);
    Unrolled start(system, requirements);
    start.require(conditions, invariants.by_state[model.initial.index], smt::Polarity::Fails);
    if (auto why = unless_refuted(solver, "it need not hold at the start")) return why;
  }
  for (const model::StateId state : model.states.ids()) {
    smt::Solver solver({.watchdog = watchdog});
    OfSolver requirements(solver);
    Unrolled step(system, requirements, Unrolled::From::Anywhere);
    step.require(conditions, invariants.by_state[state.index], smt::Polarity::Holds);
    for (const Move& move : system.moves[state.index]) {
      step.push();
      step.sense(state, move);
      const std::string& rule = model.rules[move.rule].name;
      for (const Act& act : move.acts) {
        step.run(act);
        for (const Case& one : act.cases) {
          step.push();
          step.require(one, smt::Polarity::Holds);
          if (auto why = unless_refuted(solver, rule + " may fail")) return why;
          step.pop();
        }
        for (const Case& one : act.cases) step.require(one, smt::Polarity::Fails);
      }
      step.require(conditions, invariants.by_state[move.to.index], smt::Polarity::Fails);
      if (auto why = unless_refuted(solver, rule + " may leave it")) return why;
      step.pop();
    }
  }
  return std::nullopt;
}

}  // namespace poise::verify
