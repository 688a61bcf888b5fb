#include "poise/model/polynomial.h"

#include <algorithm>
#include <map>

namespace poise::model {

namespace {

using Terms = std::map<std::vector<SlotId>, Rational>;

Polynomial from_terms(const Terms& terms, Rational constant) {
  Polynomial result;
  result.constant = std::move(constant);
  for (const auto& [slots, coefficient] : terms) {
    if (coefficient.sign() != 0) result.terms.push_back({slots, coefficient});
  }
  return result;
}

void add(Terms& terms, const std::vector<SlotId>& slots, const Rational& coefficient) {
  Rational& sum = terms[slots];
  sum = sum + coefficient;
}

}  // namespace

Polynomial constant(const Rational& value) { return {{}, value}; }

Polynomial slot_value(SlotId slot) { return {{{{slot}, 1}}, 0}; }

Polynomial sum(const Polynomial& a, const Polynomial& b) {
  Terms terms;
  for (const Polynomial* polynomial : {&a, &b}) {
    for (const Monomial& term : polynomial->terms) add(terms, term.slots, term.coefficient);
  }
  return from_terms(terms, a.constant + b.constant);
}

Polynomial scaled(const Polynomial& polynomial, const Rational& factor) {
  return product(polynomial, constant(factor));
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Terms terms;
  for (const Monomial& left : a.terms) {
    add(terms, left.slots, left.coefficient * b.constant);
    for (const Monomial& right : b.terms) {
      std::vector<SlotId> slots = left.slots;
      slots.insert(slots.end(), right.slots.begin(), right.slots.end());
      std::ranges::sort(slots);
      add(terms, slots, left.coefficient * right.coefficient);
    }
  }
  for (const Monomial& right : b.terms) add(terms, right.slots, right.coefficient * a.constant);
  return from_terms(terms, a.constant * b.constant);
}

Polynomial substituted(const Polynomial& polynomial, SlotId slot, const Rational& value) {
  Terms terms;
  Rational rest = polynomial.constant;
  for (const Monomial& term : polynomial.terms) {
    std::vector<SlotId> slots;
    Rational factor = term.coefficient;
    for (const SlotId factor_slot : term.slots) {
      if (factor_slot == slot) {
        factor = factor * value;
      } else {
        slots.push_back(factor_slot);
      }
    }
    if (slots.empty()) {
      rest = rest + factor;
    } else {
      add(terms, slots, factor);
    }
  }
  return from_terms(terms, rest);
}

bool is_linear(const Polynomial& polynomial) {
  return std::ranges::all_of(polynomial.terms,
                             [](const Monomial& term) { return term.slots.size() == 1; });
}

bool reads(const Polynomial& polynomial, SlotId slot) {
  return std::ranges::any_of(polynomial.terms, [&](const Monomial& term) {
    return std::ranges::find(term.slots, slot) != term.slots.end();
  });
}

Rational coefficient(const Polynomial& polynomial, SlotId slot) {
  for (const Monomial& term : polynomial.terms) {
    if (term.slots == std::vector<SlotId>{slot}) return term.coefficient;
  }
  return 0;
}

Polynomial normalized(const Polynomial& polynomial) {
  if (polynomial.terms.empty()) return polynomial;
  return scaled(polynomial, Rational(1) / polynomial.terms.front().coefficient);
}

bool precedes(const Polynomial& a, const Polynomial& b) {
  const auto less = [](const Monomial& x, const Monomial& y) {
    if (x.slots != y.slots) return x.slots < y.slots;
    return x.coefficient < y.coefficient;
  };
  if (a.terms != b.terms) {
    return std::lexicographical_compare(a.terms.begin(), a.terms.end(), b.terms.begin(),
                                        b.terms.end(), less);
  }
  return a.constant < b.constant;
}

}  // namespace poise::model
