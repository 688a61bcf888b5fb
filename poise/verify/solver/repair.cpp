#include "poise/verify/solver/repair.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "poise/model/polynomial.h"
#include "poise/verify/solver/unrolled.h"
#include "poise/verify/zones/explore.h"

namespace poise::verify {

using model::Atom;
using model::AtomId;
using model::FormulaId;
using model::Op;
using model::Relation;

namespace {

using Path = std::vector<model::RuleId>;

// A comparison of one sensed variable with a number.
struct Comparison {
  AtomId atom;
  model::SlotId slot;
  Rational number;
  bool least;  // variable > or >= number, not < or <=
};

// What it could be compared with instead.
struct Threshold {
  Rational number;
  bool strict;
};

// Whether factor * x + constant RELATION 0 is a lower bound of x; `negative` is the factor's sign.
// None for equalities.
std::optional<bool> asks_for_least(Relation relation, bool negative) {
  switch (relation) {
    case Relation::Greater:
    case Relation::GreaterEqual: return !negative;
    case Relation::Less:
    case Relation::LessEqual: return negative;
    case Relation::Equal:
    case Relation::NotEqual: return std::nullopt;
  }
  return std::nullopt;
}

// Of the numbers from a to b, the one with the least denominator.
Rational simplest_between(const Rational& a, const Rational& b) {
  if (Rational(a.ceil()) <= b) return a.ceil();
  const Rational whole(a.floor());
  return whole +
         Rational(1) / simplest_between(Rational(1) / (b - whole), Rational(1) / (a - whole));
}

// A solver with one more unknown, which conditions read as a slot behind all others.
class WithNumber final : public OfSolver {
 public:
  WithNumber(smt::Solver& solver, smt::UnknownId number, model::SlotId slot)
      : OfSolver(solver), number_(number), slot_(slot) {}
  void require(const smt::Conditions& conditions, FormulaId formula,
               std::span<const smt::UnknownId> slots, smt::Polarity truth) override {
    std::vector<smt::UnknownId> all(slots.begin(), slots.end());
    all.resize(slot_.index + 1, number_);
    OfSolver::require(conditions, formula, all, truth);
  }

 private:
  smt::UnknownId number_;
  model::SlotId slot_;
};

class RepairSearch {
 public:
  RepairSearch(const System& system, const Hazard& hazard, std::size_t& effort,
               const Effort& limits)
      : system_(system), hazard_(hazard), effort_(effort), limits_(limits) {
    for (const std::vector<Move>& moves : system.moves) {
      for (const Move& move : moves) {
        if (move.rule == hazard.rule) guard_ = move.guard;
      }
    }
  }

  std::vector<Repair> found() {
    const std::variant<ZoneSystem, std::string> made = ZoneSystem::of(system_, limits_.budget());
    const auto* zones = std::get_if<ZoneSystem>(&made);
    if (zones == nullptr) return {};
    ticks_ = zones->ticks();
    std::vector<Repair> repairs;
    for (const Comparison& place : places()) {
      if (auto repair = least_move(place)) repairs.push_back(std::move(*repair));
    }
    return repairs;
  }

 private:
  // The comparisons that are conjuncts of the guard: only there does a stronger comparison make the
  // whole guard stronger for sure.
  [[nodiscard]] std::vector<Comparison> places() const {
    std::vector<Comparison> places;
    std::vector<FormulaId> open = {guard_};
    while (!open.empty()) {
      const model::Formula& formula = system_.formulas[open.back()];
      open.pop_back();
      if (formula.op == Op::And) {
        open.insert(open.end(), formula.parts.rbegin(), formula.parts.rend());
      }
      if (formula.op != Op::Atom) continue;
      const Atom& atom = system_.atoms[formula.atom];
      if (atom.membership || atom.value.terms.size() != 1) continue;
      const model::Monomial& term = atom.value.terms.front();
      if (term.slots.size() != 1 || !system_.is_sensed(term.slots.front())) continue;
      const auto least = asks_for_least(atom.relation, term.coefficient.sign() < 0);
      if (!least) continue;
      places.push_back(
          {formula.atom, term.slots.front(), -atom.value.constant / term.coefficient, *least});
    }
    return places;
  }

  // The system with another comparison there, in the guard of this rule, and wherever this guard is
  // a stronger one.
  [[nodiscard]] System moved(const Comparison& place, const model::Polynomial& to,
                             bool strict) const {
    System result = system_;
    Atom atom = system_.atoms[place.atom];
    atom.value = model::sum(model::slot_value(place.slot), model::scaled(to, -1));
    for (const model::Monomial& term : to.terms) {
      atom.slots.insert(atom.slots.end(), term.slots.begin(), term.slots.end());
    }
    atom.relation = place.least ? (strict ? Relation::Greater : Relation::GreaterEqual)
                                : (strict ? Relation::Less : Relation::LessEqual);
    const AtomId id = result.atoms.add(std::move(atom));
    const FormulaId guard = replaced(result, guard_, place.atom, id);
    for (std::vector<Move>& moves : result.moves) {
      for (Move& move : moves) {
        if (move.rule == hazard_.rule) move.guard = guard;
        std::ranges::replace(move.stronger, guard_, guard);
      }
    }
    return result;
  }

  static FormulaId replaced(System& system, FormulaId id, AtomId from, AtomId to) {
    model::Formula copy = system.formulas[id];
    if (copy.op == Op::Atom && copy.atom == from) {
      copy.atom = to;
    } else if (copy.op != Op::And) {
      return id;
    }
    for (FormulaId& part : copy.parts) part = replaced(system, part, from, to);
    return system.formulas.add(std::move(copy));
  }

