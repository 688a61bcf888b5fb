#include "poise/verify/solver/clauses.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "poise/verify/solver/unrolled.h"

namespace poise::verify {

using model::Op;
using model::Relation;
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

  void add_start() {
    smt::Clause clause;
    clause.name = "start";
    OfClause requirements(clause);
    const Unrolled start(system_, requirements);
    clause.head = at(system_.model->initial, start);
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
    clause.head = at(move.to, step);
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

std::string side_text(const model::Model& model, const std::vector<model::Monomial>& terms,
                      int sign) {
  std::string text;
  for (const model::Monomial& term : terms) {
    if (term.coefficient.sign() != sign) continue;
    const Rational size = sign < 0 ? -term.coefficient : term.coefficient;
    if (!text.empty()) text += " + ";
    if (size != Rational(1)) text += size.to_string() + " * ";
    for (std::size_t i = 0; i < term.slots.size(); ++i) {
      const model::Variable& variable = model.variables[model.slots[term.slots[i]].variable];
      text += (i == 0 ? "" : " * ") + variable.name;
    }
  }
  return text;
}

std::string atom_text(const model::Model& model, const model::Atom& atom) {
  std::string left = side_text(model, atom.value.terms, 1);
  std::string right = side_text(model, atom.value.terms, -1);
  const Rational number = -atom.value.constant;
  Relation relation = atom.relation;
  if (left.empty()) {
    std::swap(left, right);
    right = (-number).to_string();
    relation = mirrored(relation);
  } else if (right.empty()) {
    right = number.to_string();
  } else if (number.sign() > 0) {
    right += " + " + number.to_string();
  } else if (number.sign() < 0) {
    right += " - " + (-number).to_string();
  }
  return fmt::format("{} {} {}", left, symbol(relation), right);
}

}  // namespace

std::string condition_text(const model::Model& model, const smt::Conditions& tables,
                           model::FormulaId id) {
  const model::Formula& formula = tables.formulas.get()[id];
  const auto part = [&](std::size_t i, bool tight) {
    const model::Formula& inner = tables.formulas.get()[formula.parts[i]];
    const std::string text = condition_text(model, tables, formula.parts[i]);
    const bool simple = inner.op == Op::Atom || inner.op == Op::True || inner.op == Op::False;
    return tight && !simple ? "(" + text + ")" : text;
  };
  const auto chain = [&](std::string_view word) {
    std::string text;
    for (std::size_t i = 0; i < formula.parts.size(); ++i) {
      if (i > 0) text += fmt::format(" {} ", word);
      text += part(i, true);
    }
    return text;
  };
  switch (formula.op) {
    case Op::False: return "false";
    case Op::True: return "true";
    case Op::Atom: return atom_text(model, tables.atoms.get()[formula.atom]);
    case Op::Not: return "not " + part(0, true);
    case Op::And: return formula.parts.empty() ? "true" : chain("and");
    case Op::Or: return formula.parts.empty() ? "false" : chain("or");
    case Op::Implies: return chain("implies");
    case Op::Iff: return chain("iff");
  }
  return "";
}

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
  Prover(const System& system, const Budget& budget, std::optional<unsigned> work)
      : system_(system), budget_(budget), work_(work) {}

  // All places at once first: if the system is safe, one invariant shows it. Otherwise one place
  // after another, for a path to each.
  Proof proof() {
    const std::vector<Place> places = places_to_fail(system_);
    const smt::System all = clauses_of(system_, places);
    const smt::Reachability answer = smt::reachability(all, options());
    if (answer.reachable == smt::Answer::No) {
      say_safe(all, answer.invariant);
    } else if (work_) {
      result_.why = answer.why;
      if (answer.reachable == smt::Answer::Yes) result_.verdict = Verdict::Unsafe;
    } else {
      for (const Place& place : places) ask(place);
      result_.verdict = result_.hazards.empty() ? Verdict::Unknown : Verdict::Unsafe;
      if (result_.hazards.empty() && result_.why.empty()) result_.why = answer.why;
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] smt::HornOptions options() const {
    return {.time_limit = budget_.time_left(), .work_limit = work_};
  }

  void ask(const Place& place) {
    const smt::System clauses = clauses_of(system_, {place});
    const smt::Reachability answer = smt::reachability(clauses, options());
    if (answer.reachable == smt::Answer::Unknown) result_.why = answer.why;
    if (answer.reachable != smt::Answer::Yes) return;
    const std::vector<model::RuleId> path = path_of(system_, clauses, answer.derivation);
    result_.hazards.push_back({.state = place.state,
                               .rule = system_.moves[place.state.index][place.move].rule,
                               .act = place.act,
                               .failure = place.failure,
                               .first = path.size(),
                               .shortest = path,
                               .paths = {}});
  }

  void say_safe(const smt::System& clauses, const smt::Invariant& invariant) {
    const smt::InvariantCheck check = smt::check_invariant(clauses, invariant, options());
    result_.checked = check.holds == smt::Answer::Yes;
    result_.verdict = result_.checked ? Verdict::Safe : Verdict::Unknown;
    if (!result_.checked) result_.why = "the invariant could not be confirmed";
    for (const model::StateId state : system_.model->states.ids()) {
      const std::vector<std::string> cases = cases_of(invariant, state);
      result_.invariants.push_back({.state = state,
                                    .cases = cases,
                                    .in_all = cases.size() == 1 ? cases.front() : "true",
                                    .in_range = false});
    }
  }

  [[nodiscard]] std::vector<std::string> cases_of(const smt::Invariant& invariant,
                                                  model::StateId state) const {
    const smt::Invariant::Interpretation& holds = invariant.interpretations[state.index];
    if (!holds.formula) return {holds.text};
    const model::Formula& formula = invariant.formulas[*holds.formula];
    if (formula.op == Op::False) return {};
    std::vector<std::string> cases;
    const auto add = [&](model::FormulaId part) {
      cases.push_back(condition_text(*system_.model, invariant.conditions(), part));
    };
    if (formula.op == Op::Or) {
      for (const model::FormulaId part : formula.parts) add(part);
    } else {
      add(*holds.formula);
    }
    return cases;
  }

  const System& system_;
  const Budget& budget_;
  std::optional<unsigned> work_;
  Proof result_;
};

}  // namespace

Proof proof_by_clauses(const System& system, const Budget& budget, std::optional<unsigned> work) {
  return Prover(system, budget, work).proof();
}

}  // namespace poise::verify
