#include "poise/verify/system/replay.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/model/step.h"

namespace poise::verify {

using model::Context;
using model::Model;
using model::SlotId;

namespace {

// Follows the trace and keeps the first objection. Written to be obviously right, not fast.
class Replay {
 public:
  Replay(const Model& model, Mode mode, const Counterexample& example)
      : model_(model), mode_(mode), example_(example) {}

  std::optional<std::string> objection() {
    if (example_.path.empty() || example_.path.size() != example_.trace.size()) {
      return "the path and its steps differ in length";
    }
    start();
    for (std::size_t i = 0; i < example_.trace.size() && why_.empty(); ++i) {
      step(example_.trace[i], example_.path[i], i + 1 == example_.trace.size());
    }
    if (why_.empty() && failed_ != example_.failure) why_ = "it does not end with its failure";
    if (why_.empty()) return std::nullopt;
    return why_;
  }

 private:
  void object(std::string why) {
    if (why_.empty()) why_ = std::move(why);
  }

  [[nodiscard]] const model::Variable& variable(SlotId slot) const {
    return model_.variables[model_.slots[slot].variable];
  }
  [[nodiscard]] bool with_errors() const {
    return mode_ == Mode::Actual || mode_ == Mode::AsPrinted;
  }

  // The values as atoms read them: a slot behind a guard that does not hold has none.
  [[nodiscard]] Context visible(const Values& values) const {
    Context context(values.begin(), values.end());
    for (const SlotId slot : model_.slots.ids()) {
      for (auto guard = model::guard_slot(model_, slot); guard;
           guard = model::guard_slot(model_, *guard)) {
        if (values[guard->index] != Rational(1)) context[slot.index].reset();
      }
    }
    return context;
  }

  [[nodiscard]] bool in_domain(SlotId slot, const Rational& value) const {
    const model::Type& type = variable(slot).type;
    switch (type.kind) {
      case model::TypeKind::Bool:
      case model::TypeKind::Set: return value == Rational(0) || value == Rational(1);
      case model::TypeKind::Int:
        return value.is_integer() && value >= type.low && value <= type.high;
      case model::TypeKind::Real: return value >= type.low && value <= type.high;
      case model::TypeKind::Enum:
        return std::ranges::any_of(
            type.members, [&](model::SymbolId member) { return value == Rational(member.index); });
    }
    return false;
  }

  void start() {
    const StepTrace& first = example_.trace.front();
    state_ = model_.initial;
    actual_ = first.actual;
    read_ = first.sensed;
    for (const SlotId slot : model_.slots.ids()) {
      const model::Variable& declared = variable(slot);
      const Rational& value = actual_[slot.index];
      if (!declared.own && !in_domain(slot, value)) {
        object(fmt::format("{} starts outside of its range", declared.name));
      }
      if (declared.own && value != declared.initial[model_.slots[slot].member]) {
        object(fmt::format("{} does not start as declared", declared.name));
      }
    }
    for (const model::WorldStart& start : model_.world.starts) {
      if (!holds(start.condition, visible(actual_))) object("it does not start as it should");
    }
  }

  void check_constraints(const Values& actual) {
    const model::Situation situation = model::evaluate(model_, visible(actual));
    if (!model::feasible(model_, situation)) object("a constraint does not hold before a step");
  }

  // Objects to a reading that is off by more than its error.
  void check_reading(const Values& actual, const Values& read) {
    for (const SlotId slot : model_.slots.ids()) {
      const Rational off = read[slot.index] - actual[slot.index];
      const model::Variable& declared = variable(slot);
      const bool may_be_off = with_errors() && !declared.own && declared.error;
      const bool right =
          may_be_off ? off >= declared.error->low && off <= declared.error->high : off.sign() == 0;
      if (!right) object(fmt::format("{} is read too far off", declared.name));
      if (declared.type.kind == model::TypeKind::Int && !read[slot.index].is_integer()) {
        object(fmt::format("{} is read as no whole number", declared.name));
      }
    }
  }

  void step(const StepTrace& step, model::RuleId rule, bool last) {
    if (step.from != state_ || step.rule != rule) return object("the steps do not follow the path");
    // Conditions over streams may have changed since.
    for (const SlotId slot : model_.slots.ids()) {
      if (variable(slot).query) actual_[slot.index] = step.actual[slot.index];
      if (variable(slot).query) read_[slot.index] = step.sensed[slot.index];
    }
    // As printed, actual values are tied to readings only, so that each look has its own.
    const bool tied = mode_ != Mode::AsPrinted || model_.constraints.empty();
    if (tied && step.actual != actual_) return object("values change between two steps");
    if (mode_ == Mode::AsPrinted && step.sensed != read_) {
      return object("what is read changes between two steps");
    }
    check_reading(step.actual, step.sensed);
    check_constraints(step.actual);
    const model::Situation situation = model::evaluate(model_, visible(step.sensed));
    const auto triggered = model::triggered(model_, state_, situation);
    if (std::ranges::find(triggered, rule) == triggered.end()) {
      return object(fmt::format("{} does not fire", model_.rules[rule].name));
    }
    read_ = step.sensed;
    std::size_t next = 0;
    for (const model::Action& action : model_.rules[rule].actions) {
      if (!action.world && action.effects.empty()) continue;
      if (failed_) break;
      if (next == step.acts.size()) return object("an action is missing");
      run(action, step.acts[next]);
      ++next;
    }
    if (next != step.acts.size()) object("there are actions after the failure");
    if (failed_ && !last) object("it fails before its end");
    state_ = model_.rules[rule].to;
  }

