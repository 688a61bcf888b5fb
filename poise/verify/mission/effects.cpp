#include "poise/verify/mission/effects.h"

#include <algorithm>
#include <cmath>

#include "poise/model/model.h"
#include "poise/verify/system/law_of.h"

namespace poise::verify {

using chance::Law;
using model::SlotId;
using Sign = Literal::Sign;

namespace {

constexpr std::size_t kCostOfBlur = 20;  // a weight costs an integral of a density
constexpr std::size_t kMostKinks = 24;
constexpr std::size_t kBins = 48;

// An error that changes several numbers at once.
std::optional<SlotId> found_twice(std::vector<SlotId> errors) {
  for (std::size_t i = 0; i < errors.size(); ++i) {
    for (std::size_t before = 0; before < i; ++before) {
      if (errors[before] == errors[i]) return errors[i];
    }
  }
  return std::nullopt;
}

}  // namespace

Field Effects::before(const Act& act, const Comparisons& comparisons, Field value) {
  Comparisons required;
  std::vector<Change> changes;
  for (std::size_t axis = 0; axis < numbers_.axes.size(); ++axis) {
    changes.push_back(unchanged(act, axis));
  }
  for (const Comparison& comparison : comparisons) {
    if (comparison.later.empty()) {
      if (!comparison.errors.empty()) {
        why_ = "whether an action can happen depends on an error of it";
      }
      required.push_back(comparison);
    } else if (comparison.later.size() > 1) {
      why_ = "an action ties later values to each other";
    } else if (comparison.now.empty() && comparison.errors.empty() &&
               comparison.sign != Sign::Equal) {
      // Beyond a fixed bound there is nothing.
      Comparison bound = comparison;
      std::swap(bound.now, bound.later);
      value = where(shop_, {bound}, value);
    } else {
      note(comparison, changes[comparison.later.front().axis]);
    }
    if (!why_.empty()) return constant_field(0);
  }
  value = through(changes, value);
  return required.empty() ? value : where(shop_, required, value);
}

// As if nothing was said about it.
Effects::Change Effects::unchanged(const Act& act, std::size_t axis) const {
  const SlotId slot = numbers_.axes[axis];
  Change change{.to = axis, .from = std::nullopt, .errors = {}};
  for (const model::Effect& effect : act.sets) {
    if (effect.slot != slot || !effect.value) continue;
    change.low = change.high = to_double(*effect.value);
    change.has_form = true;
    return change;
  }
  if (std::ranges::find(act.freed, slot) != act.freed.end()) {
    const Domain domain = domain_of(system_, slot);
    change.low = to_double(domain.low);
    change.high = to_double(domain.high);
    return change;
  }
  if (std::ranges::find(act.later, slot) != act.later.end()) return change;
  change.from = axis;
  change.low = change.high = 0;
  return change;
}

// factor * later + rest < 0, <= 0 or == 0.
void Effects::note(const Comparison& comparison, Change& change) {
  const Rational& factor = comparison.later.front().factor;
  if (comparison.now.size() > 1) {
    why_ = "an action makes a value of two others";
    return;
  }
  const auto solved = [&](const Rational& number) { return -number / factor; };
  Change form{.to = change.to, .from = std::nullopt, .errors = {}};
  if (!comparison.now.empty()) {
    form.from = comparison.now.front().axis;
    form.factor = to_double(solved(comparison.now.front().factor));
  }
  for (const Comparison::ErrorTerm& error : comparison.errors) {
    form.errors.push_back({error.slot, solved(error.factor)});
  }
  const auto same_errors = [&] {
    return std::ranges::equal(form.errors, change.errors, [](const auto& a, const auto& b) {
      return a.slot == b.slot && a.factor == b.factor;
    });
  };
  if (change.has_form &&
      (form.from != change.from || form.factor != change.factor || !same_errors())) {
    why_ = "an action bounds a value by two others";
    return;
  }
  const bool was_exact = change.has_form && change.low == change.high;
  if (was_exact) {
    why_ = "an action says a value and a range";
    return;
  }
  change.from = form.from;
  change.factor = form.factor;
  change.errors = form.errors;
  change.has_form = true;
  const double bound = to_double(solved(comparison.constant));
  const bool open = comparison.sign == Sign::Less;
  const bool is_high = comparison.sign != Sign::Equal && factor.sign() > 0;
  const bool is_low = comparison.sign != Sign::Equal && factor.sign() < 0;
  if (!is_high && bound >= change.low) {
    change.low = bound;
    change.low_open = open;
  }
  if (!is_low && bound <= change.high) {
    change.high = bound;
    change.high_open = open;
  }
}

// ---- Changes ----

Field Effects::through(const std::vector<Change>& changes, const Field& value) {
  std::vector<SlotId> errors;
  for (const std::size_t axis : value.axes) {
    for (const Comparison::ErrorTerm& error : changes[axis].errors) errors.push_back(error.slot);
  }
  if (const std::optional<SlotId> shared = found_twice(errors)) {
    return through_bins(*shared, changes, value);
  }
  return through(changes, value, std::nullopt);
}

// In parts of the range of the error, each by itself.
Field Effects::through_bins(SlotId slot, const std::vector<Change>& changes, const Field& value) {
  Field total = constant_field(0);
  const Law law = law_of(system_.variable(slot));
  const bool whole = is_whole(system_, slot);
  const std::size_t count =
      whole ? static_cast<std::size_t>(std::lround(law.high() - law.low())) : kBins;
  for (std::size_t i = 0; i < count; ++i) {
    const auto end = [&](std::size_t part) {
      return law.low() +
             (law.high() - law.low()) * static_cast<double>(part) / static_cast<double>(count);
    };
    Bin bin{slot, end(i), end(i + 1)};
    const double mass = law.is_point() ? 1 : law.mass(bin.low, bin.high);
    if (whole) bin.low = bin.high = std::round((bin.low + bin.high) / 2);
    if (mass > 0) total = sum(shop_, total, scaled(through(changes, value, bin), mass));
    if (law.is_point()) break;
  }
  return total;
}

// From the last number on the list to the first, because some are taken off it.
Field Effects::through(const std::vector<Change>& changes, Field value,
                       const std::optional<Bin>& bin) {
  for (std::size_t place = value.axes.size(); place-- > 0 && why_.empty();) {
    if (place >= value.axes.size()) continue;
    value = through(changes[value.axes[place]], value, place, bin);
  }
  return merged(shop_, value);
}

// The later value is between t + low and t + high, as the adversary chooses, where t is
// factor * from plus errors. So backwards it is the choice first, then the errors one by one. The
// last of these steps leads to `from`, if that is only a distance away.
Field Effects::through(const Change& change, Field value, std::size_t place,
                       const std::optional<Bin>& bin) {
  if (change.low > change.high) return constant_field(0);
  if (!change.moves()) return value;
  note_link(change);
  double shift = change.low == change.high ? change.low : 0;
  std::vector<Comparison::ErrorTerm> errors;
  for (const Comparison::ErrorTerm& error : change.errors) {
    const Law law = law_of(system_.variable(error.slot));
    const bool in_bin = bin && bin->slot == error.slot;
    if (in_bin && bin->low == bin->high) {
      shift += to_double(error.factor) * bin->low;
    } else if (!in_bin && !is_whole(system_, error.slot) && law.is_point()) {
      shift += to_double(error.factor) * law.low();
    } else {
      errors.push_back(error);
    }
  }
  const std::size_t to = change.to;
  const bool direct = change.from && change.factor == 1;
  std::size_t steps = errors.size() + (change.low < change.high ? 1 : 0);
  // Where the next step leads to, and how far it shifts.
  const auto next = [&] {
    --steps;
    return direct && steps == 0 ? std::pair(*change.from, shift) : std::pair(to, 0.0);
  };
  const bool is_direct_only = direct && steps == 0;
  if (change.low < change.high) {
    if (steps == 1 && !change.from) return at_best(shop_, value, place, change.low, change.high);
    const auto [from, by] = next();
    value = mapped(shop_, value, place, from,
                   reach_of(from, to,
                            {.factor = 1,
                             .low = change.low + by,
                             .high = change.high + by,
                             .low_open = change.low_open,
                             .high_open = change.high_open}));
  }
  for (const Comparison::ErrorTerm& error : errors) {
    const auto [from, by] = next();
    value = through(error, value, place, {from, to, by}, bin);
  }
  if (!change.from) return at_best(shop_, value, place, shift, shift);
  if (direct && !is_direct_only) return value;
  return mapped(shop_, value, place, *change.from,
                reach_of(*change.from, to, {.factor = change.factor, .low = shift, .high = shift}));
}

Field Effects::through(const Comparison::ErrorTerm& error, const Field& value, std::size_t place,
                       const Step& step, const std::optional<Bin>& bin) {
  const double factor = to_double(error.factor);
  const Law law = law_of(system_.variable(error.slot));
  if (bin && bin->slot == error.slot) {
    const double a = factor * bin->low + step.shift;
    const double b = factor * bin->high + step.shift;
    return mapped(
        shop_, value, place, step.from,
        reach_of(step.from, step.to, {.factor = 1, .low = std::min(a, b), .high = std::max(a, b)},
                 Reach::Chooser::Chance));
  }
  if (!is_whole(system_, error.slot)) {
    if (shop_.axis(step.to).whole) {
      why_ = "an action makes a whole number of numbers that are not";
      return constant_field(0);
    }
    return mapped(shop_, value, place, step.from, blur_of(error.slot, factor, step));
  }
  Field total = constant_field(0);
  for (double off = std::ceil(law.low()); off <= law.high(); off += 1) {
    const double mass = law.mass(off - 0.5, off + 0.5);
    if (mass == 0) continue;
    const double by = factor * off + step.shift;
    total = sum(shop_, total,
                scaled(mapped(shop_, value, place, step.from,
                              reach_of(step.from, step.to, {.factor = 1, .low = by, .high = by})),
                       mass));
  }
  return total;
}

const Blur& Effects::blur_of(SlotId slot, double factor, const Step& step) {
  const auto key = std::tuple(slot, factor, step.from, step.to, step.shift);
  const auto known = blurs_.find(key);
  if (known != blurs_.end()) return known->second;
  Blur made(shop_.axis(step.from), shop_.axis(step.to), law_of(system_.variable(slot)), factor,
            step.shift);
  shop_.work += kCostOfBlur * made.size();
  return blurs_.emplace(key, std::move(made)).first->second;
}

const Reach& Effects::reach_of(std::size_t from, std::size_t to, const Reach::Window& window,
                               Reach::Chooser chooser) {
  const auto key = std::tuple(from, to, window.factor, window.low, window.high,
                              std::pair(window.low_open, window.high_open), chooser);
  const auto known = reaches_.find(key);
  if (known != reaches_.end()) return known->second;
  Reach made(shop_.axis(from), shop_.axis(to), window, chooser);
  return reaches_.emplace(key, std::move(made)).first->second;
}

void Effects::note_link(const Change& change) {
  Link link{.to = change.to,
            .from = change.from,
            .factor = change.factor,
            .low = change.low,
            .high = change.high,
            .errors = {0}};
  for (const Comparison::ErrorTerm& error : change.errors) {
    const double factor = to_double(error.factor);
    std::vector<double> sums;
    for (const double kink : law_of(system_.variable(error.slot)).kinks()) {
      for (const double other : link.errors) sums.push_back(other + factor * kink);
    }
    if (sums.size() > kMostKinks) sums = {sums.front(), sums.back()};
    link.errors = std::move(sums);
  }
  links_.insert(std::move(link));
}

}  // namespace poise::verify
