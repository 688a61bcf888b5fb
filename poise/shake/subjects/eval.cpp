#include "poise/shake/subjects/eval.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "poise/base/check.h"
#include "poise/shake/grid/number.h"

namespace poise::shake {

using model::PolicyExpr;
using model::PolicyExprId;
using model::PolicyOp;
using model::Shape;
using model::SlotId;
using model::TypeKind;

namespace {

double whole(const Integer& integer) {
  return integer.fits_int64() ? static_cast<double>(integer.to_int64())
                              : std::strtod(integer.to_string().c_str(), nullptr);
}

// Calculated numbers are compared up to rounding: the language has exact numbers, so 0.1 + 0.2 is
// 0.3 in it.
bool about_equal(double a, double b) {
  return std::abs(a - b) <= 1e-11 * (std::abs(a) + std::abs(b)) + 1e-14;
}

double ceiling(double number) {
  const double whole = std::round(number);
  return about_equal(number, whole) ? whole : std::ceil(number);
}

double floor(double number) { return -ceiling(-number); }

std::vector<double> numbers_of(const std::vector<Rational>& numbers) {
  std::vector<double> result;
  result.reserve(numbers.size());
  for (const Rational& number : numbers) result.push_back(number_of(number));
  return result;
}

// 0 at and before `from`, 1 at and behind `to`.
double risen(double from, double to, double x) {
  if (x >= to) return 1;
  if (x <= from) return 0;
  return (x - from) / (to - from);
}

// 1 at and before `from`, 0 at and behind `to`.
double fallen(double from, double to, double x) {
  if (x <= from) return 1;
  if (x >= to) return 0;
  return (to - x) / (to - from);
}

double on_table(const std::vector<double>& points, double x) {
  const std::size_t last = points.size() - 2;
  if (x <= points[0]) return points[1];
  for (std::size_t i = 2; i <= last; i += 2) {
    if (x > points[i]) continue;
    const double share = (x - points[i - 2]) / (points[i] - points[i - 2]);
    return points[i - 1] + share * (points[i + 1] - points[i - 1]);
  }
  return points[last + 1];
}

double middle_of_greatest(const std::vector<double>& points) {
  double greatest = 0;
  for (std::size_t i = 1; i < points.size(); i += 2) greatest = std::max(greatest, points[i]);
  double first = kNoNumber;
  double last = kNoNumber;
  for (std::size_t i = 0; i < points.size(); i += 2) {
    if (points[i + 1] != greatest) continue;
    if (std::isnan(first)) first = points[i];
    last = points[i];
  }
  return (first + last) / 2;
}

}  // namespace

double number_of(const Rational& number) {
  return whole(number.numerator()) / whole(number.denominator());
}

double rounded(double number) { return std::copysign(floor(std::abs(number) + 0.5), number); }

double degree(const Shape& shape, double number) {
  if (std::isnan(number)) return 0;
  const std::vector<double> p = numbers_of(shape.points);
  switch (shape.kind) {
    case Shape::Kind::Trapezoid:
      return std::min(risen(p[0], p[1], number), fallen(p[2], p[3], number));
    case Shape::Kind::Triangle:
      return std::min(risen(p[0], p[1], number), fallen(p[1], p[2], number));
    case Shape::Kind::Ramp:
      return p[0] <= p[1] ? risen(p[0], p[1], number) : fallen(p[1], p[0], number);
    case Shape::Kind::Singleton: return number == p[0] ? 1 : 0;
    case Shape::Kind::Table: return on_table(p, number);
  }
  return 0;
}

double middle(const Shape& shape) {
  const std::vector<double> p = numbers_of(shape.points);
  switch (shape.kind) {
    case Shape::Kind::Trapezoid: return (p[1] + p[2]) / 2;
    case Shape::Kind::Triangle:
    case Shape::Kind::Ramp: return p[1];
    case Shape::Kind::Singleton: return p[0];
    case Shape::Kind::Table: return middle_of_greatest(p);
  }
  return 0;
}

// ---- Record ----

void Record::clear() {
  ticks_ = 0;
  values_.clear();
  utilities_.clear();
  ends_.clear();
}

double& Record::at_end(std::size_t tick, model::PolicyExprId expr) const {
  if (ends_.size() <= expr.index) ends_.resize(expr.index + 1);
  std::vector<double>& by_tick = ends_[expr.index];
  if (by_tick.size() <= tick) by_tick.resize(tick + 1, kNotAsked);
  return by_tick[tick];
}

void Record::add_tick(std::span<const double> slots) {
  POISE_CHECK(slots.size() == slots_);
  for (std::size_t moment = 0; moment < moments_; ++moment) {
    values_.insert(values_.end(), slots.begin(), slots.end());
  }
  utilities_.resize(utilities_.size() + options_, 0);
  ++ticks_;
}

void Record::set(std::size_t moment, SlotId slot, double value) {
  for (; moment < moments_; ++moment) {
    values_[((ticks_ - 1) * moments_ + moment) * slots_ + slot.index] = value;
  }
}

void Record::set_utility(model::OptionId option, double utility) {
  utilities_[(ticks_ - 1) * options_ + option.index] = utility;
}

// ---- Evaluator ----

struct Evaluator::Reading {
  const Record& record;
  Place place;
  std::span<const double> now = {};  // instead of the record, if not empty

