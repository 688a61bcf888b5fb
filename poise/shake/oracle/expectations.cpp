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

std::size_t ticks_of(const model::Policy& policy, const Rational& seconds) {
  return static_cast<std::size_t>(ticks_in(seconds, policy.tick));
}

// Where `held` has not lasted yet it is false, which is an answer; a window is not whole by then.
enum class LookBack { Windows, WindowsAndHolds };

// How many ticks an expression looks back.
std::size_t ticks_back(const model::Policy& policy, model::PolicyExprId id, LookBack what) {
  const model::PolicyExpr& expr = policy.exprs[id];
  std::size_t most = 0;
  for (const model::PolicyExprId part : expr.parts) {
    most = std::max(most, ticks_back(policy, part, what));
  }
  const std::size_t ticks = ticks_of(policy, expr.number);
  switch (expr.op) {
    case model::PolicyOp::Held: return most + (what == LookBack::Windows ? 0 : ticks);
    case model::PolicyOp::Rate: return most + std::max<std::size_t>(ticks, 1);
    case model::PolicyOp::MaximumOver:
    case model::PolicyOp::MinimumOver:
    case model::PolicyOp::MeanOver: return most + std::max<std::size_t>(ticks, 1) - 1;
    case model::PolicyOp::Previous: return most + 1;
    default: return most;
  }
}

bool same_but(std::size_t property, const Instance& a, const Instance& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i != property && a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

std::size_t wait_of(const model::Policy& policy, const Expectation& expectation) {
  const std::size_t ticks = ticks_of(policy, expectation.seconds);
  switch (expectation.kind) {
    case Expectation::Kind::Stable:
    case Expectation::Kind::Changes:
    case Expectation::Kind::Base: return ticks;
    case Expectation::Kind::Rises:
    case Expectation::Kind::Falls: return 2 * std::max<std::size_t>(ticks, 1) + 1;  // two holds
    case Expectation::Kind::Holds: break;
  }
  if (!expectation.condition) return 0;
  return ticks_back(policy, *expectation.condition, LookBack::WindowsAndHolds);
}

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

Judgement Expectations::judgement(ExpectationId id, const Flow& flow, const Trace& trace) const {
  const Expectation& expectation = model_.policy.expectations[id];
  const auto judged = [&]() -> Judgement {
    switch (expectation.kind) {
      case Expectation::Kind::Holds: return holds(expectation, flow, trace);
      case Expectation::Kind::Stable: return stable(expectation, flow, trace);
      case Expectation::Kind::Changes: return changes(expectation, trace);
      case Expectation::Kind::Base: return base(expectation, flow, trace);
      case Expectation::Kind::Rises:
      case Expectation::Kind::Falls: return monotone(expectation, flow, trace);
    }
    return {};
  };
  Judgement result = judged();
  if (result.violation) result.violation->expectation = id;
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

std::string Expectations::seconds_in(std::size_t ticks) const {
  return (model_.policy.tick * static_cast<std::int64_t>(ticks)).to_string() + "s";
}

Judgement Expectations::stable(const Expectation& expectation, const Flow& flow,
                               const Trace& trace) const {
  Judgement result;
  const std::size_t settling = evaluator_.ticks_in(expectation.seconds);
  for (const Hold& hold : holds_of(flow, trace.ticks())) {
    for (std::size_t tick = hold.first + settling + 1; tick <= hold.last; ++tick) {
      ++result.judged[0];
      const auto field = changed(expectation, trace[tick - 1], trace[tick]);
      if (!field) continue;
      result.violation = {
          .expectation = {},
          .tick = tick,
          .text = fmt::format("{} although the context is held for {}",
                              change_text(*field, trace[tick - 1][*field], trace[tick][*field]),
                              seconds_in(tick - hold.first))};
      return result;
    }
  }
  return result;
}

Judgement Expectations::changes(const Expectation& expectation, const Trace& trace) const {
  Judgement result;
  const std::size_t window = evaluator_.ticks_in(expectation.seconds);
  std::vector<std::size_t> changes;
  for (std::size_t tick = 0; tick < trace.ticks(); ++tick) {
    const bool whole = tick + 1 >= window;
    result.judged[0] += std::size_t{whole};
    const std::span<const double> before =
        tick == 0 ? std::span<const double>(trace.initial) : trace[tick - 1];
    if (!changed(expectation, before, trace[tick])) continue;
    changes.push_back(tick);
    if (changes.size() <= expectation.count) continue;
    const std::size_t first = changes[changes.size() - 1 - expectation.count];
    if (tick - first >= window) continue;
    result.judged[0] += std::size_t{!whole};
    result.violation = {.expectation = {},
                        .tick = tick,
                        .text = fmt::format("{} changes within {}", expectation.count + 1,
                                            seconds_in(tick - first + 1))};
    return result;
  }
  return result;
}

Judgement Expectations::base(const Expectation& expectation, const Flow& flow,
                             const Trace& trace) const {
  Judgement result;
  const std::size_t settling = evaluator_.ticks_in(expectation.seconds);
  for (const Hold& hold : holds_of(flow, trace.ticks())) {
    if (!origin_ || flow[hold.first] != *origin_) continue;
    for (std::size_t tick = hold.first + settling; tick <= hold.last; ++tick) {
      ++result.judged[0];
      const auto field = changed(expectation, trace.initial, trace[tick]);
      if (!field) continue;
      result.violation = {
          .expectation = {},
          .tick = tick,
          .text = fmt::format("`{}` is {} instead of {}, {} after the context went back",
                              fields_[*field].name, to_text(fields_[*field], trace[tick][*field]),
                              to_text(fields_[*field], trace.initial[*field]),
                              seconds_in(tick - hold.first))};
      return result;
    }
  }
  return result;
}

Judgement Expectations::monotone(const Expectation& expectation, const Flow& flow,
                                 const Trace& trace) const {
  Judgement result;
  const auto is_property = [&](const Property& property) {
    return property.slot == expectation.property;
  };
  const auto found = std::ranges::find_if(grid_.properties, is_property);
  if (!expectation.property || !expectation.variant || found == grid_.properties.end()) {
    return result;
  }
  const auto property = static_cast<std::size_t>(found - grid_.properties.begin());
  const auto place = std::ranges::find(variant_slots_, *expectation.variant);
  if (place == variant_slots_.end()) return result;
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
        ++result.judged[0];
        const double then = trace[other.last][field];
        // Compares values, not indices: replaying a kept failure appends values to the grid.
        const bool greater = value_of(*found, here[property]) > value_of(*found, there[property]);
        const double more = sign * (now - then) * (greater ? 1 : -1);
        if (more >= -kSameNumber) continue;
        result.violation = {
            .expectation = {},
            .tick = tick,
            .text = fmt::format("`{}` is {} where `{}` is {}, but was {} where it was {}",
                                fields_[field].name, to_text(fields_[field], now), found->name,
                                found->texts[here[property]], to_text(fields_[field], then),
                                found->texts[there[property]])};
        return result;
      }
    }
    const bool counts = hold.last >= hold.first + least &&
                        same(trace[hold.last][field], trace[hold.last - 1][field]);
    if (counts) settled.push_back(hold);
  }
  return result;
}

