#include "poise/verify/solver/invariant.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/model/polynomial.h"
#include "poise/verify/solver/unrolled.h"

namespace poise::verify {

using model::Atom;
using model::FormulaId;
using model::Op;
using model::Relation;
using model::SlotId;

namespace {

Rational number_of(const ZoneSystem& zones, const Limit& limit) {
  return ticks(limit) / Rational(zones.ticks());
}

// x_sign * x + y_sign * y <= most, of slots.
Atom atom_of(const ZoneSystem& zones, const Octagon::Constraint& constraint) {
  const SlotId x = zones.dimensions()[constraint.x];
  Atom atom;
  atom.slots = {x};
  atom.value = model::scaled(model::slot_value(x), Rational(constraint.x_sign));
  if (constraint.y_sign != 0) {
    const SlotId y = zones.dimensions()[constraint.y];
    atom.slots.push_back(y);
    std::ranges::sort(atom.slots);
    atom.value =
        model::sum(atom.value, model::scaled(model::slot_value(y), Rational(constraint.y_sign)));
  }
  atom.value = model::sum(atom.value, model::constant(-number_of(zones, constraint.most)));
  atom.relation = constraint.most.strict ? Relation::Less : Relation::LessEqual;
  return atom;
}

// The weaker of two upper bounds; none is the weakest.
std::optional<Limit> weaker(const std::optional<Limit>& a, const std::optional<Limit>& b) {
  if (!a || !b) return std::nullopt;
  const Rational difference = ticks(*a) - ticks(*b);
  if (difference.sign() != 0) return difference.sign() > 0 ? a : b;
  return a->strict ? b : a;
}

// The upper bound of x, or of -x.
std::optional<Limit> bound(const Octagon& zone, std::uint32_t x, int sign) {
  if (sign > 0) return zone.most(x);
  std::optional<Limit> least = zone.least(x);
  if (least) least->value = -least->value;
  return least;
}

// The bounds of single dimensions that hold in all zones. Relations between dimensions are left
// out: those that hold in every zone hardly say anything.
Octagon box(const Zones& zones) {
  Octagon box(zones.front().shape());
  for (std::uint32_t x = 0; x < box.shape().dimensions; ++x) {
    for (const int sign : {1, -1}) {
      std::optional<Limit> most = bound(zones.front(), x, sign);
      for (const Octagon& zone : zones) most = weaker(most, bound(zone, x, sign));
      if (most) box.add({.x = x, .x_sign = sign, .y = 0, .y_sign = 0, .most = *most});
    }
  }
  return box;
}

// Text for octagons, in the modelling language.
class Words {
 public:
  Words(const System& system, const ZoneSystem& zones) : system_(system), zones_(zones) {}

  [[nodiscard]] std::string text(const Octagon& zone) const {
    std::vector<std::string> parts;
    std::optional<std::uint32_t> said;  // the dimension whose members were written last
    std::vector<Octagon::Constraint> all = zone.constraints();
    std::ranges::sort(all, {}, [](const Octagon::Constraint& one) {
      return std::tuple(one.y_sign != 0, one.x, one.y, one.x_sign * one.y_sign, one.x_sign);
    });
    for (const Octagon::Constraint& constraint : all) {
      if (constraint.y_sign == 0 && has_members(system_, slot(constraint.x))) {
        if (said != constraint.x) parts.push_back(members_text(zone, constraint.x));
        said = constraint.x;
        continue;
      }
      if (follows_from_range(constraint)) continue;
      // Two opposite bounds are written as one equation.
      const auto opposite = std::ranges::find_if(
          all, [&](const auto& other) { return are_opposite(constraint, other); });
      if (opposite == all.end()) {
        parts.push_back(text_of(constraint, constraint.most.strict ? "<" : "<="));
      } else if (&constraint < &*opposite) {
        parts.push_back(text_of(constraint, "=="));
      }
    }
    std::erase(parts, "");
    return parts.empty() ? "true" : joined(parts, " and ");
  }

