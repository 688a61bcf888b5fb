#include "poise/shake/subjects/machine.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "poise/base/check.h"
#include "poise/base/infinity.h"
#include "poise/shake/grid/number.h"
#include "poise/shake/subjects/finite_states.h"

namespace poise::shake {

using model::SlotId;
using model::TypeKind;

namespace {

constexpr double kNothingKept =
    kInfinity;                          // in a state, instead of NaN, which is not equal to itself
constexpr double kNotYet = -kInfinity;  // a tick before the first one

double truth(bool value) { return value ? 1.0 : 0.0; }

double kept(double number) { return std::isfinite(number) ? number + 0.0 : kNothingKept; }
double recalled(double number) { return number == kNothingKept ? kNoNumber : number; }

// Moves the kept numbers one tick back and puts the present one in front.
void keep(double* ring, std::uint32_t count, double number) {
  std::memmove(ring + 1, ring, (count - 1) * sizeof(double));
  ring[0] = kept(number);
}

void keep_held(double* count, bool holds, double ticks) {
  *count = holds ? std::min(*count + 1, ticks) : 0;
}

double rate(const double* ring, std::uint32_t count, double now, double tick) {
  std::uint32_t ago = count;
  while (ago > 0 && ring[ago - 1] == kNotYet) --ago;
  return ago == 0 ? now - now : (now - recalled(ring[ago - 1])) / (static_cast<double>(ago) * tick);
}

// `most[i]` is the greatest of the numbers from i + 1 ticks ago up to one tick ago; -infinity if
// none of them has a value.
double maximum_over(const double* most, std::uint32_t count, double now) {
  const double result = std::isfinite(now) ? std::max(most[count - 1], now + 0.0) : most[count - 1];
  return result == -kInfinity ? kNoNumber : result;
}

void keep_maximum(double* most, std::uint32_t count, double number) {
  const double now = std::isfinite(number) ? number + 0.0 : -kInfinity;
  for (std::uint32_t i = count - 1; i > 0; --i) most[i] = std::max(most[i - 1], now);
  most[0] = now;
}

double minimum_over(const double* least, std::uint32_t count, double now) {
  const double result =
      std::isfinite(now) ? std::min(least[count - 1], now + 0.0) : least[count - 1];
  return result == kInfinity ? kNoNumber : result;
}

void keep_minimum(double* least, std::uint32_t count, double number) {
  const double now = std::isfinite(number) ? number + 0.0 : kInfinity;
  for (std::uint32_t i = count - 1; i > 0; --i) least[i] = std::min(least[i - 1], now);
  least[0] = now;
}

double mean_over(const double* ring, std::uint32_t count, double now) {
  double sum = 0;
  double numbers = 0;
  const auto add = [&](double number) {
    if (!std::isfinite(number)) return;
    sum += number;
    ++numbers;
  };
  add(now);
  for (std::uint32_t i = 0; i < count; ++i) add(ring[i]);
  return numbers > 0 ? sum / numbers : kNoNumber;
}

double previous(double kept_number, double now) {
  return kept_number == kNotYet ? now : recalled(kept_number);
}

}  // namespace

PolicyMachine::PolicyMachine(const model::Model& model, const Grid& grid,
                             const SensorFault& sensors, const TermFault& terms)
    : program_(program_of(model, terms)),
      is_finite_(has_finitely_many_states(model)),
      field_of_(model.slots.size()) {
  for (std::size_t i = 0; i < grid.properties.size(); ++i) {
    const std::optional<SlotId> slot = grid.properties[i].slot;
    if (!slot) continue;
    const model::Variable& variable = model.variables[model.slots[*slot].variable];
    const std::size_t source = sensors.permutation.empty() ? i : sensors.permutation.at(i);
    POISE_CHECK(source < grid.properties.size());
    const TypeKind kind = variable.type.kind;
    inputs_.push_back({source, program_.slots[slot->index],
                       sensors.scale.empty() ? 1.0 : sensors.scale.at(i),
                       kind == TypeKind::Bool || kind == TypeKind::Set});
  }
  for (const SlotId slot : model.slots.ids()) {
    const model::Variable& variable = model.variables[model.slots[slot].variable];
    if (!variable.variant) continue;
    field_of_[slot.index] = fields_.size();
    fields_.push_back(field_of(model, slot));
    outputs_.push_back(source_of(model, slot, program_.slots[slot.index]));
  }
  variant_.resize(fields_.size());
  acted_.reserve(program_.options.size());
  reset();
}

void PolicyMachine::reset() {
  registers_ = program_.registers;
  acted_.clear();
  out_of_bounds_.reset();
  show_variant();
}

void PolicyMachine::restore(std::span<const double> state) {
  POISE_CHECK(state.size() == program_.state);
  std::ranges::copy(state, registers_.begin());
  acted_.clear();
  out_of_bounds_.reset();
  show_variant();
}

std::vector<std::string> PolicyMachine::acted() const {
  std::vector<std::string> names;
  names.reserve(acted_.size());
  for (const std::uint32_t option : acted_) names.push_back(program_.options[option].name);
  return names;
}

Result<std::span<const double>> PolicyMachine::step(std::span<const double> context) {
  double* const r = registers_.data();
  for (const Input& input : inputs_) {
    const double value = context[input.property] * input.scale;
    r[input.to] = input.boolean && !std::isnan(value) ? truth(value != 0) : value;
  }
  for (const CompiledPolicy::Cell& cell : program_.cells) {
    r[cell.to] = degree_of(cell.shape, r[cell.number]);
  }
  run(program_.start);
  double* const utilities = r + program_.utilities;
  for (std::size_t i = 0; i < program_.options.size(); ++i) {
    const CompiledPolicy::Option& option = program_.options[i];
    utilities[i] = option.scale.utility(option.votes, r);
  }
  run(program_.ready);
  acted_.clear();
  out_of_bounds_.reset();
  for (std::size_t i = 0; i < program_.options.size(); ++i) {
    const CompiledPolicy::Option& option = program_.options[i];
    if (option.cooldown > 0) {
      double& left = r[option.cooling];
      if (left > 0) left -= 1;
      if (left > 0) continue;
    }
    if (option.condition) {
      if (!option.asked.empty()) run(option.asked);
      if (r[*option.condition] == 0) continue;
    }
    acted_.push_back(static_cast<std::uint32_t>(i));
    if (option.cooldown > 0) r[option.cooling] = option.cooldown;
    for (const CompiledPolicy::Assignment& assignment : option.assignments) {
      run(assignment.code);
      assign(assignment);
    }
  }
  run(program_.end);
  run(program_.keep);
  if (!acted_.empty()) show_variant();
  return std::span<const double>(variant_);
}

void PolicyMachine::assign(const CompiledPolicy::Assignment& assignment) {
  const double value = registers_[assignment.value];
  if (!std::isfinite(value)) return;
  using Kind = CompiledPolicy::Assignment::Kind;
  double& target = registers_[assignment.target];
  switch (assignment.kind) {
    case Kind::Boolean: target = truth(value != 0); return;
    case Kind::Symbol: target = value; return;
    case Kind::Whole:
    case Kind::Real: break;
  }
  const double wanted = assignment.kind == Kind::Whole ? round_near(value) : value;
  const double allowed = std::clamp(wanted, assignment.low, assignment.high) + 0.0;
  if (allowed != wanted && !is_near(allowed, wanted) && !out_of_bounds_) {
    out_of_bounds_ = field_of_[assignment.slot];
  }
  target = allowed;
}

void PolicyMachine::show_variant() {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    variant_[i] = shown(outputs_[i], registers_[outputs_[i].place]);
  }
}