// A conjunction has several parts; `a implies (b implies c)` is one part with two premises.
std::vector<Expectations::Part> Expectations::parts_of(model::PolicyExprId condition) const {
  const model::PolicyExpr& expr = model_.policy.exprs[condition];
  std::vector<Part> parts;
  if (expr.op == model::PolicyOp::And) {
    for (const model::PolicyExprId id : expr.parts) {
      for (Part& part : parts_of(id)) parts.push_back(std::move(part));
    }
    return parts;
  }
  Part part{.premises = {},
            .conclusion = condition,
            .past = ticks_back(model_.policy, condition, LookBack::Windows)};
  while (model_.policy.exprs[part.conclusion].op == model::PolicyOp::Implies) {
    const model::PolicyExpr& implication = model_.policy.exprs[part.conclusion];
    part.premises.push_back(implication.parts[0]);
    part.conclusion = implication.parts[1];
  }
  return {part};
}

Judgement Expectations::holds(const Expectation& expectation, const Flow& flow,
                              const Trace& trace) const {
  if (!expectation.condition) return {};
  const std::vector<Part> parts = parts_of(*expectation.condition);
  Judgement result{.violation = {}, .judged = std::vector<std::size_t>(parts.size())};
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
    const auto is_true = [&](model::PolicyExprId id) {
      return evaluator_.holds(record, id, {.tick = tick});
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!std::ranges::all_of(parts[i].premises, is_true)) continue;
      const bool kept = is_true(parts[i].conclusion);
      result.judged[i] += std::size_t{tick >= parts[i].past || !kept};
      if (kept) continue;
      result.violation = {.expectation = {}, .tick = tick, .text = "it does not hold"};
      return result;
    }
  }
  return result;
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