  [[nodiscard]] double slot(SlotId slot) const {
    return now.empty() ? record.slot(place.tick, place.moment, slot) : now[slot.index];
  }
  // The end of the tick so many ticks ago; 0: now.
  [[nodiscard]] Reading ago(std::size_t ticks) const {
    if (ticks == 0) return *this;
    return {record, {place.tick - ticks, record.last_moment(), place.option}, {}};
  }
};

Evaluator::Evaluator(const model::Model& model)
    : model_(model), tick_(number_of(model.policy.tick)) {
  POISE_CHECK(model.policy.tick.sign() > 0);
  for (const PolicyExpr& expr : model.policy.exprs) {
    numbers_.push_back(number_of(expr.number));
    back_.push_back(ticks_in(expr.number));
  }
}

std::size_t Evaluator::ticks_in(const Rational& seconds) const {
  if (seconds.sign() <= 0) return 0;
  const Integer ticks = (seconds / model_.policy.tick).ceil();
  return ticks.fits_int64() ? static_cast<std::size_t>(ticks.to_int64())
                            : std::numeric_limits<std::size_t>::max() / 2;
}

double Evaluator::value(const Record& record, PolicyExprId expr, const Place& place,
                        Logic logic) const {
  return evaluated({record, place, {}}, expr, logic);
}

bool Evaluator::holds(const Record& record, PolicyExprId expr, const Place& place) const {
  return truth({record, place, {}}, expr, Logic::Crisp) >= 0.5;
}

double Evaluator::value_with(const Record& record, PolicyExprId expr, const Place& place,
                             std::span<const double> now) const {
  return evaluated({record, place, now}, expr, Logic::Crisp);
}

double Evaluator::truth(const Reading& reading, PolicyExprId expr, Logic logic) const {
  const double value = evaluated(reading, expr, logic);
  return std::isnan(value) ? 0 : value;
}

double Evaluator::evaluated(const Reading& reading, PolicyExprId id, Logic logic) const {
  const PolicyExpr& expr = model_.policy.exprs[id];
  const auto number = [&](std::size_t part) {
    return evaluated(reading, expr.parts[part], Logic::Crisp);
  };
  const auto holds = [&](std::size_t part) { return truth(reading, expr.parts[part], logic); };
  // Combines the numbers of all parts; no value if one of them has none.
  const auto folded = [&](auto combine) {
    double result = number(0);
    for (std::size_t part = 1; part < expr.parts.size(); ++part) {
      const double next = number(part);
      result = std::isnan(result) || std::isnan(next) ? kNoNumber : combine(result, next);
    }
    return result;
  };
  const auto compared = [&](auto relation) {
    const double a = number(0);
    const double b = number(1);
    return !std::isnan(a) && !std::isnan(b) && relation(a, b) ? 1.0 : 0.0;
  };
  switch (expr.op) {
    case PolicyOp::Number: return numbers_[id.index];
    case PolicyOp::Slot: return reading.slot(expr.slot);
    case PolicyOp::Utility:
      POISE_CHECK(reading.place.option.has_value());
      return reading.record.utility(reading.place.tick, *reading.place.option);
    case PolicyOp::Add: return folded([](double a, double b) { return a + b; });
    case PolicyOp::Multiply: return folded([](double a, double b) { return a * b; });
    case PolicyOp::Divide:
      return folded([](double a, double b) { return b == 0 ? kNoNumber : a / b; });
    case PolicyOp::Negate: return -number(0);
    case PolicyOp::Minimum: return folded([](double a, double b) { return std::min(a, b); });
    case PolicyOp::Maximum: return folded([](double a, double b) { return std::max(a, b); });
    case PolicyOp::Absolute: return std::abs(number(0));
    case PolicyOp::Ceiling: return ceiling(number(0));
    case PolicyOp::Floor: return floor(number(0));
    case PolicyOp::Round: return rounded(number(0));
    case PolicyOp::If:
      return evaluated(
          reading, expr.parts[truth(reading, expr.parts[0], Logic::Crisp) >= 0.5 ? 1 : 2], logic);
    case PolicyOp::Not: return 1 - holds(0);
    case PolicyOp::And: {
      double least = 1;
      for (std::size_t i = 0; i < expr.parts.size(); ++i) least = std::min(least, holds(i));
      return least;
    }
    case PolicyOp::Or: {
      double most = 0;
      for (std::size_t i = 0; i < expr.parts.size(); ++i) most = std::max(most, holds(i));
      return most;
    }
    case PolicyOp::Implies: return std::max(1 - holds(0), holds(1));
    case PolicyOp::Iff:
      return std::min(std::max(1 - holds(0), holds(1)), std::max(1 - holds(1), holds(0)));
    case PolicyOp::Equal: return compared([](double a, double b) { return about_equal(a, b); });
    case PolicyOp::NotEqual: return compared([](double a, double b) { return !about_equal(a, b); });
    case PolicyOp::Less:
      return compared([](double a, double b) { return a < b && !about_equal(a, b); });
    case PolicyOp::LessEqual:
      return compared([](double a, double b) { return a <= b || about_equal(a, b); });
    case PolicyOp::Is: {
      const model::Variable& variable = model_.variables[model_.slots[expr.slot].variable];
      const double far = degree(variable.terms[expr.term].shape, reading.slot(expr.slot));
      return logic == Logic::Fuzzy ? far : (far >= 0.5 ? 1.0 : 0.0);
    }
    case PolicyOp::Held:
    case PolicyOp::Rate:
    case PolicyOp::MaximumOver:
    case PolicyOp::MinimumOver:
    case PolicyOp::MeanOver:
    case PolicyOp::Previous: return history(reading, expr, back_[id.index], logic);
  }
  return kNoNumber;
}

// An expression as it was at the end of an earlier tick. Many ticks ask for the same, so it is
// remembered.
double Evaluator::ago(const Reading& reading, PolicyExprId expr, std::size_t ticks,
                      Logic logic) const {
  if (ticks == 0) return evaluated(reading, expr, logic);
  double& known = reading.record.at_end(reading.place.tick - ticks, expr);
  if (known == Record::kNotAsked) {
    const double value = evaluated(reading.ago(ticks), expr, logic);
    // Asking may have moved what is remembered.
    reading.record.at_end(reading.place.tick - ticks, expr) = value;
    return value;
  }
  return known;
}

double Evaluator::history(const Reading& reading, const PolicyExpr& expr, std::size_t back,
                          Logic logic) const {
  const std::size_t tick = reading.place.tick;
  const auto number_ago = [&](std::size_t ticks) { return ago(reading, expr.parts[0], ticks); };
  // Combines the numbers at the ticks of the window that have a value.
  const auto gathered = [&](auto combine) {
    double result = kNoNumber;
    for (std::size_t ago = 0; ago <= tick && ago < std::max<std::size_t>(back, 1); ++ago) {
      const double value = number_ago(ago);
      if (std::isnan(value)) continue;
      result = std::isnan(result) ? value : combine(result, value);
    }
    return result;
  };
  switch (expr.op) {
    case PolicyOp::Held:
      if (tick < back) return 0;
      for (std::size_t ago = 0; ago <= back; ++ago) {
        const double truth = number_ago(ago);
        if (std::isnan(truth) || truth < 0.5) return 0;
      }
      return 1;
    case PolicyOp::Rate: {
      const std::size_t ago = std::min(tick, std::max<std::size_t>(back, 1));
      const double now = number_ago(0);
      if (ago == 0) return std::isnan(now) ? kNoNumber : 0;
      return (now - number_ago(ago)) / (static_cast<double>(ago) * tick_);
    }
    case PolicyOp::MaximumOver: return gathered([](double a, double b) { return std::max(a, b); });
    case PolicyOp::MinimumOver: return gathered([](double a, double b) { return std::min(a, b); });
    case PolicyOp::MeanOver: {
      double count = 0;
      double sum = 0;
      for (std::size_t ago = 0; ago <= tick && ago < std::max<std::size_t>(back, 1); ++ago) {
        const double value = number_ago(ago);
        if (std::isnan(value)) continue;
        sum += value;
        ++count;
      }
      return count == 0 ? kNoNumber : sum / count;
    }
    case PolicyOp::Previous:
      return ago(reading, expr.parts[0], std::min<std::size_t>(tick, 1), logic);
    default: break;
  }
  return kNoNumber;
}

// ---- Variants ----

std::vector<SlotId> variant_slots(const model::Model& model) {
  std::vector<SlotId> slots;
  for (const model::Variable& variable : model.variables) {
    if (!variable.variant) continue;
    for (std::uint32_t member = 0; member < variable.slot_count; ++member) {
      slots.push_back({variable.first_slot.index + member});
    }
  }
  return slots;
}

double field_value(const model::Model& model, SlotId slot, double value) {
  const model::Type& type = model.variables[model.slots[slot].variable].type;
  if (type.kind != TypeKind::Enum || std::isnan(value)) return value;
  for (std::size_t place = 0; place < type.members.size(); ++place) {
    if (value == static_cast<double>(type.members[place].index)) return static_cast<double>(place);
  }
  return kNoNumber;
}

double slot_value(const model::Model& model, SlotId slot, double field) {
  const model::Type& type = model.variables[model.slots[slot].variable].type;
  if (type.kind != TypeKind::Enum) return field;
  const bool is_place = field >= 0 && field < static_cast<double>(type.members.size());
  return is_place ? type.members[static_cast<std::size_t>(field)].index : kNoNumber;
}

}  // namespace poise::shake