void PolicyMachine::run(const Block& block) {
  double* const r = registers_.data();
  for (const Instruction& instruction : block) {
    const double a = r[instruction.a];
    double& to = r[instruction.to];
    const auto b = [&] { return r[instruction.b]; };
    double* const kept = r + instruction.b;
    const std::uint32_t count = instruction.c;
    switch (instruction.code) {
      case Code::Add: to = a + b(); break;
      case Code::Multiply: to = a * b(); break;
      case Code::Divide: to = b() == 0 ? kNoNumber : a / b(); break;
      case Code::Negate: to = -a; break;
      case Code::Minimum: to = a < b() || std::isnan(a) ? a : b(); break;
      case Code::Maximum: to = a > b() || std::isnan(a) ? a : b(); break;
      case Code::Absolute: to = std::abs(a); break;
      case Code::Ceiling: to = std::ceil(a); break;
      case Code::Floor: to = std::floor(a); break;
      case Code::Round: to = std::round(a); break;
      case Code::NearCeiling: to = ceiling_near(a); break;
      case Code::NearFloor: to = floor_near(a); break;
      case Code::NearRound: to = round_near(a); break;
      case Code::Select: to = a != 0 ? b() : r[instruction.c]; break;
      case Code::Not: to = 1 - a; break;
      case Code::And: to = a < b() ? a : b(); break;
      case Code::Or: to = a > b() ? a : b(); break;
      case Code::Truth: to = truth(a > 0); break;
      case Code::Clear: to = truth(a >= 0.5 - kRounding); break;
      case Code::Equal: to = truth(a == b()); break;
      case Code::NotEqual: to = truth(a < b() || a > b()); break;
      case Code::Less: to = truth(a < b()); break;
      case Code::LessEqual: to = truth(a <= b()); break;
      case Code::NearEqual: to = truth(is_near(a, b())); break;
      case Code::NearNotEqual: to = truth((a < b() || a > b()) && !is_near(a, b())); break;
      case Code::NearLess: to = truth(a < b() && !is_near(a, b())); break;
      case Code::NearLessEqual: to = truth(a <= b() || is_near(a, b())); break;
      case Code::Degree: to = degree_of(program_.trapezoids[instruction.b], a); break;
      case Code::TableDegree: to = degree_of_table(program_.tables[instruction.b], a); break;
      case Code::Held: to = truth(a != 0 && *kept >= r[instruction.c]); break;
      case Code::Rate: to = rate(kept, count, a, program_.tick); break;
      case Code::MaximumOver: to = maximum_over(kept, count, a); break;
      case Code::MinimumOver: to = minimum_over(kept, count, a); break;
      case Code::MeanOver: to = mean_over(kept, count, a); break;
      case Code::Previous: to = previous(*kept, a); break;
      case Code::Keep: keep(kept, count, a); break;
      case Code::KeepHeld: keep_held(kept, a != 0, r[instruction.c]); break;
      case Code::KeepMaximum: keep_maximum(kept, count, a); break;
      case Code::KeepMinimum: keep_minimum(kept, count, a); break;
    }
  }
}

}  // namespace poise::shake
