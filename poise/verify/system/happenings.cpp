#include "poise/verify/system/happenings.h"

#include <algorithm>
#include <utility>

namespace poise::verify {

using model::FormulaId;
using model::RuleId;
using model::SlotId;
using model::StateId;
using model::WorldActionId;

namespace {

bool reads_slot(const System& system, FormulaId id, SlotId slot) {
  const model::Formula& formula = system.formulas[id];
  if (formula.op == model::Op::Atom) {
    const std::vector<SlotId>& slots = system.atoms[formula.atom].slots;
    return std::ranges::find(slots, slot) != slots.end();
  }
  return std::ranges::any_of(formula.parts,
                             [&](FormulaId part) { return reads_slot(system, part, slot); });
}

enum class Fate { Kept, Determined, Open };

// What becomes of a slot in a move. What an assignment leaves to its condition is behind a guard
// that it makes true, and takes any value.
Fate fate_of(const Move& move, SlotId slot) {
  Fate fate = Fate::Kept;
  for (const Act& act : move.acts) {
    if (std::ranges::find(act.freed, slot) != act.freed.end()) fate = Fate::Open;
    if (std::ranges::find(act.later, slot) != act.later.end()) {
      fate = act.action ? Fate::Determined : Fate::Open;
    }
    if (std::ranges::find(act.sets, slot, &model::Effect::slot) != act.sets.end()) {
      fate = Fate::Determined;
    }
  }
  return fate;
}

// Puts together what never happens.
class NeverHappening {
 public:
  NeverHappening(const System& system, const Happenings& all)
      : system_(system), model_(*system.model), all_(all) {}

  std::vector<Vacuous> found() {
    for (const StateId state : model_.states.ids()) add_rules(state);
    for (const RuleId rule : model_.rules.ids()) add_guard(rule);
    for (const WorldActionId action : model_.world.actions.ids()) add_action(action);
    for (const model::FailureId failure : model_.world.failures.ids()) add_failure(failure);
    std::ranges::stable_sort(found_, {},
                             [](const Vacuous& one) { return std::pair(one.what, one.at); });
    return std::move(found_);
  }

 private:
  using What = Vacuous::What;
  using Why = Vacuous::Why;

  void add_rules(StateId state) {
    const std::vector<Move>& moves = system_.moves[state.index];
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const Happenings::OfMove& move = all_.moves[state.index][i];
      if (move.fires) continue;
      Vacuous made{.what = What::Rule,
                   .why = !all_.looks[state.index] ? Why::StateNeverReached
                          : move.holds             ? Why::OthersAreStronger
                                                   : Why::GuardNeverHolds,
                   .at = model_.rules[moves[i].rule].at};
      made.state = state;
      made.rule = moves[i].rule;
      if (made.why == Why::OthersAreStronger) made.stronger = stronger_than(state, moves[i].rule);
      found_.push_back(std::move(made));
    }
  }

  // The stronger rules of the state whose guards hold at some time.
  [[nodiscard]] std::vector<RuleId> stronger_than(StateId state, RuleId rule) const {
    std::vector<RuleId> rules;
    const std::vector<Move>& moves = system_.moves[state.index];
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const bool stronger = model::is_stronger(model_.rules[moves[i].rule], model_.rules[rule]);
      if (stronger && all_.moves[state.index][i].holds) rules.push_back(moves[i].rule);
    }
    return rules;
  }

  // A guard that holds in no state from which the rule leads, though the application looks in one.
  void add_guard(RuleId rule) {
    bool looks = false;
    for (const StateId state : model_.rules[rule].from) {
      const std::vector<Move>& moves = system_.moves[state.index];
      const auto at = std::ranges::find(moves, rule, &Move::rule) - moves.begin();
      if (all_.moves[state.index][static_cast<std::size_t>(at)].holds) return;
      looks = looks || all_.looks[state.index];
    }
    if (!looks) return;
    Vacuous made{.what = What::Guard, .why = Why::GuardNeverHolds, .at = model_.rules[rule].at};
    made.rule = rule;
    found_.push_back(std::move(made));
  }

  // Why an action never happens; none if it does.
  [[nodiscard]] std::optional<Why> why_never(WorldActionId action) const {
    Why why = Why::NoRuleDoesIt;
    for (const StateId state : model_.states.ids()) {
      const std::vector<Move>& moves = system_.moves[state.index];
      for (std::size_t i = 0; i < moves.size(); ++i) {
        const Happenings::OfMove& move = all_.moves[state.index][i];
        for (std::size_t act = 0; act < moves[i].acts.size(); ++act) {
          if (moves[i].acts[act].action != action) continue;
          if (move.acts > act) return std::nullopt;
          // The acts before it happen, so that it was tried.
          if (move.fires && move.acts == act) why = Why::NoValuesSatisfyIt;
          if (why == Why::NoRuleDoesIt) why = Why::NoRuleGetsToIt;
        }
      }
    }
    return why;
  }

  void add_action(WorldActionId action) {
    const std::optional<Why> why = why_never(action);
    if (!why) return;
    Vacuous made{.what = What::Action, .why = *why, .at = model_.world.actions[action].at};
    made.action = action;
    found_.push_back(std::move(made));
  }

  // Once for each action that it is asked for after.
  void add_failure(model::FailureId failure) {
    std::vector<WorldActionId> said;
    for (const model::WorldFailure::Case& one : model_.world.failures[failure].cases) {
      if (std::ranges::find(said, one.after) != said.end() || !why_never(one.after)) continue;
      said.push_back(one.after);
      Vacuous made{.what = What::Failure, .why = Why::ActionNeverHappens, .at = one.at};
      made.failure = failure;
      made.action = one.after;
      found_.push_back(std::move(made));
    }
  }

  const System& system_;
  const model::Model& model_;
  const Happenings& all_;
  std::vector<Vacuous> found_;
};

}  // namespace

Happenings nothing_happens(const System& system) {
  Happenings all;
  all.looks.assign(system.moves.size(), false);
  for (const std::vector<Move>& moves : system.moves) {
    Happenings::OfMove none;
    none.leaves.assign(system.always.size(), false);
    all.moves.emplace_back(moves.size(), none);
  }
  return all;
}

bool may_leave(const System& system, const Move& move, std::size_t constraint) {
  if (system.mode == Mode::AsPrinted) return false;
  bool changed = false;
  for (const SlotId slot : system.model->slots.ids()) {
    if (!reads_slot(system, system.always[constraint], slot)) continue;
    const bool renewed = std::ranges::find(system.renewed, slot) != system.renewed.end();
    const Fate fate = fate_of(move, slot);
    if (renewed || fate == Fate::Open) return false;
    changed = changed || fate == Fate::Determined;
  }
  return changed;
}

std::vector<Vacuous> vacuous(const System& system, const Happenings& all) {
  return NeverHappening(system, all).found();
}

std::vector<Departure> departures(const System& system, const Happenings& all) {
  std::vector<Departure> found;
  for (std::uint32_t i = 0; i < system.always.size(); ++i) {
    for (const StateId state : system.model->states.ids()) {
      const std::vector<Move>& moves = system.moves[state.index];
      for (std::size_t move = 0; move < moves.size(); ++move) {
        if (!all.moves[state.index][move].leaves[i]) continue;
        found.push_back({model::ConstraintId{i}, state, moves[move].rule});
      }
    }
  }
  return found;
}

}  // namespace poise::verify
