#include "poise/verify/mission/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace poise::verify {

using model::SlotId;
using Sign = Literal::Sign;

bool Comparison::holds() const {
  const int value = constant.sign();
  switch (sign) {
    case Sign::Less: return value < 0;
    case Sign::AtMost: return value <= 0;
    case Sign::Equal: return value == 0;
  }
  return false;
}

Truth truth_of(const Comparison& comparison, const Grid& grid, const Box& box) {
  double low = to_double(comparison.constant);
  double high = low;
  bool attains_low = true;
  bool attains_high = true;
  for (const Comparison::Term& term : comparison.now) {
    const AxisCell& cell = grid[term.axis].cells[box[term.axis]];
    const double factor = to_double(term.factor);
    const bool up = factor > 0;
    low += factor * (up ? cell.low : cell.high);
    high += factor * (up ? cell.high : cell.low);
    attains_low = attains_low && !(up ? cell.low_open : cell.high_open);
    attains_high = attains_high && !(up ? cell.high_open : cell.low_open);
  }
  // What is 0 but for rounding is 0.
  const double size = std::max({1.0, std::isfinite(low) ? std::abs(low) : 0.0,
                                std::isfinite(high) ? std::abs(high) : 0.0,
                                std::abs(to_double(comparison.constant))});
  if (std::abs(low) <= 1e-11 * size) low = 0;
  if (std::abs(high) <= 1e-11 * size) high = 0;
  const bool all_less = high < 0 || (high == 0 && !attains_high);
  const bool none_less = low >= 0;
  const bool all_at_most = high <= 0;
  const bool none_at_most = low > 0 || (low == 0 && !attains_low);
  switch (comparison.sign) {
    case Sign::Less: return all_less ? Truth::True : none_less ? Truth::False : Truth::Unknown;
    case Sign::AtMost:
      return all_at_most ? Truth::True : none_at_most ? Truth::False : Truth::Unknown;
    case Sign::Equal:
      if (low == 0 && high == 0) return Truth::True;
      return all_less || none_at_most ? Truth::False : Truth::Unknown;
  }
  return Truth::Unknown;
}

Truth truth_of(const Comparisons& all, const Grid& grid, const Box& box) {
  return all_hold(all.size(), [&](std::size_t i) { return truth_of(all[i], grid, box); });
}

std::vector<std::size_t> axes_of(const std::vector<Comparisons>& all) {
  std::vector<std::size_t> axes;
  for (const Comparisons& comparisons : all) {
    for (const Comparison& comparison : comparisons) {
      for (const Comparison::Term& term : comparison.now) axes.push_back(term.axis);
    }
  }
  std::ranges::sort(axes);
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

Field where(Workshop& shop, const Comparisons& comparisons, const Field& value) {
  return restricted(shop, value, axes_of({comparisons}),
                    [&](const Box& box) { return truth_of(comparisons, *shop.grid, box); });
}

Rational ComparisonReader::chosen(std::size_t choice, std::size_t combination) const {
  return numbers_.choices[choice].values[numbers_.digit(combination, choice)];
}

std::optional<Comparison> ComparisonReader::read(const Literal& literal, std::size_t now,
                                                 std::size_t later, const Act* act) const {
  Comparison made{
      .now = {}, .later = {}, .errors = {}, .constant = literal.constant, .sign = literal.sign};
  for (const Literal::Term& term : literal.terms) {
    const bool is_later = term.slot.index >= system_.slots();
    const SlotId slot{is_later ? term.slot.index - static_cast<std::uint32_t>(system_.slots())
                               : term.slot.index};
    const SlotRole& role = numbers_.roles[slot.index];
    switch (role.kind) {
      case SlotRole::Kind::Ignored: return std::nullopt;
      case SlotRole::Kind::Fixed: made.constant = made.constant + term.factor * role.value; break;
      case SlotRole::Kind::Choice:
        made.constant = made.constant + term.factor * chosen(role.index, is_later ? later : now);
        break;
      case SlotRole::Kind::Number:
        (is_later ? made.later : made.now).push_back({role.index, term.factor});
        break;
    }
    const bool done = act && !is_later && std::ranges::find(act->done, slot) != act->done.end();
    if (done) made.errors.push_back({slot, term.factor});
  }
  return made;
}

std::optional<Comparisons> ComparisonReader::read(const Cube& cube, std::size_t now,
                                                  std::size_t later, const Act* act) const {
  Comparisons made;
  for (const Literal& literal : cube) {
    std::optional<Comparison> one = read(literal, now, later, act);
    if (!one) continue;
    if (one->is_decided()) {
      if (!one->holds()) return std::nullopt;
      continue;
    }
    made.push_back(std::move(*one));
  }
  return made;
}

std::vector<Comparisons> ComparisonReader::read(const std::vector<Cube>& cubes,
                                                std::size_t now) const {
  std::vector<Comparisons> made;
  for (const Cube& cube : cubes) {
    if (std::optional<Comparisons> one = read(cube, now)) made.push_back(std::move(*one));
  }
  return made;
}

}  // namespace poise::verify
