#include "poise/shake/subjects/reference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "poise/base/check.h"
#include "poise/shake/grid/number.h"
#include "poise/shake/subjects/fields.h"

namespace poise::shake {

using model::OptionId;
using model::SlotId;
using model::TypeKind;
using model::UtilityScale;

namespace {

std::unique_ptr<const model::Model> patched(model::Model model, const TermFault& patch) {
  if (!patch.passed_on.empty()) {
    std::vector<model::Term>& terms = model.variables[patch.variable].terms;
    const std::vector<model::Term> right = terms;
    POISE_CHECK(patch.passed_on.size() == terms.size());
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i].shape = right[patch.passed_on[i]].shape;
  }
  return std::make_unique<const model::Model>(std::move(model));
}

double within_type(const model::Model& model, SlotId slot, double value) {
  const model::Variable& variable = model.variables[model.slots[slot].variable];
  const bool whole = variable.type.kind == TypeKind::Int;
  if (!whole && variable.type.kind != TypeKind::Real) return value;
  const double number = whole ? rounded(value) : value;
  if (variable.unbounded) return number;
  return std::clamp(number, number_of(variable.type.low), number_of(variable.type.high));
}

// The centroid of the union of the terms, each cut off at its degree, by the midpoint rule.
double centroid(const UtilityScale& scale, const std::vector<double>& degrees) {
  constexpr int kSteps = 100;  // the same as the machine's, so that only rounding differs
  const double low = number_of(scale.low);
  const double width = (number_of(scale.high) - low) / kSteps;
  double area = 0;
  double moment = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double x = low + (i + 0.5) * width;
    double most = 0;
    for (std::size_t term = 0; term < degrees.size(); ++term) {
      most = std::max(most, std::min(degrees[term], degree(scale.terms[term].shape, x)));
    }
    area += most;
    moment += most * x;
  }
  return area > 0 ? moment / area : kNoNumber;
}

}  // namespace

ReferencePolicy::ReferencePolicy(model::Model model, const Grid& grid, SensorFault sensor,
                                 TermFault terms)
    : model_(patched(std::move(model), terms)),
      evaluator_(*model_),
      sensor_(std::move(sensor)),
      variant_slots_(variant_slots(*model_)),
      record_(model_->slots.size(), model_->policy.options.size() + 1,
              model_->policy.options.size()) {
  for (const Property& property : grid.properties) property_slots_.push_back(property.slot);
  for (const SlotId slot : variant_slots_) fields_.push_back(field_of(*model_, slot));
  reset();
}

void ReferencePolicy::reset() {
  record_.clear();
  now_.assign(model_->slots.size(), kNoNumber);
  for (const model::Variable& variable : model_->variables) {
    for (std::size_t i = 0; i < variable.initial.size(); ++i) {
      now_[variable.first_slot.index + i] = number_of(variable.initial[i]);
    }
  }
  acted_at_.assign(model_->policy.options.size(), std::nullopt);
  acted_.clear();
  variant_.clear();
  for (const SlotId slot : variant_slots_) {
    variant_.push_back(field_value(*model_, slot, now_[slot.index]));
  }
}

Result<std::span<const double>> ReferencePolicy::step(std::span<const double> context) {
  POISE_CHECK(context.size() == property_slots_.size());
  for (std::size_t i = 0; i < context.size(); ++i) {
    if (!property_slots_[i]) continue;
    const double sensed = context[sensor_.permutation.empty() ? i : sensor_.permutation[i]];
    now_[property_slots_[i]->index] = sensor_.scale.empty() ? sensed : sensed * sensor_.scale[i];
  }
  const std::size_t tick = record_.ticks();
  record_.add_tick(now_);
  acted_.clear();
  const model::Policy& policy = model_->policy;
  for (const OptionId option : policy.options.ids()) {
    record_.set_utility(option, utility_of(option, tick));
  }
  for (const OptionId id : policy.options.ids()) {
    const model::Option& option = policy.options[id];
    const Place place{.tick = tick, .moment = id.index, .option = id};
    std::optional<std::size_t>& last = acted_at_[id.index];
    if (last && tick - *last < evaluator_.ticks_in(option.cooldown)) continue;
    if (option.when && !evaluator_.holds(record_, *option.when, place)) continue;
    last = tick;
    acted_.push_back(option.name);
    for (const model::PolicyAssignment& assignment : option.assignments) {
      const double value = evaluator_.value_with(record_, assignment.value, place, now_);
      if (std::isnan(value)) continue;
      const double assigned = within_type(*model_, assignment.slot, value);
      now_[assignment.slot.index] = assigned;
      record_.set(id.index + 1, assignment.slot, assigned);
    }
  }
  for (std::size_t i = 0; i < variant_slots_.size(); ++i) {
    variant_[i] = field_value(*model_, variant_slots_[i], now_[variant_slots_[i].index]);
  }
  return std::span<const double>(variant_);
}

double ReferencePolicy::utility_of(OptionId option, std::size_t tick) const {
  const UtilityScale& scale = model_->policy.options[option].scale;
  std::vector<double> degrees(scale.terms.size(), 0);
  double weights = 0;
  double sum = 0;
  for (const model::Preference& preference : model_->policy.preferences) {
    if (preference.option != option) continue;
    const double far =
        evaluator_.value(record_, preference.when, {.tick = tick, .moment = 0}, Logic::Fuzzy);
    const double counts = std::isnan(far) ? 0 : far * number_of(preference.weight);
    degrees[preference.term] = std::max(degrees[preference.term], counts);
    weights += counts;
    sum += counts * middle(scale.terms[preference.term].shape);
  }
  const double utility = scale.method == UtilityScale::Method::Mamdani
                             ? centroid(scale, degrees)
                             : (weights > 0 ? sum / weights : kNoNumber);
  return std::isnan(utility) ? number_of(scale.otherwise) : utility;
}

}  // namespace poise::shake
