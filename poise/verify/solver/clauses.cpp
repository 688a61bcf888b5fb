#include "poise/verify/solver/clauses.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "poise/verify/solver/condition_words.h"
#include "poise/verify/solver/unrolled.h"

namespace poise::verify {

using model::Op;
using model::SlotId;
using smt::PredicateId;

namespace {

// One clause for the start, and for each move one for every failure that is asked about and one for
// going on. The requirements of a move are unrolled once, and the clause is copied at each failure.
class Maker {
 public:
  Maker(const System& system, const std::vector<Place>& places)
      : system_(system), places_(places) {}

  smt::System made() {
    std::vector<smt::Sort> sorts;
    for (const SlotId slot : system_.model->slots.ids()) {
      sorts.push_back(is_whole(system_, slot) ? smt::Sort::Whole : smt::Sort::Real);
    }
    for (const model::State& state : system_.model->states) {
      made_.predicates.add({.name = state.name, .sorts = sorts});
    }
    made_.query = made_.predicates.add({.name = "fails"});
    add_start();
    for (const model::StateId state : system_.model->states.ids()) {
      for (std::size_t move = 0; move < system_.moves[state.index].size(); ++move) {
        add_move(state, move);
      }
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] static smt::Application at(model::StateId state, const Unrolled& unrolled) {
    return {.predicate = PredicateId{state.index},
            .arguments = {unrolled.now().begin(), unrolled.now().end()}};
  }

  // That the state is reached with the present values, as far as they can be seen: so invariants
  // are about nothing else, and can be written in the language.
  [[nodiscard]] smt::Application reached(model::StateId state, const Unrolled& unrolled,
                                         Requirements& requirements) const {
    smt::Application made = at(state, unrolled);
    for (const SlotId slot : system_.model->slots.ids()) {
      const std::optional<model::FormulaId>& seen = system_.seen[slot.index];
      if (!seen) continue;
      const smt::UnknownId shown =
          requirements.add_unknown(is_whole(system_, slot) ? smt::Sort::Whole : smt::Sort::Real,
                                   system_.variable(slot).name + "_seen");
      std::vector<smt::UnknownId> slots(unrolled.now().begin(), unrolled.now().end());
      slots.resize(2 * slots.size(), shown);
      requirements.require({system_.atoms, system_.formulas}, *seen, slots, smt::Polarity::Holds);
      made.arguments[slot.index] = shown;
    }
    return made;
  }

  void add_start() {
    smt::Clause clause;
    clause.name = "start";
    OfClause requirements(clause);
    const Unrolled start(system_, requirements);
    clause.head = reached(system_.model->initial, start, requirements);
    made_.clauses.add(std::move(clause));
  }

  void add_move(model::StateId state, std::size_t index) {
    const Move& move = system_.moves[state.index][index];
    smt::Clause clause;
    clause.name = system_.model->rules[move.rule].name;
    OfClause requirements(clause);
    Unrolled step(system_, requirements, Unrolled::From::Anywhere);
    clause.body = {at(state, step)};
    step.sense(state, move);
    for (std::size_t act = 0; act < move.acts.size(); ++act) {
      step.run(move.acts[act]);
      for (const Case& one : move.acts[act].cases) {
        if (!is_asked({state, index, act, one.failure})) continue;
        step.push();
        step.require(one, smt::Polarity::Holds);
        clause.head = {.predicate = made_.query, .arguments = {}};
        made_.clauses.add(clause);
        step.pop();
      }
      for (const Case& one : move.acts[act].cases) step.require(one, smt::Polarity::Fails);
    }
    clause.head = reached(move.to, step, requirements);
    made_.clauses.add(std::move(clause));
  }

  [[nodiscard]] bool is_asked(const Place& place) const {
    return std::ranges::any_of(places_, [&](const Place& other) {
      return other.state == place.state && other.move == place.move && other.act == place.act &&
             other.failure == place.failure;
    });
  }

  const System& system_;
  const std::vector<Place>& places_;
  smt::System made_;
};

}  // namespace

std::vector<Place> places_to_fail(const System& system) {
  std::vector<Place> places;
  for (const model::StateId state : system.model->states.ids()) {
    const std::vector<Move>& moves = system.moves[state.index];
    for (std::size_t move = 0; move < moves.size(); ++move) {
      for (std::size_t act = 0; act < moves[move].acts.size(); ++act) {
        for (const Case& one : moves[move].acts[act].cases) {
          places.push_back({state, move, act, one.failure});
        }
      }
    }
  }
  return places;
}

smt::System clauses_of(const System& system, const std::vector<Place>& places) {
  return Maker(system, places).made();
}

smt::Invariant conjunction(std::span<const smt::Invariant> invariants) {
  smt::Invariant made = invariants.front();
  for (const smt::Invariant& other : invariants.subspan(1)) {
    const auto first_atom = static_cast<std::uint32_t>(made.atoms.size());
    const auto first_formula = static_cast<std::uint32_t>(made.formulas.size());
    for (const model::Atom& atom : other.atoms) made.atoms.add(atom);
    for (model::Formula formula : other.formulas) {
      formula.atom.index += first_atom;
      for (model::FormulaId& part : formula.parts) part.index += first_formula;
      made.formulas.add(std::move(formula));
    }
    for (std::size_t i = 0; i < made.interpretations.size(); ++i) {
      smt::Invariant::Interpretation& both = made.interpretations[i];
      const smt::Invariant::Interpretation& second = other.interpretations[i];
      both.text = fmt::format("(and {} {})", both.text, second.text);
      if (!both.formula || !second.formula) {
        both.formula.reset();
        continue;
      }
      const model::FormulaId added{second.formula->index + first_formula};
      both.formula = made.formulas.add({Op::And, {}, {*both.formula, added}});
    }
  }
  return made;
}

namespace {

// The rules of a derivation. Every body has at most one predicate, so it is a path; its first
// clause is the start, which has no rule.
std::vector<model::RuleId> path_of(const System& system, const smt::System& clauses,
                                   const std::vector<smt::ClauseId>& derivation) {
  std::vector<model::RuleId> path;
  for (std::size_t i = 1; i < derivation.size(); ++i) {
    const smt::Clause& clause = clauses.clauses[derivation[i]];
    const std::uint32_t state = clause.body.front().predicate.index;
    for (const Move& move : system.moves[state]) {
      if (system.model->rules[move.rule].name == clause.name) path.push_back(move.rule);
    }
  }
  return path;
}

class Prover {
 public:
  Prover(const System& system, const Effort& effort, std::optional<unsigned> work)
      : system_(system), effort_(effort), work_(work) {}

