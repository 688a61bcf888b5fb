#include "poise/shake/oracle/expectations.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "poise/shake/grid/number.h"

namespace poise::shake {

using model::Expectation;
using model::ExpectationId;
using model::SlotId;

namespace {

bool in_range(const Field& field, double value) {
  switch (field.kind) {
    case Field::Kind::Boolean: return value == 0 || value == 1;
    case Field::Kind::Number:
      return value >= field.low - kSameNumber && value <= field.high + kSameNumber;
    case Field::Kind::Symbol:
      return value >= 0 && value < static_cast<double>(field.symbols.size());
  }
  return false;
}

bool same_but(std::size_t property, const Instance& a, const Instance& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i != property && a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

Expectations::Expectations(const model::Model& model, const Grid& grid, std::vector<Field> fields)
    : model_(model),
      grid_(grid),
      fields_(std::move(fields)),
      evaluator_(model),
      variant_slots_(variant_slots(model)),
      origin_(origin_of(grid)) {
  // A machine of states and rules has no variants that are variables: its state is its only field.
  if (variant_slots_.size() != fields_.size()) variant_slots_.clear();
}

std::vector<Violation> Expectations::violations(const Flow& flow, const Trace& trace) const {
  std::vector<Violation> found;
  for (const ExpectationId id : model_.policy.expectations.ids()) {
    if (Found one = violation(id, flow, trace)) found.push_back(*std::move(one));
  }
  if (Found one = out_of_range(trace)) found.push_back(*std::move(one));
  return found;
}

std::optional<Violation> Expectations::violation(std::optional<ExpectationId> id, const Flow& flow,
                                                 const Trace& trace) const {
  if (!id) return out_of_range(trace);
  const Expectation& expectation = model_.policy.expectations[*id];
  const auto found = [&]() -> Found {
    switch (expectation.kind) {
      case Expectation::Kind::Holds: return untrue(expectation, flow, trace);
      case Expectation::Kind::Stable: return unstable(expectation, flow, trace);
      case Expectation::Kind::Changes: return restless(expectation, trace);
      case Expectation::Kind::Base: return away_from_base(expectation, flow, trace);
      case Expectation::Kind::Rises:
      case Expectation::Kind::Falls: return not_monotone(expectation, flow, trace);
    }
    return std::nullopt;
  };
  Found result = found();
  if (result) result->expectation = id;
  return result;
}

// The first field that differs, among those that the expectation is about.
std::optional<std::size_t> Expectations::changed(const Expectation& expectation,
                                                 std::span<const double> a,
                                                 std::span<const double> b) const {
  for (std::size_t field = 0; field < fields_.size(); ++field) {
    if (expectation.variant &&
        (field >= variant_slots_.size() || variant_slots_[field] != *expectation.variant)) {
      continue;
    }
    if (!same(a[field], b[field])) return field;
  }
  return std::nullopt;
}

std::string Expectations::change_text(std::size_t field, double from, double to) const {
  return fmt::format("`{}` goes from {} to {}", fields_[field].name, to_text(fields_[field], from),
                     to_text(fields_[field], to));
}

std::vector<Expectations::Hold> Expectations::holds_of(const Flow& flow, std::size_t ticks) {
  std::vector<Hold> holds;
  for (std::size_t tick = 0; tick < ticks; ++tick) {
    if (tick > 0 && flow[tick] == flow[tick - 1]) {
      holds.back().last = tick;
    } else {
      holds.push_back({tick, tick});
    }
  }
  return holds;
}

std::optional<Violation> Expectations::unstable(const Expectation& expectation, const Flow& flow,
                                                const Trace& trace) const {
  const std::size_t settling = evaluator_.ticks_in(expectation.seconds);
  for (const Hold& hold : holds_of(flow, trace.ticks())) {
    for (std::size_t tick = hold.first + settling + 1; tick <= hold.last; ++tick) {
      const auto field = changed(expectation, trace[tick - 1], trace[tick]);
      if (!field) continue;
      return Violation{
          .expectation = {},
          .tick = tick,
          .text = fmt::format(
              "{} although the context is held for {}s",
              change_text(*field, trace[tick - 1][*field], trace[tick][*field]),
              (model_.policy.tick * static_cast<std::int64_t>(tick - hold.first)).to_string())};
    }
  }
  return std::nullopt;
}

std::optional<Violation> Expectations::restless(const Expectation& expectation,
                                                const Trace& trace) const {
  const std::size_t window = evaluator_.ticks_in(expectation.seconds);
  std::vector<std::size_t> changes;
  for (std::size_t tick = 0; tick < trace.ticks(); ++tick) {
    const std::span<const double> before =
        tick == 0 ? std::span<const double>(trace.initial) : trace[tick - 1];
    if (!changed(expectation, before, trace[tick])) continue;
    changes.push_back(tick);
    if (changes.size() <= expectation.count) continue;
    const std::size_t first = changes[changes.size() - 1 - expectation.count];
    if (tick - first >= window) continue;
    return Violation{
        .expectation = {},
        .tick = tick,
        .text = fmt::format(
            "{} changes within {}s", expectation.count + 1,
            (model_.policy.tick * static_cast<std::int64_t>(tick - first + 1)).to_string())};
  }
  return std::nullopt;
}

std::optional<Violation> Expectations::away_from_base(const Expectation& expectation,
                                                      const Flow& flow, const Trace& trace) const {
  const std::size_t settling = evaluator_.ticks_in(expectation.seconds);
  for (const Hold& hold : holds_of(flow, trace.ticks())) {
    if (!origin_ || flow[hold.first] != *origin_) continue;
    for (std::size_t tick = hold.first + settling; tick <= hold.last; ++tick) {
      const auto field = changed(expectation, trace.initial, trace[tick]);
      if (!field) continue;
      return Violation{
          .expectation = {},
          .tick = tick,
          .text = fmt::format(
              "`{}` is {} instead of {}, {}s after the context went back", fields_[*field].name,
              to_text(fields_[*field], trace[tick][*field]),
              to_text(fields_[*field], trace.initial[*field]),
              (model_.policy.tick * static_cast<std::int64_t>(tick - hold.first)).to_string())};
    }
  }
  return std::nullopt;
}

std::optional<Violation> Expectations::not_monotone(const Expectation& expectation,
                                                    const Flow& flow, const Trace& trace) const {
  const auto is_property = [&](const Property& property) {
    return property.slot == expectation.property;
  };
  const auto found = std::ranges::find_if(grid_.properties, is_property);
  if (!expectation.property || !expectation.variant || found == grid_.properties.end()) {
    return std::nullopt;
  }
  const auto property = static_cast<std::size_t>(found - grid_.properties.begin());
  const auto place = std::ranges::find(variant_slots_, *expectation.variant);
  if (place == variant_slots_.end()) return std::nullopt;
  const auto field = static_cast<std::size_t>(place - variant_slots_.begin());
  const std::size_t least =
      std::max<std::size_t>(evaluator_.ticks_in(expectation.seconds), 1);  // ticks after the first
  const double sign = expectation.kind == Expectation::Kind::Rises ? 1 : -1;

  std::vector<Hold> settled;
  for (const Hold& hold : holds_of(flow, trace.ticks())) {
    // A hold is compared with earlier holds at each tick at which it counts, not at its end only:
    // so the violation is found at the first tick that shows it. Earlier holds count with their
    // last tick.
    for (std::size_t tick = hold.first + least; tick <= hold.last; ++tick) {
      const double now = trace[tick][field];
      if (!same(now, trace[tick - 1][field])) continue;
      for (const Hold& other : settled) {
        const Instance& here = flow[tick];
        const Instance& there = flow[other.last];
        if (here[property] == there[property] || here[property] == kNoValue ||
            there[property] == kNoValue || !same_but(property, here, there)) {
          continue;
        }
        const double then = trace[other.last][field];
        // Compares values, not indices: replaying a kept failure appends values to the grid.
        const bool greater = value_of(*found, here[property]) > value_of(*found, there[property]);
        const double more = sign * (now - then) * (greater ? 1 : -1);
        if (more >= -kSameNumber) continue;
        return Violation{
            .expectation = {},
            .tick = tick,
            .text = fmt::format("`{}` is {} where `{}` is {}, but was {} where it was {}",
                                fields_[field].name, to_text(fields_[field], now), found->name,
                                found->texts[here[property]], to_text(fields_[field], then),
                                found->texts[there[property]])};
      }
    }
    const bool counts = hold.last >= hold.first + least &&
                        same(trace[hold.last][field], trace[hold.last - 1][field]);
    if (counts) settled.push_back(hold);
  }
  return std::nullopt;
}

std::optional<Violation> Expectations::untrue(const Expectation& expectation, const Flow& flow,
                                              const Trace& trace) const {
  if (!expectation.condition) return std::nullopt;
  Record record(model_.slots.size(), 1, 0);
  std::vector<double> slots(model_.slots.size(), kNoNumber);
  for (std::size_t tick = 0; tick < trace.ticks(); ++tick) {
    for (std::size_t i = 0; i < grid_.properties.size(); ++i) {
      const Property& property = grid_.properties[i];
      if (property.slot) slots[property.slot->index] = value_of(property, flow[tick][i]);
    }
    for (std::size_t i = 0; i < variant_slots_.size(); ++i) {
      slots[variant_slots_[i].index] = slot_value(model_, variant_slots_[i], trace[tick][i]);
    }
    record.add_tick(slots);
    if (evaluator_.holds(record, *expectation.condition, {.tick = tick})) continue;
    return Violation{.expectation = {}, .tick = tick, .text = "it does not hold"};
  }
  return std::nullopt;
}

std::optional<Violation> Expectations::out_of_range(const Trace& trace) const {
  for (std::size_t tick = 0; tick < trace.ticks(); ++tick) {
    for (std::size_t field = 0; field < fields_.size(); ++field) {
      const double value = trace[tick][field];
      if (in_range(fields_[field], value)) continue;
      return Violation{.expectation = {},
                       .tick = tick,
                       .text = fmt::format("`{}` is {}, out of its range", fields_[field].name,
                                           to_text(fields_[field], value))};
    }
  }
  return std::nullopt;
}

}  // namespace poise::shake
