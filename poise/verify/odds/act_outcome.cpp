#include "poise/verify/odds/act_outcome.h"

#include <algorithm>

namespace poise::verify {

using Role = Number::Role;
using Sign = Literal::Sign;

namespace {

// Eliminates the open values one by one, first by equations, then by inequalities: each is replaced
// everywhere by a form over the numbers that are left.
class Solving {
 public:
  Solving(const System& system, std::vector<Affine> after, std::vector<Open> open,
          const Numbers& numbers)
      : system_(system), numbers_(numbers), open_(std::move(open)) {
    outcome_.after = std::move(after);
  }

  void add(const Cube& cube, const std::vector<Affine>& before) {
    for (const Literal& literal : cube) {
      Bound bound{{literal.constant, {}}, literal.sign};
      for (const Literal::Term& term : literal.terms) {
        const std::size_t slot = term.slot.index;
        const bool later = slot >= before.size();
        bound.value = sum(bound.value, later ? outcome_.after[slot - before.size()] : before[slot],
                          term.factor);
      }
      outcome_.bounds.push_back(std::move(bound));
    }
  }

  void use_equations() {
    for (std::size_t i = 0; i < outcome_.bounds.size(); ++i) {
      const Bound bound = outcome_.bounds[i];
      if (bound.sign != Sign::Equal) continue;
      for (auto one = open_.rbegin(); one != open_.rend(); ++one) {
        const Rational factor = factor_of(bound.value, one->number);
        if (factor.sign() == 0) continue;
        const NumberId number = one->number;
        Affine rest = substituted(bound.value, number, {});
        open_.erase(std::next(one).base());
        replace(number, sum({}, rest, Rational(-1) / factor));
        break;
      }
    }
  }

  void use_inequalities(const std::function<NumberId(model::SlotId, Role)>& another) {
    while (!open_.empty()) {
      const Open one = open_.front();
      open_.erase(open_.begin());
      const model::TypeKind kind = system_.variable(one.slot).type.kind;
      if (kind != model::TypeKind::Int && kind != model::TypeKind::Real) continue;
      for (const bool lower : {true, false}) {
        const auto anchor = anchor_of(one, lower);
        if (!anchor) continue;
        const auto is_noise = [&](const Affine::Term& term) {
          return numbers_[term.number].is_noise();
        };
        outcome_.follows_noise =
            outcome_.follows_noise || std::ranges::any_of(anchor->terms, is_noise);
        const NumberId apart = another(one.slot, lower ? Role::Above : Role::Below);
        replace(one.number, sum(*anchor, affine(apart), lower ? 1 : -1));
        break;
      }
    }
  }

  ActOutcome made() { return std::move(outcome_); }

 private:
  void replace(NumberId number, const Affine& by) {
    for (Affine& value : outcome_.after) value = substituted(value, number, by);
    for (Bound& bound : outcome_.bounds) bound.value = substituted(bound.value, number, by);
  }

  // A lower, or upper, bound of the open value in terms of values that are no longer open.
  [[nodiscard]] std::optional<Affine> anchor_of(const Open& one, bool lower) const {
    for (const Bound& bound : outcome_.bounds) {
      const Rational factor = factor_of(bound.value, one.number);
      if (bound.sign == Sign::Equal || factor.sign() != (lower ? -1 : 1)) continue;
      const bool alone = std::ranges::none_of(open_, [&](const Open& other) {
        return factor_of(bound.value, other.number).sign() != 0;
      });
      if (!alone) continue;
      Affine rest = substituted(bound.value, one.number, {});
      Affine anchor = sum({}, rest, Rational(-1) / factor);
      if (!is_whole(system_, one.slot)) return anchor;
      if (!is_whole_valued(anchor)) continue;
      if (bound.sign == Sign::Less) anchor.constant = anchor.constant + Rational(lower ? 1 : -1);
      return anchor;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_whole_valued(const Affine& value) const {
    return value.constant.is_integer() &&
           std::ranges::all_of(value.terms, [&](const Affine::Term& term) {
             return term.factor.is_integer() && numbers_[term.number].whole;
           });
  }

  const System& system_;
  const Numbers& numbers_;
  std::vector<Open> open_;
  ActOutcome outcome_;
};

}  // namespace

ActOutcome act_outcome(const System& system, const Cube& cube, const std::vector<Affine>& before,
                       std::vector<Affine> after, const std::vector<Open>& open,
                       const Numbers& numbers, Chosen what,
                       const std::function<NumberId(model::SlotId, Role)>& another) {
  Solving solving(system, std::move(after), open, numbers);
  solving.add(cube, before);
  solving.use_equations();
  if (what == Chosen::Apart) solving.use_inequalities(another);
  ActOutcome made = solving.made();
  made.chosen = what;
  return made;
}

}  // namespace poise::verify