  // All places at once first: if the system is safe, one invariant shows it. Otherwise one place
  // after another, for a path to each; if there is none to any, their invariants together are one
  // for all.
  Proof proof() {
    effort_.tell({.of = Progress::Of::Proof});
    const std::vector<Place> places = places_to_fail(system_);
    const smt::System all = clauses_of(system_, places);
    const smt::Reachability answer = smt::reachability(all, options());
    if (answer.reachable == smt::Answer::No) {
      say_safe(all, answer.invariant);
    } else if (work_) {
      result_.why = answer.why;
      if (answer.reachable == smt::Answer::Yes) result_.verdict = Verdict::Unsafe;
    } else {
      std::vector<smt::Invariant> each;
      for (const Place& place : places) {
        if (effort_.exhausted() != Exhausted::No) {
          result_.why = reason(effort_.exhausted());
          break;
        }
        smt::Reachability one = ask(place);
        if (one.reachable == smt::Answer::No) each.push_back(std::move(one.invariant));
      }
      if (!places.empty() && each.size() == places.size()) {
        say_safe(all, conjunction(each));
        return std::move(result_);
      }
      result_.verdict = result_.hazards.empty() ? Verdict::Unknown : Verdict::Unsafe;
      if (result_.hazards.empty() && result_.why.empty()) result_.why = answer.why;
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] smt::HornOptions options() const {
    return {.work_limit = work_, .watchdog = effort_.watchdog()};
  }

  smt::Reachability ask(const Place& place) {
    const smt::System clauses = clauses_of(system_, {place});
    smt::Reachability answer = smt::reachability(clauses, options());
    if (answer.reachable == smt::Answer::Unknown) result_.why = answer.why;
    if (answer.reachable != smt::Answer::Yes) return answer;
    const std::vector<model::RuleId> path = path_of(system_, clauses, answer.derivation);
    if (!leads_to(path, place)) {
      result_.without_path.push_back(place);
      return answer;
    }
    result_.hazards.push_back({.state = place.state,
                               .rule = system_.moves[place.state.index][place.move].rule,
                               .act = place.act,
                               .failure = place.failure,
                               .first = path.size(),
                               .shortest = path,
                               .paths = {}});
    return answer;
  }

  // Spacer simplifies clauses before it begins, and what is left of a derivation may be a part of
  // it, or nothing.
  [[nodiscard]] bool leads_to(const std::vector<model::RuleId>& path, const Place& place) const {
    model::StateId state = system_.model->initial;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const std::vector<Move>& moves = system_.moves[state.index];
      const auto move = std::ranges::find(moves, path[i], &Move::rule);
      if (move == moves.end()) return false;
      if (i + 1 == path.size()) {
        return state == place.state && static_cast<std::size_t>(move - moves.begin()) == place.move;
      }
      state = move->to;
    }
    return false;
  }

  void say_safe(const smt::System& clauses, const smt::Invariant& invariant) {
    const smt::InvariantCheck check = smt::check_invariant(clauses, invariant, options());
    result_.checked = check.holds == smt::Answer::Yes;
    result_.verdict = result_.checked ? Verdict::Safe : Verdict::Unknown;
    if (!result_.checked) result_.why = "the invariant could not be confirmed";
    for (const model::StateId state : system_.model->states.ids()) {
      const auto formula = invariant.interpretations[state.index].formula;
      std::optional<Invariant> words;
      if (formula) words = invariant_of(system_, state, invariant.conditions(), *formula);
      if (!words) {
        result_.invariants.clear();
        return;
      }
      result_.invariants.push_back(std::move(*words));
    }
  }

  const System& system_;
  const Effort& effort_;
  std::optional<unsigned> work_;
  Proof result_;
};

}  // namespace

Proof proof_by_clauses(const System& system, const Effort& effort, std::optional<unsigned> work) {
  return Prover(system, effort, work).proof();
}

}  // namespace poise::verify
