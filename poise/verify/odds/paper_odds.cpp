#include "poise/verify/odds/paper_odds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "poise/chance/linear_event.h"
#include "poise/verify/odds/independent_part.h"
#include "poise/verify/odds/path_event.h"
#include "poise/verify/system/law_of.h"

namespace poise::verify {

using model::SlotId;

namespace {

constexpr std::size_t kMostCubes = 512;
constexpr double kMostValues = 10'000;  // of whole errors together

std::vector<SlotId> slots_off(const System& system, const std::vector<Cube>& cubes) {
  std::vector<SlotId> slots;
  for (const Cube& cube : cubes) {
    for (const Literal& literal : cube) {
      for (const Literal::Term& term : literal.terms) {
        const bool known = std::ranges::find(slots, term.slot) != slots.end();
        if (!known && system.is_off(term.slot)) slots.push_back(term.slot);
      }
    }
  }
  return slots;
}

// Slots whose whole errors are added to others in a condition. For these the law of a real number
// that is rounded is no use: a sum of rounded numbers is not the rounded sum.
std::vector<SlotId> added_up(const System& system, const std::vector<Cube>& cubes) {
  std::vector<SlotId> slots;
  for (const Cube& cube : cubes) {
    for (const Literal& literal : cube) {
      const auto is_off = [&](const Literal::Term& term) { return system.is_off(term.slot); };
      if (std::ranges::count_if(literal.terms, is_off) < 2) continue;
      for (const Literal::Term& term : literal.terms) {
        const bool known = std::ranges::find(slots, term.slot) != slots.end();
        if (!known && is_off(term) && is_whole(system, term.slot)) slots.push_back(term.slot);
      }
    }
  }
  return slots;
}

struct Read {
  double probability;
  Values values;
};

// All readings with a whole error, value by value; none if there are too many.
std::optional<std::vector<Read>> with_errors(const System& system, const std::vector<Read>& all,
                                             SlotId slot) {
  const chance::Law law = law_of(system.variable(slot));
  const double count = law.high() - law.low();
  if (count * static_cast<double>(all.size()) > kMostValues) return std::nullopt;
  std::vector<Read> result;
  for (const Read& one : all) {
    Rational off = system.errors[slot.index]->low;
    for (double from = law.low(); from < law.high(); from += 1) {
      Read& made = result.emplace_back(one);
      made.probability *= law.mass(from, from + 1);
      made.values[slot.index] = made.values[slot.index] + off;
      off = off + Rational(1);
    }
  }
  return result;
}

// The probability that the cube holds, by the errors of the slots; 0 if a comparison without them
// is false.
double probability_of(const System& system, const Cube& cube, const Values& actual,
                      const std::vector<SlotId>& slots, const std::vector<chance::Law>& laws) {
  std::vector<chance::LinearConstraint> constraints;
  for (const Literal& literal : cube) {
    Rational exactly = literal.constant;
    chance::LinearConstraint constraint{std::vector<double>(slots.size())};
    std::vector<std::size_t> noise;
    for (const Literal::Term& term : literal.terms) {
      exactly = exactly + term.factor * actual[term.slot.index];
      const auto at = std::ranges::find(slots, term.slot);
      if (at == slots.end()) continue;
      noise.push_back(static_cast<std::size_t>(at - slots.begin()));
      constraint.coefficients[noise.back()] = to_double(term.factor);
    }
    if (noise.empty()) {
      const int sign = exactly.sign();
      const bool holds = literal.sign == Literal::Sign::Less     ? sign < 0
                         : literal.sign == Literal::Sign::AtMost ? sign <= 0
                                                                 : sign == 0;
      if (!holds) return 0;
      continue;
    }
    const double rest = to_double(exactly);
    const bool whole = is_whole(system, slots[noise.front()]);
    if (literal.sign == Literal::Sign::Equal && !whole) return 0;
    if (noise.size() == 1) {
      double& factor = constraint.coefficients[noise.front()];
      const Allowed values = allowed(factor, rest, literal.sign, whole);
      factor = 1;
      constraint.lower = values.from;
      constraint.upper = values.to;
    } else {
      constraint.upper = -rest;
    }
    constraints.push_back(std::move(constraint));
  }
  return probability(constraints, laws, {.relative = 1e-4}).value;
}

}  // namespace

std::optional<double> PaperOdds::of(const Trace& trace) {
  double product = 1;
  for (const StepTrace& step : trace) {
    const std::optional<double> one = of(step);
    if (!one) return std::nullopt;
    product *= *one;
  }
  return product;
}

std::optional<double> PaperOdds::of(const StepTrace& step) {
  const std::vector<Move>& moves = system_.moves[step.from.index];
  const auto move = std::ranges::find(moves, step.rule, &Move::rule);
  const auto [known, is_new] = cubes_.try_emplace(move->guard);
  if (is_new) {
    const Wanted wanted{move->guard, true};
    known->second = cubes(system_, {&wanted, 1}, kMostCubes);
  }
  if (!known->second) return std::nullopt;
  std::vector<SlotId> slots = slots_off(system_, *known->second);
  double cut = 1;  // the mass of the uncut laws within their ranges
  for (const SlotId slot : slots) {
    const chance::Law law = law_of(system_.variable(slot));
    cut *= law.paper_mass(law.low(), law.high());
  }
  std::vector<Read> all = {{1, step.actual}};
  for (const SlotId slot : added_up(system_, *known->second)) {
    std::optional<std::vector<Read>> more = with_errors(system_, all, slot);
    if (!more) return std::nullopt;
    all = std::move(*more);
    std::erase(slots, slot);
  }
  std::vector<chance::Law> laws;
  for (const SlotId slot : slots) laws.push_back(law_of(system_.variable(slot)));
  double sum = 0;
  for (const Read& one : all) {
    for (const Cube& cube : *known->second) {
      sum += one.probability * probability_of(system_, cube, one.values, slots, laws);
    }
  }
  return cut * std::min(sum, 1.0);
}

}  // namespace poise::verify
