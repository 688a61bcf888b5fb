#include "poise/verify/certificate/confirm.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "poise/model/polynomial.h"
#include "poise/smt/solver.h"

namespace poise::verify {

using model::FormulaId;
using model::Model;
using model::Op;
using model::SlotId;
using smt::UnknownId;

namespace {

// The values of all slots at one moment. A variable without a value still has a number here, which
// nothing can see: conditions of the language read `shown`, which knows the guards, and what is
// said about numbers whatever their guards is said about `raw`.
struct Moment {
  std::vector<UnknownId> raw;
  std::vector<UnknownId> shown;
};

// Conditions on the numbers of two moments, before and after: slot i is before, slot n + i after.
class NumberConditions {
 public:
  explicit NumberConditions(const Model& model) : model_(model) {}

  [[nodiscard]] smt::Conditions tables() const { return {atoms_, formulas_}; }

  [[nodiscard]] SlotId after(SlotId slot) const {
    return SlotId{slot.index + static_cast<std::uint32_t>(model_.slots.size())};
  }

  FormulaId is_member(SlotId slot, const std::vector<model::SymbolId>& members) {
    model::Formula any{Op::Or, {}, {}};
    for (const model::SymbolId member : members) {
      any.parts.push_back(compared(slot, model::Relation::Equal, Rational(member.index)));
    }
    return formulas_.add(std::move(any));
  }

  // While the guard held before, the slot stays as it is; otherwise it takes any value of its
  // domain.
  FormulaId stays_or_begins(SlotId slot, SlotId guard, const model::Type& type) {
    const FormulaId held = compared(guard, model::Relation::Equal, 1);
    const FormulaId began = formulas_.add({Op::Not, {}, {held}});
    const FormulaId least = compared(after(slot), model::Relation::GreaterEqual, type.low);
    const FormulaId most = compared(after(slot), model::Relation::LessEqual, type.high);
    model::Formula any{Op::And, {}, {began}};
    // Members keep to their type anyway.
    if (is_number(type)) any.parts.insert(any.parts.end(), {least, most});
    const FormulaId stays = formulas_.add({Op::And, {}, {held, same(slot)}});
    return formulas_.add({Op::Or, {}, {stays, formulas_.add(std::move(any))}});
  }

  static bool is_number(const model::Type& type) {
    return type.kind == model::TypeKind::Int || type.kind == model::TypeKind::Real;
  }

 private:
  FormulaId compared(SlotId slot, model::Relation relation, const Rational& number) {
    return atom({slot}, model::sum(model::slot_value(slot), model::constant(-number)), relation);
  }
  FormulaId same(SlotId slot) {
    return atom(
        {slot, after(slot)},
        model::sum(model::slot_value(slot), model::scaled(model::slot_value(after(slot)), -1)),
        model::Relation::Equal);
  }
  FormulaId atom(std::vector<SlotId> slots, model::Polynomial value, model::Relation relation) {
    model::Atom made;
    made.slots = std::move(slots);
    made.value = std::move(value);
    made.relation = relation;
    return formulas_.add({Op::Atom, atoms_.add(std::move(made)), {}});
  }

  const Model& model_;
  Table<model::AtomId, model::Atom> atoms_;
  Table<FormulaId, model::Formula> formulas_;
};

// Everything that is asked about one rule, or about the start.
class Encoding {
 public:
  Encoding(const Opened& opened, smt::Solver& solver)
      : model_(opened.model),
        mode_(opened.mode),
        opened_(opened),
        solver_(solver),
        numbers_(opened.model) {}

  // ---- Moments ----