  // A path to the hazard with this number: empty if there is none, so that the hazard is gone; none
  // if that is not known.
  [[nodiscard]] std::optional<Path> path_with(const Comparison& place, const Threshold& bound) {
    if (effort_ == 0) return std::nullopt;
    const System system = moved(place, model::constant(bound.number), bound.strict);
    const std::variant<ZoneSystem, std::string> made = ZoneSystem::of(system, limits_.budget());
    const auto* zones = std::get_if<ZoneSystem>(&made);
    if (zones == nullptr) return std::nullopt;
    const Reached all = reached(system, *zones, limits_, {.until = &hazard_});
    effort_ -= std::min(effort_, all.zones);
    const auto found = std::ranges::find_if(
        all.hazards, [&](const Hazard& other) { return at_same_place(other, hazard_); });
    if (found != all.hazards.end()) return found->shortest;
    if (!all.fits || !all.finished) return std::nullopt;
    return Path{};
  }

  // From path to path, each of which asks for more than the one before it.
  [[nodiscard]] std::optional<Repair> least_move(const Comparison& place) {
    Threshold bound{place.number, false};
    std::optional<Path> path = hazard_.shortest;
    while (path && !path->empty()) {
      const std::optional<Threshold> next = beyond(place, *path);
      if (!next || !asks_for_more(place, *next, bound) || !can_fire(place, *next)) {
        return std::nullopt;
      }
      bound = *next;
      path = path_with(place, bound);
    }
    if (!path) return std::nullopt;
    return Repair{.slot = place.slot,
                  .least = place.least,
                  .from = place.number,
                  .to = bound.number,
                  .strict = bound.strict};
  }

  // The least bound with which the path does not fail any more. Bisection until there is only one
  // number left that it can be: conditions of a path are about ticks, and none that matters uses
  // the comparison more than kMostUses times.
  [[nodiscard]] std::optional<Threshold> beyond(const Comparison& place, const Path& path) const {
    constexpr std::int64_t kMostUses = 64;
    const PathWithNumber question(*this, place, path);
    Rational fails = place.number;
    Rational holds = last_reading(place);
    if (question.can_fail(holds) != smt::Answer::No) return std::nullopt;
    if (question.can_fail(fails) != smt::Answer::Yes) return std::nullopt;
    const Rational denominator(kMostUses * ticks_);
    const Rational width = Rational(1) / (Rational(2) * denominator * denominator);
    while (distance(fails, holds) > width) {
      const Rational middle = (fails + holds) / Rational(2);
      const smt::Answer answer = question.can_fail(middle);
      if (answer == smt::Answer::Unknown) return std::nullopt;
      (answer == smt::Answer::Yes ? fails : holds) = middle;
    }
    const Rational number = simplest_between(std::min(fails, holds), std::max(fails, holds));
    const smt::Answer attained = question.can_fail(number);
    if (attained == smt::Answer::Unknown) return std::nullopt;
    return Threshold{number, attained == smt::Answer::Yes};
  }

  static Rational distance(const Rational& a, const Rational& b) { return a < b ? b - a : a - b; }

  // No reading is beyond the range and the error, unless actions lead out of the range.
  [[nodiscard]] Rational last_reading(const Comparison& place) const {
    const Domain domain = domain_of(system_, place.slot);
    const auto& error = system_.errors[place.slot.index];
    return place.least ? domain.high + (error ? error->high : 0)
                       : domain.low + (error ? error->low : 0);
  }

  [[nodiscard]] bool can_fire(const Comparison& place, const Threshold& bound) const {
    const Rational left =
        place.least ? last_reading(place) - bound.number : bound.number - last_reading(place);
    return bound.strict ? left.sign() > 0 : left.sign() >= 0;
  }

  static bool asks_for_more(const Comparison& place, const Threshold& a, const Threshold& b) {
    if (a.number == b.number) return a.strict && !b.strict;
    return (a.number > b.number) == place.least;
  }

  // The path with the number in the guard as an unknown.
  class PathWithNumber {
   public:
    PathWithNumber(const RepairSearch& search, const Comparison& place, const Path& path)
        : last_(search.last_reading(place)),
          slot_{static_cast<std::uint32_t>(2 * search.system_.slots())},
          system_(search.moved(place, model::slot_value(slot_), false)),
          solver_({.watchdog = search.limits_.watchdog()}),
          number_(solver_.add_unknown(smt::Sort::Real, "number")) {
      WithNumber requirements(solver_, number_, slot_);
      Unrolled(system_, requirements).take({search.hazard_.failure, path, search.hazard_.act, {}});
    }

    // With this number, or with one that asks for more.
    [[nodiscard]] smt::Answer can_fail(const Rational& number) const {
      solver_.push();
      solver_.require_between(number_, std::min(number, last_), std::max(number, last_));
      const smt::Answer answer = solver_.check();
      solver_.pop();
      return answer;
    }

   private:
    Rational last_;
    model::SlotId slot_;  // of the number: behind all others
    System system_;
    mutable smt::Solver solver_;
    smt::UnknownId number_;
  };

  const System& system_;
  const Hazard& hazard_;
  std::size_t& effort_;
  const Effort& limits_;
  FormulaId guard_;
  std::int64_t ticks_ = 1;  // that make 1
};

}  // namespace

std::vector<Repair> repairs(const System& system, const Hazard& hazard, std::size_t& effort,
                            const Effort& limits) {
  return RepairSearch(system, hazard, effort, limits).found();
}

}  // namespace poise::verify
