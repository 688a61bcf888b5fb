#include "poise/verify/system/cubes.h"

#include <algorithm>

#include "poise/base/truth.h"
#include "poise/model/polynomial.h"

namespace poise::verify {

using model::Atom;
using model::AtomId;
using model::FormulaId;
using model::Op;
using model::Relation;

namespace {

constexpr std::size_t kMostSteps = 100'000;  // nodes of the tree; beyond that it gives up

class Tree {
 public:
  Tree(const System& system, std::span<const Wanted> wanted, std::size_t most, Budget* budget)
      : system_(system),
        wanted_(wanted),
        most_(most),
        budget_(budget),
        known_(system.atoms.size(), Truth::Unknown) {}

  std::optional<std::vector<Cube>> made() {
    descend();
    if (failed_) return std::nullopt;
    return std::move(cubes_);
  }

 private:
  void descend() {
    if (++steps_ > kMostSteps) failed_ = true;
    if (budget_ != nullptr && budget_->exhausted_now() != Exhausted::No) failed_ = true;
    if (failed_) return;
    undecided_.reset();
    Truth all = Truth::True;
    for (const Wanted& one : wanted_) {
      const Truth truth = truth_of(one.formula);
      all = std::min(all, one.holds ? truth : !truth);
      if (all == Truth::False) return;
    }
    if (all == Truth::True) {
      if (cubes_.size() == most_) failed_ = true;
      if (!failed_) cubes_.push_back(cube_);
      return;
    }
    const AtomId atom = *undecided_;
    for (const bool holds : {true, false}) {
      known_[atom.index] = holds ? Truth::True : Truth::False;
      branch(atom, holds);
    }
    known_[atom.index] = Truth::Unknown;
  }

  // Descends once for each way in which the atom is true, or false.
  void branch(AtomId id, bool holds) {
    const Atom& atom = system_.atoms[id];
    if (!model::is_linear(atom.value)) failed_ = true;
    if (failed_) return;
    if (!atom.membership) {
      compare(atom, holds ? atom.relation : negated(atom.relation), 0, [&] { descend(); });
      return;
    }
    if (holds) {
      for (const Rational& value : atom.among) {
        compare(atom, Relation::Equal, value, [&] { descend(); });
      }
      return;
    }
    differ(atom, 0);
  }

  // The value is no member: less than the first one, between the first and the second, ...
  void differ(const Atom& atom, std::size_t from) {
    if (from == atom.among.size()) {
      if (atom.among.empty()) return descend();
      compare(atom, Relation::Greater, atom.among.back(), [&] { descend(); });
      return;
    }
    compare(atom, Relation::Less, atom.among[from], [&] {
      if (from == 0) return descend();
      compare(atom, Relation::Greater, atom.among[from - 1], [&] { descend(); });
    });
    differ(atom, from + 1);
  }

  // Descends with the comparison of the atom's value with a number added to the cube.
  template <class Then>
  void compare(const Atom& atom, Relation relation, const Rational& to, const Then& then) {
    using Sign = Literal::Sign;
    switch (relation) {
      case Relation::Equal: return with(atom, 1, to, Sign::Equal, then);
      case Relation::Less: return with(atom, 1, to, Sign::Less, then);
      case Relation::LessEqual: return with(atom, 1, to, Sign::AtMost, then);
      case Relation::Greater: return with(atom, -1, to, Sign::Less, then);
      case Relation::GreaterEqual: return with(atom, -1, to, Sign::AtMost, then);
      case Relation::NotEqual:
        with(atom, 1, to, Sign::Less, then);
        with(atom, -1, to, Sign::Less, then);
        return;
    }
  }