  // Any values of the right types: whole numbers are whole, members are members. Conditions over
  // streams may hold or not; no invariant can say anything about them, so that is so at each step.
  Moment any_values(std::string_view when) {
    Moment made;
    for (const SlotId slot : model_.slots.ids()) {
      const UnknownId raw = solver_.add_unknown(sort_of(slot), name_of(slot, when));
      made.raw.push_back(raw);
      const model::Type& type = variable(slot).type;
      switch (type.kind) {
        case model::TypeKind::Int:
        case model::TypeKind::Real: break;
        case model::TypeKind::Bool:
        case model::TypeKind::Set: solver_.require_between(raw, 0, 1); break;
        case model::TypeKind::Enum:
          solver_.require(numbers_.tables(), numbers_.is_member(slot, type.members),
                          std::vector<UnknownId>(model_.slots.size(), raw));
          break;
      }
    }
    std::vector<std::optional<UnknownId>> shown(model_.slots.size());
    for (const SlotId slot : model_.slots.ids()) show(slot, when, made.raw, shown);
    for (const std::optional<UnknownId>& one : shown) made.shown.push_back(*one);
    return made;
  }

  void require_in_domain(const Moment& moment, SlotId slot) {
    const model::Type& type = variable(slot).type;
    if (NumberConditions::is_number(type)) {
      solver_.require_between(moment.raw[slot.index], type.low, type.high);
    }
  }

  void require_same(const Moment& a, const Moment& b, SlotId slot) {
    solver_.require_same(a.raw[slot.index], b.raw[slot.index]);
  }

  // ---- A run ----

  Moment start() {
    Moment moment = any_values("start");
    for (const SlotId slot : model_.slots.ids()) {
      const model::Variable& declared = variable(slot);
      if (declared.own) {
        const Rational& first = declared.initial[model_.slots[slot].member];
        solver_.require_equal(moment.raw[slot.index], first);
      } else {
        require_in_domain(moment, slot);
      }
    }
    constraints_hold(moment);
    for (const model::WorldStart& start : model_.world.starts) {
      solver_.require({model_.world.atoms, model_.world.formulas}, start.condition, moment.shown);
    }
    return moment;
  }

  // At the start of every step: contexts that violate a constraint cannot happen.
  void constraints_hold(const Moment& actual) {
    for (const model::Constraint& constraint : model_.constraints) {
      solver_.require({model_.atoms, model_.formulas}, constraint.condition, actual.shown);
    }
  }

  void invariant(model::StateId state, const Moment& actual, smt::Polarity truth) {
    const std::optional<FormulaId>& holds = opened_.by_state[state.index];
    if (holds) {
      solver_.require({opened_.conditions.atoms, opened_.conditions.formulas}, *holds, actual.shown,
                      truth);
    } else if (truth == smt::Polarity::Holds) {
      // Never: no number is between these.
      solver_.require_between(solver_.add_unknown(smt::Sort::Whole, "never"), 1, 0);
    }
  }

  // Everything is sensed, off by errors, and the rule is triggered on it.
  void fire(model::StateId state, model::RuleId id, const Moment& actual) {
    const Moment sensed = any_values("sensed");
    for (const SlotId slot : model_.slots.ids()) {
      const model::Variable& declared = variable(slot);
      if (mode_ == Mode::Actual && !declared.own && declared.error) {
        solver_.require_difference(sensed.raw[slot.index], actual.raw[slot.index],
                                   declared.error->low, declared.error->high);
      } else {
        require_same(sensed, actual, slot);
      }
    }
    const smt::Conditions rules{model_.atoms, model_.formulas};
    const model::Rule& rule = model_.rules[id];
    solver_.require(rules, rule.guard, sensed.shown);
    for (const model::RuleId other : model_.states[state].rules) {
      if (!model::is_stronger(model_.rules[other], rule)) continue;
      solver_.require_not(rules, model_.rules[other].guard, sensed.shown);
    }
  }

  // The values after an action that does something.
  Moment after(const model::Action& action, const Moment& before, std::size_t number) {
    Moment made = any_values(fmt::format("after {}", number));
    if (action.world) {
      act(model_.world.actions[*action.world], before, made);
    } else {
      assign(action, before, made);
    }
    return made;
  }

