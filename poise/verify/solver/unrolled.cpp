#include "poise/verify/solver/unrolled.h"

#include <algorithm>

#include <fmt/format.h>

namespace poise::verify {

using model::SlotId;
using smt::UnknownId;

Unrolled::Unrolled(const System& system, Requirements& requirements, From from)
    : system_(system), requirements_(requirements), conditions_{system.atoms, system.formulas} {
  for (const SlotId slot : system.model->slots.ids()) {
    actual_.push_back(unknown(slot, ""));
    if (from == From::Anywhere && system.changes[slot.index]) continue;
    if (system.is_sensed(slot)) {
      require_domain(actual_.back(), slot);
    } else {
      const std::uint32_t member = system.model->slots[slot].member;
      require_equal(actual_.back(), system.variable(slot).initial[member]);
    }
  }
  for (const model::FormulaId condition : system.start) {
    if (from == From::Start)
      requirements_.require(conditions_, condition, actual_, smt::Polarity::Holds);
  }
  now_ = as_printed() ? read_of(actual_) : actual_;
}

UnknownId Unrolled::unknown(SlotId slot, std::string_view what) {
  return requirements_.add_unknown(
      is_whole(system_, slot) ? smt::Sort::Whole : smt::Sort::Real,
      fmt::format("{}{}.{}", system_.variable(slot).name, what, steps_.size()));
}

void Unrolled::require_equal(UnknownId unknown, const Rational& value) {
  requirements_.require_between(unknown, value, value);
}

void Unrolled::require_domain(UnknownId unknown, SlotId slot) {
  const Domain domain = domain_of(system_, slot);
  requirements_.require_between(unknown, domain.low, domain.high);
  if (const auto& members = system_.members[slot.index]) {
    requirements_.require(conditions_, *members, Unknowns(system_.slots(), unknown),
                          smt::Polarity::Holds);
  }
}

Unrolled::Unknowns Unrolled::read_of(const Unknowns& actual) {
  Unknowns read = actual;
  for (const SlotId slot : system_.model->slots.ids()) {
    if (!system_.is_off(slot)) continue;
    const model::WorldError& error = *system_.errors[slot.index];
    read[slot.index] = unknown(slot, "_read");
    requirements_.require_difference(read[slot.index], actual[slot.index], error.low, error.high);
  }
  return read;
}

Unrolled::Unknowns Unrolled::actual_of(const Unknowns& read) {
  Unknowns actual = read;
  for (const SlotId slot : system_.model->slots.ids()) {
    if (!system_.is_off(slot)) continue;
    const model::WorldError& error = *system_.errors[slot.index];
    actual[slot.index] = unknown(slot, "");
    requirements_.require_difference(read[slot.index], actual[slot.index], error.low, error.high);
  }
  return actual;
}

void Unrolled::push() {
  requirements_.push();
  saved_.push_back({now_, actual_, steps_.size(), steps_.empty() ? 0 : steps_.back().acts.size()});
}

void Unrolled::pop() {
  requirements_.pop();
  Saved& saved = saved_.back();
  now_ = std::move(saved.now);
  actual_ = std::move(saved.actual);
  steps_.resize(saved.steps);
  if (!steps_.empty()) steps_.back().acts.resize(saved.acts);
  saved_.pop_back();
}

void Unrolled::look() {
  for (const SlotId slot : system_.renewed) free(slot);
  if (!as_printed()) {
    actual_ = now_;
  } else if (!system_.always.empty() && !steps_.empty()) {
    // Only readings are tied to each other, so each look has actual values of its own.
    actual_ = actual_of(now_);
  }
  for (const model::FormulaId constraint : system_.always) {
    requirements_.require(conditions_, constraint, actual_, smt::Polarity::Holds);
  }
  read_ = as_printed() ? now_ : read_of(now_);
}

void Unrolled::require_guard(model::FormulaId guard, smt::Polarity truth) {
  requirements_.require(conditions_, guard, read_, truth);
}

void Unrolled::sense(model::StateId state, const Move& move) {
  look();
  require_guard(move.guard, smt::Polarity::Holds);
  for (const model::FormulaId stronger : move.stronger) {
    require_guard(stronger, smt::Polarity::Fails);
  }
  steps_.push_back({state, move.rule, actual_, read_, {}});
}

// Lets the slot take any value of its domain.
void Unrolled::free(SlotId slot) {
  const UnknownId made = unknown(slot, "");
  require_domain(made, slot);
  now_[slot.index] = made;
  actual_[slot.index] = made;
  if (!as_printed() || !system_.is_off(slot)) return;
  // The domain is that of the actual value.
  const model::WorldError& error = *system_.errors[slot.index];
  now_[slot.index] = unknown(slot, "_read");
  requirements_.require_difference(now_[slot.index], made, error.low, error.high);
}

void Unrolled::run(const Act& act) {
  ActUnknowns& trace = steps_.back().acts.emplace_back(ActUnknowns{&act, {}, {}, {}});
  Unknowns slots = now_;
  for (const SlotId slot : act.done) {
    const model::WorldError& error = *system_.errors[slot.index];
    const UnknownId done = unknown(slot, "_done");
    requirements_.require_difference(done, now_[slot.index], error.low, error.high);
    slots[slot.index] = done;
    trace.done.emplace_back(slot, done);
  }
  for (const SlotId slot : act.freed) free(slot);
  for (const SlotId slot : act.later) {
    now_[slot.index] = unknown(slot, "");
    if (has_members(system_, slot)) require_domain(now_[slot.index], slot);
  }
  for (const model::Effect& effect : act.sets) {
    if (!effect.value) continue;
    now_[effect.slot.index] = unknown(effect.slot, "");
    require_equal(now_[effect.slot.index], *effect.value);
  }
  slots.insert(slots.end(), now_.begin(), now_.end());
  if (act.condition) {
    requirements_.require(conditions_, *act.condition, slots, smt::Polarity::Holds);
  }
  if (!as_printed()) {
    actual_ = now_;
  } else if (act.action) {
    Unknowns freed = std::move(actual_);
    actual_ = actual_of(now_);
    for (const SlotId slot : act.freed) actual_[slot.index] = freed[slot.index];
  } else {
    for (const model::Effect& effect : act.sets) {
      actual_[effect.slot.index] = now_[effect.slot.index];
    }
    for (const SlotId slot : act.later) actual_[slot.index] = now_[slot.index];
  }
  trace.actual = actual_;
  if (as_printed()) trace.read = now_;
}

void Unrolled::require(const Case& one, smt::Polarity truth) {
  requirements_.require(conditions_, one.condition, actual_, truth);
}

void Unrolled::require(const smt::Conditions& conditions, model::FormulaId condition,
                       smt::Polarity truth) {
  requirements_.require(conditions, condition, now_, truth);
}

void Unrolled::take(const FailingPath& failing, const std::function<void()>& moment) {
  const auto note = [&] {
    if (moment) moment();
  };
  model::StateId state = system_.model->initial;
  for (std::size_t i = 0; i < failing.path.size(); ++i) {
    const std::vector<Move>& moves = system_.moves[state.index];
    const auto move = std::ranges::find(moves, failing.path[i], &Move::rule);
    const bool last = i + 1 == failing.path.size();
    sense(state, *move);
    note();
    for (std::size_t j = 0; j < (last ? failing.act + 1 : move->acts.size()); ++j) {
      run(move->acts[j]);
      note();
      const bool fails = last && j == failing.act;
      for (const Case& one : move->acts[j].cases) {
        if (!fails) require(one, smt::Polarity::Fails);
        if (fails && one.failure == failing.failure) require(one, smt::Polarity::Holds);
      }
    }
    state = move->to;
  }
}

Trace Unrolled::trace(const smt::Values& values) const {
  const auto all = [&](const Unknowns& unknowns) {
    Values result;
    for (const UnknownId unknown : unknowns) result.push_back(values.numbers[unknown.index]);
    return result;
  };
  Trace trace;
  for (const StepUnknowns& step : steps_) {
    StepTrace& made =
        trace.emplace_back(StepTrace{step.from, step.rule, all(step.actual), all(step.sensed), {}});
    for (const ActUnknowns& act : step.acts) {
      ActTrace& after =
          made.acts.emplace_back(ActTrace{act.act->text, {}, all(act.actual), all(act.read)});
      for (const auto& [slot, done] : act.done) {
        after.done.emplace_back(slot, values.numbers[done.index]);
      }
    }
  }
  return trace;
}

}  // namespace poise::verify