  // Whether every sensed number is within its range.
  [[nodiscard]] bool is_in_range(const Octagon& zone) const {
    for (std::uint32_t x = 0; x < zones_.dimensions().size(); ++x) {
      if (!system_.is_sensed(slot(x)) || has_members(system_, slot(x))) continue;
      const Domain domain = domain_of(system_, slot(x));
      const std::optional<Limit> most = zone.most(x);
      const std::optional<Limit> least = zone.least(x);
      if (!most || !least) return false;
      if (number_of(zones_, *most) > domain.high || number_of(zones_, *least) < domain.low) {
        return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] SlotId slot(std::uint32_t dimension) const {
    return zones_.dimensions()[dimension];
  }
  [[nodiscard]] const std::string& name(std::uint32_t dimension) const {
    return system_.variable(slot(dimension)).name;
  }

  static bool are_opposite(const Octagon::Constraint& a, const Octagon::Constraint& b) {
    return a.x == b.x && a.y == b.y && a.x_sign == -b.x_sign && a.y_sign == -b.y_sign &&
           !a.most.strict && !b.most.strict && a.most.halvings == b.most.halvings &&
           a.most.value == -b.most.value;
  }

  [[nodiscard]] bool follows_from_range(const Octagon::Constraint& constraint) const {
    if (constraint.y_sign != 0 || !system_.is_sensed(slot(constraint.x))) return false;
    const Domain domain = domain_of(system_, slot(constraint.x));
    const Rational most = number_of(zones_, constraint.most);
    return !constraint.most.strict && most == (constraint.x_sign > 0 ? domain.high : -domain.low);
  }

  // The members that are possible for the variable: `not lamp`, `bag has key`, `phase in {low,
  // high}`. Empty if all are.
  [[nodiscard]] std::string members_text(const Octagon& zone, std::uint32_t dimension) const {
    const Domain domain = domain_of(system_, slot(dimension));
    const std::optional<Limit> most = zone.most(dimension);
    const std::optional<Limit> least = zone.least(dimension);
    const Rational high = most ? number_of(zones_, *most) : domain.high;
    const Rational low = least ? number_of(zones_, *least) : domain.low;
    if (low <= domain.low && high >= domain.high) return "";
    const model::Variable& variable = system_.variable(slot(dimension));
    const std::string_view negation = high == Rational(0) ? "not " : "";
    switch (variable.type.kind) {
      case model::TypeKind::Bool: return fmt::format("{}{}", negation, variable.name);
      case model::TypeKind::Set: {
        const std::uint32_t member = system_.model->slots[slot(dimension)].member;
        return fmt::format("{}{} has {}", negation, variable.name,
                           system_.model->symbols[variable.type.members[member]]);
      }
      case model::TypeKind::Int:
      case model::TypeKind::Real:
      case model::TypeKind::Enum: break;
    }
    std::vector<std::string> names;
    for (const model::SymbolId member : variable.type.members) {
      const Rational number(member.index);
      if (number >= low && number <= high) names.push_back(system_.model->symbols[member]);
    }
    if (names.size() == 1) return fmt::format("{} == {}", variable.name, names.front());
    return fmt::format("{} in {{{}}}", variable.name, joined(names, ", "));
  }

  // A constraint, written so that the first variable is positive: x >= 3, x - y < 2.
  [[nodiscard]] std::string text_of(const Octagon::Constraint& constraint,
                                    std::string_view relation) const {
    const bool turned = constraint.x_sign < 0;
    const Rational most = number_of(zones_, constraint.most);
    const Rational number = turned ? -most : most;
    std::string left = name(constraint.x);
    if (constraint.y_sign != 0) {
      const int sign = turned ? -constraint.y_sign : constraint.y_sign;
      if (relation == "==" && sign < 0 && number.sign() == 0) {
        return fmt::format("{} {} {}", left, equality(constraint.x), name(constraint.y));
      }
      left += fmt::format(" {} {}", sign > 0 ? "+" : "-", name(constraint.y));
    }
    std::string sign(relation);
    if (turned && relation != "==") sign[0] = '>';
    return fmt::format("{} {} {}", left, sign, number.to_string());
  }

  [[nodiscard]] std::string_view equality(std::uint32_t dimension) const {
    return system_.variable(slot(dimension)).type.kind == model::TypeKind::Bool ? "iff" : "==";
  }

  const System& system_;
  const ZoneSystem& zones_;
};

}  // namespace

Invariants invariants(const System&, const ZoneSystem& zones, const std::vector<Zones>& by_state) {
  Invariants result;
  for (const Zones& state : by_state) {
    model::Formula any{Op::Or, {}, {}};
    for (const Octagon& zone : state) {
      model::Formula all{Op::And, {}, {}};
      for (const Octagon::Constraint& constraint : zone.constraints()) {
        all.parts.push_back(
            result.formulas.add({Op::Atom, result.atoms.add(atom_of(zones, constraint)), {}}));
      }
      any.parts.push_back(result.formulas.add(std::move(all)));
    }
    result.by_state.push_back(result.formulas.add(std::move(any)));
  }
  return result;
}

Invariant invariant_of(const System& system, const ZoneSystem& zones, model::StateId state,
                       const Zones& union_of) {
  Invariant made{.state = state, .cases = {}, .in_all = {}, .in_range = true};
  if (union_of.empty()) return made;
  const Words words(system, zones);
  for (const Octagon& zone : union_of) {
    made.cases.push_back(words.text(zone));
    made.in_range = made.in_range && words.is_in_range(zone);
  }
  made.in_all = union_of.size() == 1 ? made.cases.front() : words.text(box(union_of));
  return made;
}

std::optional<std::string> objection(const System& system, const Invariants& invariants) {
  const smt::Conditions conditions{invariants.atoms, invariants.formulas};
  const model::Model& model = *system.model;
  {
    smt::Solver solver;
    OfSolver requirements(solver);
    Unrolled start(system, requirements);
    start.require(conditions, invariants.by_state[model.initial.index], smt::Polarity::Fails);
    if (solver.check() != smt::Answer::No) return "it need not hold at the start";
  }
  for (const model::StateId state : model.states.ids()) {
    smt::Solver solver;
    OfSolver requirements(solver);
    Unrolled step(system, requirements, Unrolled::From::Anywhere);
    step.require(conditions, invariants.by_state[state.index], smt::Polarity::Holds);
    for (const Move& move : system.moves[state.index]) {
      step.push();
      step.sense(state, move);
      const std::string& rule = model.rules[move.rule].name;
      for (const Act& act : move.acts) {
        step.run(act);
        for (const Case& one : act.cases) {
          step.push();
          step.require(one, smt::Polarity::Holds);
          if (solver.check() != smt::Answer::No) return fmt::format("{} may fail", rule);
          step.pop();
        }
        for (const Case& one : act.cases) step.require(one, smt::Polarity::Fails);
      }
      step.require(conditions, invariants.by_state[move.to.index], smt::Polarity::Fails);
      if (solver.check() != smt::Answer::No) return fmt::format("{} may leave it", rule);
      step.pop();
    }
  }
  return std::nullopt;
}

}  // namespace poise::verify
