#include "poise/verify/zones/divergence.h"

#include <algorithm>

namespace poise::verify {

using model::SlotId;

namespace {

Rational size_of(const Rational& number) { return number.sign() < 0 ? -number : number; }

// How far from 0 the constant side of a comparison can be: numbers, and variables that never
// change.
Rational constant_of(const System& system, const model::Atom& atom) {
  Rational total = size_of(atom.value.constant);
  for (const Rational& value : atom.among) total = total + size_of(value);
  for (const model::Monomial& term : atom.value.terms) {
    if (term.slots.size() != 1) continue;
    const SlotId slot{term.slots.front().index % static_cast<std::uint32_t>(system.slots())};
    if (system.changes[slot.index]) continue;
    const Domain domain = domain_of(system, slot);
    total = total + size_of(term.coefficient) * std::max(size_of(domain.low), size_of(domain.high));
  }
  return total;
}

}  // namespace

Divergence::Divergence(const System& system, const ZoneSystem& zones) {
  for (const SlotId slot : zones.dimensions()) {
    Rational& most = farthest_.emplace_back(0);
    for (const model::Atom& atom : system.atoms) {
      const Rational constant = constant_of(system, atom);
      for (const model::Monomial& term : atom.value.terms) {
        const bool here = std::ranges::any_of(
            term.slots, [&](SlotId one) { return one.index % system.slots() == slot.index; });
        if (here) most = std::max(most, constant / size_of(term.coefficient));
      }
    }
    if (const auto& error = system.errors[slot.index]) {
      most = most + std::max(size_of(error->low), size_of(error->high));
    }
    most = most * Rational(zones.ticks());
  }
}

void Divergence::widen(std::vector<Range>& ranges, const Octagon& zone) {
  for (std::uint32_t x = 0; x < ranges.size(); ++x) {
    Range& range = ranges[x];
    const std::optional<Limit> least = zone.least(x);
    const std::optional<Limit> most = zone.most(x);
    range.has_low = range.has_low && least;
    range.has_high = range.has_high && most;
    if (least) range.low = range.any ? std::min(range.low, ticks(*least)) : ticks(*least);
    if (most) range.high = range.any ? std::max(range.high, ticks(*most)) : ticks(*most);
    range.any = true;
  }
}

bool Divergence::is_beyond(const std::vector<Range>& newer, const std::vector<Range>& older) const {
  for (std::size_t x = 0; x < farthest_.size(); ++x) {
    const Range& now = newer[x];
    const Range& then = older[x];
    if (now.has_high && then.has_high && now.high > then.high && now.high > farthest_[x]) {
      return true;
    }
    if (now.has_low && then.has_low && now.low < then.low && now.low < -farthest_[x]) return true;
  }
  return false;
}

}  // namespace poise::verify