  // That the failure is there after the action.
  void fails(const model::WorldFailure::Case& one, const Moment& actual) {
    solver_.require({model_.world.atoms, model_.world.formulas}, one.condition, actual.shown);
  }

 private:
  [[nodiscard]] const model::Variable& variable(SlotId slot) const {
    return model_.variables[model_.slots[slot].variable];
  }
  [[nodiscard]] smt::Sort sort_of(SlotId slot) const {
    return variable(slot).type.kind == model::TypeKind::Real ? smt::Sort::Real : smt::Sort::Whole;
  }
  [[nodiscard]] std::string name_of(SlotId slot, std::string_view when) const {
    return fmt::format("{} {}", variable(slot).name, when);
  }

  // The same number, behind its guard.
  UnknownId show(SlotId slot, std::string_view when, const std::vector<UnknownId>& raw,
                 std::vector<std::optional<UnknownId>>& shown) {
    std::optional<UnknownId>& made = shown[slot.index];
    if (made) return *made;
    const std::optional<SlotId> guard = model::guard_slot(model_, slot);
    if (!guard) {
      made = raw[slot.index];
      return *made;
    }
    const UnknownId behind = show(*guard, when, raw, shown);
    made = solver_.add_unknown(sort_of(slot), name_of(slot, when), behind);
    solver_.require_same(*made, raw[slot.index]);
    return *made;
  }

  // NAME := VALUE. Where it makes a guard true, the variables behind it take any value.
  void assign(const model::Action& action, const Moment& before, const Moment& made) {
    for (const SlotId slot : model_.slots.ids()) {
      const auto set = std::ranges::find(action.effects, slot, &model::Effect::slot);
      if (set != action.effects.end()) {
        solver_.require_equal(made.raw[slot.index], *set->value);
      } else if (const auto guard = guard_made_true(action, slot)) {
        std::vector<UnknownId> both = before.raw;
        both.insert(both.end(), made.raw.begin(), made.raw.end());
        solver_.require(numbers_.tables(),
                        numbers_.stays_or_begins(slot, *guard, variable(slot).type), both);
      } else {
        require_same(before, made, slot);
      }
    }
  }

  [[nodiscard]] std::optional<SlotId> guard_made_true(const model::Action& action,
                                                      SlotId slot) const {
    for (auto guard = model::guard_slot(model_, slot); guard;
         guard = model::guard_slot(model_, *guard)) {
      const auto set = std::ranges::find(action.effects, *guard, &model::Effect::slot);
      if (set != action.effects.end() && set->value == Rational(1)) return guard;
    }
    return std::nullopt;
  }

  // An action of the world. What it does not mention is free within its range if it is sensed, and
  // stays if it is our own. In the mode Naive it mentions nothing.
  void act(const model::WorldAction& action, const Moment& before, const Moment& made) {
    for (const SlotId slot : model_.slots.ids()) {
      const bool primed =
          mode_ != Mode::Naive && std::ranges::find(action.primed, slot) != action.primed.end();
      if (primed) continue;
      if (variable(slot).own) {
        require_same(before, made, slot);
      } else {
        require_in_domain(made, slot);
      }
    }
    if (mode_ == Mode::Naive) return;
    std::vector<UnknownId> both = done(before);
    both.insert(both.end(), made.shown.begin(), made.shown.end());
    solver_.require({model_.world.atoms, model_.world.formulas}, action.condition, both);
  }

  // The values before an action as it reads them: what is done of own variables is off by an error.
  std::vector<UnknownId> done(const Moment& before) {
    std::vector<UnknownId> values = before.shown;
    for (const SlotId slot : model_.slots.ids()) {
      const model::Variable& declared = variable(slot);
      if (mode_ != Mode::Actual || !declared.own || !declared.error) continue;
      const UnknownId done = solver_.add_unknown(sort_of(slot), name_of(slot, "done"));
      solver_.require_difference(done, before.raw[slot.index], declared.error->low,
                                 declared.error->high);
      values[slot.index] = done;
    }
    return values;
  }

