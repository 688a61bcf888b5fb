#pragma once

// A builder of policies for tests that need a model without a text.

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "poise/model/model.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/eval.h"

namespace poise::shake {

inline Rational exact(std::string_view decimal) {
  return decimal.starts_with('-') ? -Rational::from_decimal(decimal.substr(1))
                                  : Rational::from_decimal(decimal);
}

class PolicyMaker {
 public:
  model::Model model;

  model::SlotId number(std::string name, std::string_view low, std::string_view high) {
    return add({.name = std::move(name),
                .type = {.kind = model::TypeKind::Real, .low = exact(low), .high = exact(high)}});
  }
  model::SlotId whole(std::string name, std::int64_t low, std::int64_t high) {
    return add({.name = std::move(name),
                .type = {.kind = model::TypeKind::Int, .low = low, .high = high}});
  }
  model::SlotId flag(std::string name) { return add({.name = std::move(name), .type = {}}); }

  // Turns a sensed slot into a variant, or into a variable that the policy remembers.
  model::SlotId variant(model::SlotId slot, std::string_view initial) {
    variable(slot).variant = true;
    return own(slot, initial);
  }
  model::SlotId own(model::SlotId slot, std::string_view initial) {
    variable(slot).own = true;
    variable(slot).initial = {exact(initial)};
    return slot;
  }

  void term(model::SlotId slot, std::string name, model::Shape::Kind kind,
            std::initializer_list<std::string_view> points) {
    variable(slot).terms.push_back(
        {.name = std::move(name), .shape = shape(kind, points), .at = next()});
  }
  static model::Shape shape(model::Shape::Kind kind,
                            std::initializer_list<std::string_view> points) {
    model::Shape result{.kind = kind, .points = {}};
    for (const std::string_view point : points) result.points.push_back(exact(point));
    return result;
  }

  model::PolicyExprId constant(std::string_view number) {
    return add({.op = model::PolicyOp::Number, .number = exact(number)});
  }
  model::PolicyExprId read(model::SlotId slot) {
    return add({.op = model::PolicyOp::Slot, .slot = slot});
  }
  model::PolicyExprId utility() { return add({.op = model::PolicyOp::Utility}); }
  model::PolicyExprId is(model::SlotId slot, std::uint32_t term) {
    return add({.op = model::PolicyOp::Is, .slot = slot, .term = term});
  }
  model::PolicyExprId make(model::PolicyOp op, std::vector<model::PolicyExprId> parts,
                           std::string_view seconds = "0") {
    return add({.op = op, .number = exact(seconds), .parts = std::move(parts)});
  }
  // number < slot, that is: the slot is greater.
  model::PolicyExprId above(model::SlotId slot, std::string_view number) {
    const model::PolicyExprId bound = constant(number);
    return make(model::PolicyOp::Less, {bound, read(slot)});
  }
  model::PolicyExprId below(model::SlotId slot, std::string_view number) {
    const model::PolicyExprId value = read(slot);
    return make(model::PolicyOp::Less, {value, constant(number)});
  }
  model::PolicyExprId useful(std::string_view least) {
    const model::PolicyExprId bound = constant(least);
    return make(model::PolicyOp::LessEqual, {bound, utility()});
  }

  model::OptionId option(std::string name, model::SlotId slot, model::PolicyExprId value,
                         std::optional<model::PolicyExprId> when, std::string_view cooldown = "0") {
    model::Option option{.name = std::move(name),
                         .assignments = {{.slot = slot, .value = value, .at = next()}},
                         .when = when,
                         .cooldown = exact(cooldown),
                         .scale = {},
                         .at = next()};
    const model::Shape::Kind one = model::Shape::Kind::Singleton;
    option.scale.terms = {{.name = "low", .shape = shape(one, {"0"}), .at = {}},
                          {.name = "medium", .shape = shape(one, {"0.5"}), .at = {}},
                          {.name = "high", .shape = shape(one, {"1"}), .at = {}}};
    return model.policy.options.add(std::move(option));
  }
  void prefer(model::OptionId option, std::uint32_t term, model::PolicyExprId when) {
    model.policy.preferences.add({.option = option,
                                  .term = term,
                                  .when = when,
                                  .weight = 1,
                                  .at = next(),
                                  .term_at = next()});
  }
  model::ExpectationId expect(model::Expectation expectation) {
    return model.policy.expectations.add(std::move(expectation));
  }

  model::Variable& variable(model::SlotId slot) {
    return model.variables[model.slots[slot].variable];
  }

 private:
  Position next() { return {++line_, 1}; }
  model::SlotId add(model::Variable variable) {
    variable.first_slot = {static_cast<std::uint32_t>(model.slots.size())};
    variable.at = next();
    const model::SlotId slot = variable.first_slot;
    model.slots.add({.variable = model.variables.add(std::move(variable))});
    return slot;
  }
  model::PolicyExprId add(model::PolicyExpr expr) {
    expr.at = next();
    expr.end = {line_, 9};
    return model.policy.exprs.add(std::move(expr));
  }

  std::uint32_t line_ = 0;
};

inline Property property_of(const model::Model& model, model::SlotId slot,
                            std::vector<double> values) {
  const model::Variable& variable = model.variables[model.slots[slot].variable];
  Property property{.name = variable.name,
                    .kind = variable.type.kind == model::TypeKind::Bool ? Property::Kind::Boolean
                                                                        : Property::Kind::Number,
                    .low = number_of(variable.type.low),
                    .high = number_of(variable.type.high),
                    .values = std::move(values),
                    .texts = {},
                    .slot = slot};
  for (const double value : property.values) {
    property.texts.push_back(std::to_string(value));
    property.boundary.push_back(false);
  }
  return property;
}

// A policy with one sensed number 0..9, of all whole numbers.
inline Grid digits(const model::Model& model, model::SlotId slot) {
  return {.properties = {property_of(model, slot, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})},
          .constraints = {}};
}

}  // namespace poise::shake