  void run(const model::Action& action, const ActTrace& act) {
    // As printed, the condition of an action is about sensed values.
    const bool printed = mode_ == Mode::AsPrinted;
    Values before = printed ? read_ : actual_;
    const Values& after = printed ? act.read : act.actual;
    if (printed) check_reading(act.actual, act.read);
    const model::WorldAction* world = action.world ? &model_.world.actions[*action.world] : nullptr;
    for (const SlotId slot : model_.slots.ids()) check_kept(action, world, slot, before, after);
    if (world != nullptr && mode_ != Mode::Naive) {
      for (const auto& [slot, done] : act.done) {
        const auto& error = variable(slot).error;
        const Rational off = done - before[slot.index];
        if (!with_errors() || !error || off < error->low || off > error->high) {
          object(fmt::format("{} is done too far off", variable(slot).name));
        }
        before[slot.index] = done;
      }
      check_action(*world, before, after);
    }
    actual_ = act.actual;
    read_ = after;
    if (action.world) find_failure(*action.world);
  }

  void check_kept(const model::Action& action, const model::WorldAction* world, SlotId slot,
                  const Values& before, const Values& after) {
    const model::Variable& declared = variable(slot);
    const auto effect = std::ranges::find(action.effects, slot, &model::Effect::slot);
    if (effect != action.effects.end()) {
      if (after[slot.index] != effect->value) object(fmt::format("{} is not set", declared.name));
      return;
    }
    const bool primed = world != nullptr && std::ranges::binary_search(world->primed, slot);
    if (primed && mode_ != Mode::Naive) {
      const bool number =
          declared.type.kind == model::TypeKind::Real ||
          (declared.type.kind == model::TypeKind::Int && after[slot.index].is_integer());
      if (!number && !in_domain(slot, after[slot.index])) {
        object(fmt::format("{} becomes what it cannot be", declared.name));
      }
      return;
    }
    const bool is_free = !declared.own && (world != nullptr || is_behind(action, slot, before));
    if (is_free) {
      if (mode_ != Mode::AsPrinted && !in_domain(slot, after[slot.index])) {
        object(fmt::format("{} leaves its range by itself", declared.name));
      }
    } else if (after[slot.index] != before[slot.index]) {
      object(fmt::format("{} changes by itself", declared.name));
    }
  }

  // Whether the slot is behind a guard that did not hold and that the action makes true.
  [[nodiscard]] bool is_behind(const model::Action& action, SlotId slot,
                               const Values& before) const {
    for (auto guard = model::guard_slot(model_, slot); guard;
         guard = model::guard_slot(model_, *guard)) {
      const auto effect = std::ranges::find(action.effects, *guard, &model::Effect::slot);
      const bool made = effect != action.effects.end() && effect->value == Rational(1);
      if (made && before[guard->index] != Rational(1)) return true;
    }
    return false;
  }

  void check_action(const model::WorldAction& action, const Values& before, const Values& after) {
    Context both = visible(before);
    const Context later = visible(after);
    both.insert(both.end(), later.begin(), later.end());
    if (!holds(action.condition, both)) object(fmt::format("{} does not do that", action.name));
  }

  void find_failure(model::WorldActionId after) {
    const Context now = visible(actual_);
    bool wanted = false;
    std::optional<model::FailureId> first;
    for (const model::FailureId id : model_.world.failures.ids()) {
      for (const model::WorldFailure::Case& one : model_.world.failures[id].cases) {
        if (one.after != after || !holds(one.condition, now)) continue;
        wanted = wanted || id == example_.failure;
        if (!first) first = id;
      }
    }
    // Several failures may happen at once; the one of the counterexample goes first.
    failed_ = wanted ? example_.failure : first;
  }

  [[nodiscard]] bool holds(model::FormulaId id, const Context& context) const {
    const model::Formula& formula = model_.world.formulas[id];
    const auto part = [&](std::size_t i) { return holds(formula.parts[i], context); };
    switch (formula.op) {
      case model::Op::False: return false;
      case model::Op::True: return true;
      case model::Op::Atom: return model::holds(model_.world.atoms[formula.atom], context);
      case model::Op::Not: return !part(0);
      case model::Op::And:
        for (std::size_t i = 0; i < formula.parts.size(); ++i) {
          if (!part(i)) return false;
        }
        return true;
      case model::Op::Or:
        for (std::size_t i = 0; i < formula.parts.size(); ++i) {
          if (part(i)) return true;
        }
        return false;
      case model::Op::Implies: return !part(0) || part(1);
      case model::Op::Iff: return part(0) == part(1);
    }
    return false;
  }

  const Model& model_;
  Mode mode_;
  const Counterexample& example_;
  model::StateId state_;
  Values actual_;
  Values read_;
  std::optional<model::FailureId> failed_;
  std::string why_;
};

}  // namespace

std::optional<std::string> objection(const Model& model, Mode mode,
                                     const Counterexample& counterexample) {
  return Replay(model, mode, counterexample).objection();
}

}  // namespace poise::verify