  const Model& model_;
  Mode mode_;
  const Opened& opened_;
  smt::Solver& solver_;
  NumberConditions numbers_;
};

class Confirming {
 public:
  Confirming(const Opened& opened, const Limits& limits)
      : opened_(opened), model_(opened.model), budget_(limits) {}

  Confirmation confirmation() {
    result_.verdict = Confirmation::Verdict::Confirmed;
    start();
    for (const model::StateId state : model_.states.ids()) {
      for (const model::RuleId rule : model_.states[state].rules) {
        if (result_.verdict != Confirmation::Verdict::Confirmed) return std::move(result_);
        step(state, rule);
      }
    }
    return std::move(result_);
  }

 private:
  void start() {
    smt::Solver solver;
    Encoding run(opened_, solver);
    const Moment first = run.start();
    run.invariant(model_.initial, first, smt::Polarity::Fails);
    result_.part = Confirmation::Part::Start;
    result_.state = model_.initial;
    is_impossible(solver, first, first);
  }

  void step(model::StateId state, model::RuleId id) {
    const model::Rule& rule = model_.rules[id];
    result_.state = state;
    result_.rule = id;
    smt::Solver solver;
    Encoding run(opened_, solver);
    const Moment first = run.any_values("before");
    run.invariant(state, first, smt::Polarity::Holds);
    run.constraints_hold(first);
    run.fire(state, id, first);
    Moment now = first;
    std::size_t acts = 0;
    for (const model::Action& action : rule.actions) {
      // A name that is not declared does nothing.
      if (!action.world && action.effects.empty()) continue;
      now = run.after(action, now, acts);
      result_.part = Confirmation::Part::Failure;
      result_.act = acts;
      ++acts;
      if (action.world && !nothing_fails(*action.world, run, solver, first, now)) return;
    }
    result_.part = Confirmation::Part::Step;
    run.invariant(rule.to, now, smt::Polarity::Fails);
    is_impossible(solver, first, now);
  }

  bool nothing_fails(model::WorldActionId action, Encoding& run, smt::Solver& solver,
                     const Moment& before, const Moment& after) {
    for (const model::FailureId failure : model_.world.failures.ids()) {
      for (const model::WorldFailure::Case& one : model_.world.failures[failure].cases) {
        if (one.after != action) continue;
        result_.failure = failure;
        solver.push();
        run.fails(one, after);
        const bool impossible = is_impossible(solver, before, after);
        solver.pop();
        if (!impossible) return false;
      }
    }
    return true;
  }

  // Whether no values satisfy what the solver was given; if some do, or it cannot tell, that is the
  // result.
  bool is_impossible(smt::Solver& solver, const Moment& before, const Moment& after) {
    if (const Exhausted exhausted = budget_.exhausted_now(); exhausted != Exhausted::No) {
      result_.verdict = Confirmation::Verdict::Unknown;
      result_.why = reason(exhausted);
      return false;
    }
    solver.set_time_limit(budget_.time_left());
    switch (solver.check()) {
      case smt::Answer::No: ++result_.proved; return true;
      case smt::Answer::Unknown:
        result_.verdict = Confirmation::Verdict::Unknown;
        result_.why = solver.why();
        return false;
      case smt::Answer::Yes: break;
    }
    result_.verdict = Confirmation::Verdict::NotConfirmed;
    const smt::Values values = solver.values();
    if (!values.exact) return false;
    for (const UnknownId one : before.raw) result_.before.push_back(values.numbers[one.index]);
    for (const UnknownId one : after.raw) result_.after.push_back(values.numbers[one.index]);
    return false;
  }

  const Opened& opened_;
  const Model& model_;
  Budget budget_;
  Confirmation result_;
};

}  // namespace

Confirmation confirm(const Opened& opened, const Limits& limits) {
  return Confirming(opened, limits).confirmation();
}

}  // namespace poise::verify
