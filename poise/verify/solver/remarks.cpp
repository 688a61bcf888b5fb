#include "poise/verify/solver/remarks.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "poise/smt/solver.h"
#include "poise/verify/solver/unrolled.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

using model::Model;
using model::SlotId;

namespace {

// For each question to the solver.
constexpr std::chrono::seconds kPatience(1);

class WorldReview {
 public:
  WorldReview(const Model& model, Watchdog* watchdog)
      : model_(model), system_(system_of(model, Mode::Actual)), watchdog_(watchdog) {}

  std::vector<Remark> remarks() {
    read_constraints();
    for (const model::WorldAction& action : model_.world.actions) read(action);
    for (const model::WorldFailure& failure : model_.world.failures) read(failure);
    std::ranges::stable_sort(remarks_, {}, &Remark::at);
    return std::move(remarks_);
  }

 private:
  void read_constraints() {
    if (model_.constraints.empty()) return;
    smt::Solver solver({.time_limit = kPatience, .watchdog = watchdog_});
    OfSolver requirements(solver);
    const Unrolled start(system_, requirements);
    if (solver.check() != smt::Answer::No) return;
    remarks_.push_back({model_.constraints.begin()->at,
                        "no values satisfy the constraints, so nothing ever happens"});
  }

  void read(const model::WorldAction& action) {
    if (!is_impossible(action.condition)) return;
    remarks_.push_back(
        {action.at, fmt::format("no values before and after `{}` satisfy its condition, so it "
                                "never happens",
                                action.name)});
  }

  void read(const model::WorldFailure& failure) {
    for (const model::WorldFailure::Case& one : failure.cases) {
      const std::string& after = model_.world.actions[one.after].name;
      if (!is_done(one.after)) {
        remarks_.push_back({one.at, fmt::format("`{}` is asked for after `{}`, which no rule does",
                                                failure.name, after)});
      } else if (is_impossible(one.condition)) {
        remarks_.push_back({one.at, fmt::format("no values after `{}` satisfy this condition of "
                                                "`{}`",
                                                after, failure.name)});
      }
    }
  }

  [[nodiscard]] bool is_done(model::WorldActionId action) const {
    return std::ranges::any_of(model_.rules, [&](const model::Rule& rule) {
      return std::ranges::find(rule.actions, action, &model::Action::world) != rule.actions.end();
    });
  }

  // Whether no values before and after satisfy a condition of the world. Numbers may be out of
  // their range, but variables that no rule changes are as declared, within their error.
  [[nodiscard]] bool is_impossible(model::FormulaId condition) const {
    smt::Solver solver({.time_limit = kPatience, .watchdog = watchdog_});
    std::vector<smt::UnknownId> unknowns = all_values(solver);
    for (const smt::UnknownId later : all_values(solver)) unknowns.push_back(later);
    solver.require({model_.world.atoms, model_.world.formulas}, condition, unknowns);
    return solver.check() == smt::Answer::No;
  }

  std::vector<smt::UnknownId> all_values(smt::Solver& solver) const {
    std::vector<std::optional<smt::UnknownId>> known(model_.slots.size());
    std::vector<smt::UnknownId> unknowns;
    for (const SlotId slot : model_.slots.ids()) unknowns.push_back(value(slot, solver, known));
    return unknowns;
  }

  // Makes the unknown of a slot, after that of its guard, wherever the two are declared.
  smt::UnknownId value(SlotId slot, smt::Solver& solver,
                       std::vector<std::optional<smt::UnknownId>>& known) const {
    if (known[slot.index]) return *known[slot.index];
    const model::Variable& variable = system_.variable(slot);
    std::optional<smt::UnknownId> guard;
    if (const auto by = model::guard_slot(model_, slot)) guard = value(*by, solver, known);
    const smt::Sort sort = is_whole(system_, slot) ? smt::Sort::Whole : smt::Sort::Real;
    const smt::UnknownId made = solver.add_unknown(sort, variable.name, guard);
    known[slot.index] = made;
    if (has_members(system_, slot)) {
      const Domain domain = domain_of(system_, slot);
      solver.require_between(made, domain.low, domain.high);
      if (const auto& members = system_.members[slot.index]) {
        const std::vector<smt::UnknownId> slots(model_.slots.size(), made);
        solver.require({system_.atoms, system_.formulas}, *members, slots);
      }
    }
    if (!system_.changes[slot.index]) {
      const Rational& meant = variable.initial[model_.slots[slot].member];
      const auto& error = system_.errors[slot.index];
      solver.require_between(made, meant + (error ? error->low : 0),
                             meant + (error ? error->high : 0));
    }
    return made;
  }

  const Model& model_;
  System system_;
  Watchdog* watchdog_;
  std::vector<Remark> remarks_;
};

}  // namespace

std::vector<Remark> remarks(const Model& model, Watchdog* watchdog) {
  return WorldReview(model, watchdog).remarks();
}

}  // namespace poise::verify