  template <class Then>
  void with(const Atom& atom, std::int64_t factor, const Rational& to, Literal::Sign sign,
            const Then& then) {
    Literal literal{
        .terms = {}, .constant = Rational(factor) * (atom.value.constant - to), .sign = sign};
    for (const model::Monomial& term : atom.value.terms) {
      literal.terms.push_back({term.slots.front(), Rational(factor) * term.coefficient});
    }
    if (literal.terms.empty()) {
      const int value = literal.constant.sign();
      const bool holds = sign == Literal::Sign::Less     ? value < 0
                         : sign == Literal::Sign::AtMost ? value <= 0
                                                         : value == 0;
      if (holds) then();
      return;
    }
    if (std::ranges::any_of(cube_, [&](const Literal& other) { return exclude(literal, other); })) {
      return;
    }
    cube_.push_back(std::move(literal));
    then();
    cube_.pop_back();
  }

  // Whether two comparisons of one slot with numbers contradict each other. Other contradictions
  // are left to the users of cubes.
  static bool exclude(const Literal& a, const Literal& b) {
    if (a.terms.size() != 1 || b.terms.size() != 1) return false;
    if (a.terms.front().slot != b.terms.front().slot) return false;
    const auto excluded = [](const Literal& one, const Literal& other) {
      // The sign of the other's left side at the limit of the first.
      const Rational& factor = other.terms.front().factor;
      const Rational limit = -one.constant / one.terms.front().factor;
      const int missed = (factor * limit + other.constant).sign();
      const bool equal = one.sign == Literal::Sign::Equal;
      const bool away = (one.terms.front().factor.sign() > 0) != (factor.sign() > 0);
      if (other.sign == Literal::Sign::Equal) return equal && missed != 0;
      if (!equal && !away) return false;
      const bool strict = one.sign == Literal::Sign::Less || other.sign == Literal::Sign::Less;
      return strict ? missed >= 0 : missed > 0;
    };
    return excluded(a, b) || excluded(b, a);
  }

  // The truth of a formula by the atoms decided so far. If it is unknown, undecided_ is the first
  // atom that it depends on.
  Truth truth_of(FormulaId id) {
    const model::Formula& formula = system_.formulas[id];
    switch (formula.op) {
      case Op::False: return Truth::False;
      case Op::True: return Truth::True;
      case Op::Atom: {
        const Truth known = known_[formula.atom.index];
        if (known == Truth::Unknown && !undecided_) undecided_ = formula.atom;
        return known;
      }
      case Op::Not: return !truth_of(formula.parts[0]);
      case Op::And:
      case Op::Or: {
        const Truth deciding = formula.op == Op::And ? Truth::False : Truth::True;
        Truth result = !deciding;
        const std::optional<AtomId> before = undecided_;
        for (const FormulaId part : formula.parts) {
          const Truth truth = truth_of(part);
          if (truth == deciding) {
            undecided_ = before;
            return deciding;
          }
          if (truth == Truth::Unknown) result = Truth::Unknown;
        }
        return result;
      }
      case Op::Implies: {
        const std::optional<AtomId> before = undecided_;
        const Truth first = truth_of(formula.parts[0]);
        const Truth second = first == Truth::False ? Truth::True : truth_of(formula.parts[1]);
        const Truth result = std::max(!first, second);
        if (result == Truth::True) undecided_ = before;
        return result;
      }
      case Op::Iff: {
        const Truth first = truth_of(formula.parts[0]);
        const Truth second = truth_of(formula.parts[1]);
        if (first == Truth::Unknown || second == Truth::Unknown) return Truth::Unknown;
        return first == second ? Truth::True : Truth::False;
      }
    }
    return Truth::Unknown;
  }

  const System& system_;
  std::span<const Wanted> wanted_;
  std::size_t most_;
  Budget* budget_;
  std::vector<Truth> known_ = {};
  std::optional<AtomId> undecided_;
  Cube cube_;
  std::vector<Cube> cubes_;
  bool failed_ = false;
  std::size_t steps_ = 0;
};

}  // namespace

std::optional<std::vector<Cube>> cubes(const System& system, std::span<const Wanted> wanted,
                                       std::size_t most, Budget* budget) {
  return Tree(system, wanted, most, budget).made();
}

}  // namespace poise::verify
