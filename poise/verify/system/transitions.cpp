#include "poise/verify/system/transitions.h"

#include <utility>

#include <fmt/format.h>

namespace poise::verify {

using model::SlotId;

namespace {

// Builds one passage. The calls follow the run: start(), or sense() and then run() for each act,
// with require() for failures in between. now_ has the values that acts work on, actual_ those that
// failures are about; they differ only in the mode AsPrinted.
class PassageMaker {
 public:
  explicit PassageMaker(const System& system)
      : system_(system), now_(carried(system)), actual_(now_) {}

  Passage start() {
    for (const SlotId slot : system_.model->slots.ids()) {
      if (!system_.changes[slot.index]) continue;
      // As printed, sensed values are carried; the actual one at the start is one more unknown.
      const bool behind = as_printed() && system_.is_off(slot);
      const Unknown unknown{slot, behind ? Unknown::What::Actual : Unknown::What::Carried, 0};
      actual_[slot.index] = add(unknown);
      if (system_.is_sensed(slot)) {
        require_domain(unknown);
      } else {
        const Rational& initial = first_value(slot);
        passage_.required.push_back(Between{unknown, initial, initial});
      }
      if (behind) now_[slot.index] = read_of(slot, actual_[slot.index], Unknown::What::Carried);
    }
    for (const model::FormulaId constraint : system_.start) {
      passage_.required.push_back(HoldsOn{constraint, true, actual_});
    }
    return done();
  }

  void sense(const Move& move) {
    for (const SlotId slot : system_.renewed) renew(slot);
    require_constraints();
    std::vector<Term> read = now_;
    for (const SlotId slot : system_.model->slots.ids()) {
      if (as_printed() || !system_.is_off(slot)) continue;
      read[slot.index] = read_of(slot, now_[slot.index], Unknown::What::Sensed);
    }
    passage_.required.push_back(HoldsOn{move.guard, true, read});
    for (const model::FormulaId stronger : move.stronger) {
      passage_.required.push_back(HoldsOn{stronger, false, read});
    }
  }

  void run(const Act& act) {
    std::vector<Term> slots = now_;
    for (const SlotId slot : act.done) {
      slots[slot.index] = read_of(slot, now_[slot.index], Unknown::What::Done);
    }
    ++acts_;
    for (const SlotId slot : act.freed) free(slot);
    for (const SlotId slot : act.later) {
      const Unknown made{slot, Unknown::What::Carried, acts_};
      now_[slot.index] = add(made);
      // A member stays a member of its type, whatever the action says.
      if (has_members(system_, slot)) require_domain(made);
    }
    for (const model::Effect& effect : act.sets) {
      if (effect.value) now_[effect.slot.index] = *effect.value;
    }
    slots.insert(slots.end(), now_.begin(), now_.end());
    if (act.condition) passage_.required.push_back(HoldsOn{*act.condition, true, slots});
    actual_ = now_;
    if (!as_printed() || act.cases.empty()) return;
    for (const SlotId slot : system_.model->slots.ids()) {
      if (!system_.is_off(slot)) continue;
      actual_[slot.index] = add({slot, Unknown::What::Actual, acts_});
      require_error(slot, now_[slot.index], actual_[slot.index]);
    }
  }

  void require(const Case& one, bool truth) {
    passage_.required.push_back(HoldsOn{one.condition, truth, actual_});
  }

  Passage done() {
    passage_.after = now_;
    return std::move(passage_);
  }

 private:
  void require_constraints() {
    if (system_.always.empty()) return;
    std::vector<Term> actual = now_;
    for (const SlotId slot : system_.model->slots.ids()) {
      if (!as_printed() || !system_.is_off(slot)) continue;
      actual[slot.index] = add({slot, Unknown::What::Before, 0});
      require_error(slot, now_[slot.index], actual[slot.index]);
    }
    for (const model::FormulaId constraint : system_.always) {
      passage_.required.push_back(HoldsOn{constraint, true, actual});
    }
  }

  [[nodiscard]] bool as_printed() const { return system_.mode == Mode::AsPrinted; }
  [[nodiscard]] const Rational& first_value(SlotId slot) const {
    return system_.variable(slot).initial[system_.model->slots[slot].member];
  }

  Term add(const Unknown& unknown) {
    passage_.unknowns.push_back(unknown);
    return unknown;
  }

  void require_domain(const Unknown& unknown) {
    const Domain domain = domain_of(system_, unknown.slot);
    passage_.required.push_back(Between{unknown, domain.low, domain.high});
    if (const auto& members = system_.members[unknown.slot.index]) {
      passage_.required.push_back(
          HoldsOn{*members, true, std::vector<Term>(system_.slots(), unknown)});
    }
  }

  void require_error(SlotId slot, const Term& read, const Term& of) {
    const model::WorldError& error = *system_.errors[slot.index];
    passage_.required.push_back(Apart{read, of, error.low, error.high});
  }

  Term read_of(SlotId slot, const Term& of, Unknown::What what) {
    const Term read = add({slot, what, acts_});
    require_error(slot, read, of);
    return read;
  }

  // The value changes before the step, so it differs from the carried one that the step begins
  // with.
  void renew(SlotId slot) {
    const Unknown made{slot, Unknown::What::Sensed, 0};
    now_[slot.index] = add(made);
    require_domain(made);
  }

  // Any value of its domain. As printed, the domain is that of the actual value, not of the sensed
  // one.
  void free(SlotId slot) {
    const bool behind = as_printed() && system_.is_off(slot);
    const Unknown made{slot, behind ? Unknown::What::Made : Unknown::What::Carried, acts_};
    now_[slot.index] = add(made);
    require_domain(made);
    if (behind) now_[slot.index] = read_of(slot, made, Unknown::What::Carried);
  }

  const System& system_;
  std::vector<Term> now_;
  std::vector<Term> actual_;
  std::size_t acts_ = 0;
  Passage passage_;
};

}  // namespace

std::vector<Term> carried(const System& system) {
  std::vector<Term> terms;
  for (const SlotId slot : system.model->slots.ids()) {
    if (system.changes[slot.index]) {
      terms.emplace_back(Unknown{slot});
    } else {
      terms.emplace_back(system.variable(slot).initial[system.model->slots[slot].member]);
    }
  }
  return terms;
}

Passage start_of(const System& system) { return PassageMaker(system).start(); }

std::vector<Transition> transitions_of(const System& system) {
  std::vector<Transition> all;
  for (const model::StateId state : system.model->states.ids()) {
    const std::vector<Move>& moves = system.moves[state.index];
    for (std::size_t i = 0; i < moves.size(); ++i) {
      PassageMaker maker(system);
      maker.sense(moves[i]);
      for (std::size_t j = 0; j < moves[i].acts.size(); ++j) {
        const Act& act = moves[i].acts[j];
        maker.run(act);
        for (const Case& one : act.cases) {
          PassageMaker failing = maker;
          failing.require(one, true);
          all.push_back({state, i, moves[i].to, one.failure, j, failing.done()});
        }
        for (const Case& one : act.cases) maker.require(one, false);
      }
      all.push_back({state, i, moves[i].to, std::nullopt, 0, maker.done()});
    }
  }
  return all;
}

std::string title_of(const System& system, const Transition& transition) {
  const Move& move = system.moves[transition.from.index][transition.move];
  const std::string where = fmt::format("{} in {}", system.model->rules[move.rule].name,
                                        system.model->states[transition.from].name);
  if (!transition.failure) return where;
  return fmt::format("{} after {} of {}", system.model->world.failures[*transition.failure].name,
                     move.acts[transition.act].text, where);
}

}  // namespace poise::verify
