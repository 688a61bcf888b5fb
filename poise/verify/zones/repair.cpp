#include "poise/verify/zones/repair.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "poise/model/polynomial.h"
#include "poise/verify/zones/explore.h"

namespace poise::verify {

using model::Atom;
using model::AtomId;
using model::FormulaId;
using model::Op;
using model::Relation;

namespace {

// A comparison of one sensed variable with a number.
struct Place {
  AtomId atom;
  model::SlotId slot;
  Rational number;
  bool least;  // variable > or >= number, not < or <=
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

class RepairSearch {
 public:
  RepairSearch(const System& system, const Hazard& hazard, std::size_t& effort, Budget& budget)
      : system_(system), hazard_(hazard), effort_(effort), budget_(budget) {
    for (const std::vector<Move>& moves : system.moves) {
      for (const Move& move : moves) {
        if (move.rule == hazard.rule) guard_ = move.guard;
      }
    }
  }

  std::vector<Repair> found() {
    std::vector<Repair> repairs;
    for (const Place& place : places()) {
      if (auto repair = least_move(place)) repairs.push_back(std::move(*repair));
    }
    return repairs;
  }

 private:
  // The comparisons that are conjuncts of the guard: only there does a stronger comparison make the
  // whole guard stronger for sure.
  [[nodiscard]] std::vector<Place> places() const {
    std::vector<Place> places;
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

  // The system with another number there, in the guard of this rule, and wherever this guard is a
  // stronger one.
  [[nodiscard]] System moved(const Place& place, const Rational& number, bool strict) const {
    System result = system_;
    Atom atom = system_.atoms[place.atom];
    atom.value = model::sum(model::slot_value(place.slot), model::constant(-number));
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

  // Whether the hazard is gone with this number; none if that is not known.
  [[nodiscard]] std::optional<bool> is_gone(const Place& place, const Rational& number,
                                            bool strict) {
    if (effort_ == 0) return std::nullopt;
    const System system = moved(place, number, strict);
    const std::variant<ZoneSystem, std::string> made = ZoneSystem::of(system);
    const auto* zones = std::get_if<ZoneSystem>(&made);
    if (zones == nullptr) return std::nullopt;
    const Reached all = reached(system, *zones, budget_, {.until = &hazard_});
    effort_ -= std::min(effort_, all.zones);
    const bool found = std::ranges::any_of(
        all.hazards, [&](const Hazard& other) { return at_same_place(other, hazard_); });
    if (found) return false;
    if (!all.fits || !all.finished) return std::nullopt;
    return true;
  }

  // Doubles the distance until it is enough, then bisects. From near to far, because a number that
  // is not enough is refuted soon, while one that is enough takes a complete search.
  [[nodiscard]] std::optional<Repair> least_move(const Place& place) {
    // No reading is beyond the range and the error.
    const Domain domain = domain_of(system_, place.slot);
    const auto& error = system_.errors[place.slot.index];
    const Rational end = place.least ? domain.high + (error ? error->high : 0)
                                     : domain.low + (error ? error->low : 0);
    const std::variant<ZoneSystem, std::string> made = ZoneSystem::of(system_);
    const auto* zones = std::get_if<ZoneSystem>(&made);
    if (zones == nullptr) return std::nullopt;
    const Rational step = Rational(place.least ? 1 : -1) / Rational(2 * zones->ticks());
    const auto number = [&](const Integer& steps) { return place.number + Rational(steps) * step; };
    const Integer last = ((end - place.number) / step).ceil() - Integer(1);
    // If even the last number at which the rule can fire is not enough, there is no repair.
    if (last.sign() <= 0 || is_gone(place, number(last), false) != true) return std::nullopt;
    Integer near = 0;
    Integer far = 1;
    while (far < last) {
      const auto gone = is_gone(place, number(far), false);
      if (!gone) return std::nullopt;
      if (*gone) break;
      near = far;
      far = far + far;
    }
    far = std::min(far, last);
    while (near + Integer(1) < far) {
      const Integer middle = floor_divide(near + far, Integer(2));
      const auto gone = is_gone(place, number(middle), false);
      if (!gone) return std::nullopt;
      (*gone ? far : near) = middle;
    }
    // With > instead of >=, the last number that was not enough may be enough.
    const bool strict = is_gone(place, number(near), true) == true;
    return Repair{.slot = place.slot,
                  .least = place.least,
                  .from = place.number,
                  .to = number(strict ? near : far),
                  .strict = strict};
  }

  const System& system_;
  const Hazard& hazard_;
  std::size_t& effort_;
  Budget& budget_;
  FormulaId guard_;
};

}  // namespace

std::vector<Repair> repairs(const System& system, const Hazard& hazard, std::size_t& effort,
                            Budget& budget) {
  return RepairSearch(system, hazard, effort, budget).found();
}

}  // namespace poise::verify
