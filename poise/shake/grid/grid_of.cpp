// The grid of a model. Properties come in the order in which variables are declared, but a guard
// comes before the properties that it guards. A constraint that is a conjunction becomes several
// constraints, because smaller scopes propagate better. A constraint that reads a variant says
// nothing about the environment and is left out; it is an expectation.

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "poise/shake/grid/compiled_condition.h"
#include "poise/shake/grid/constants.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/grid/representatives.h"

namespace poise::shake {

namespace {

using model::FormulaId;
using model::SlotId;
using model::TypeKind;
using model::Variable;
using model::VariableId;

std::vector<VariableId> sensed_guards_first(const model::Model& model) {
  std::vector<VariableId> order;
  std::vector<bool> done(model.variables.size(), false);
  for (const VariableId id : model.variables.ids()) {
    std::vector<VariableId> chain;
    std::optional<VariableId> next = id;
    while (next && !done[next->index]) {
      done[next->index] = true;
      chain.push_back(*next);
      next = model.variables[*next].guard;
    }
    for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
      if (!model.variables[*link].own) order.push_back(*link);
    }
  }
  return order;
}

Property truth_property(std::string name) {
  return {.name = std::move(name),
          .kind = Property::Kind::Boolean,
          .values = {0, 1},
          .texts = {"false", "true"},
          .boundary = {true, true},
          .cells = {0, 1},
          .cell_names = {"false", "true"}};
}

Property label_property(const model::Model& model, const Variable& variable) {
  Property property{
      .name = variable.name, .kind = Property::Kind::Label, .values = {}, .texts = {}};
  for (const model::SymbolId symbol : variable.type.members) {
    if (property.values.size() == kNoValue) break;
    property.cells.push_back(static_cast<std::uint32_t>(property.values.size()));
    property.values.push_back(symbol.index);
    property.texts.push_back(model.symbols[symbol]);
  }
  property.boundary.assign(property.values.size(), true);
  property.cell_names = property.texts;
  return property;
}

Property number_property(const Variable& variable, const Constants& constants, std::size_t most) {
  Property property{.name = variable.name,
                    .kind = Property::Kind::Number,
                    .low = to_double(variable.type.low),
                    .high = to_double(variable.type.high),
                    .log = variable.log_scale && variable.type.low.sign() > 0,
                    .values = {},
                    .texts = {}};
  Representatives chosen = representatives(variable, constants, most);
  for (const Rational& value : chosen.values) {
    property.values.push_back(to_double(value));
    property.texts.push_back(value.to_string());
  }
  property.boundary = std::move(chosen.boundary);
  property.cells = std::move(chosen.cells);
  property.cell_names = std::move(chosen.cell_names);
  return property;
}

class Builder {
 public:
  Builder(const model::Model& model, std::size_t most)
      : model_(model), most_(most), property_of_(model.slots.size()) {}

  Grid build() {
    const std::vector<Constants> constants = constants_of(model_);
    for (const VariableId id : sensed_guards_first(model_)) {
      const Variable& variable = model_.variables[id];
      switch (variable.type.kind) {
        case TypeKind::Bool: add(variable, 0, truth_property(variable.name)); break;
        case TypeKind::Enum: add(variable, 0, label_property(model_, variable)); break;
        case TypeKind::Int:
        case TypeKind::Real:
          add(variable, 0, number_property(variable, constants[variable.first_slot.index], most_));
          break;
        case TypeKind::Set:
          for (std::uint32_t i = 0; i < variable.slot_count; ++i) {
            const std::string& member = model_.symbols[variable.type.members[i]];
            add(variable, i, truth_property(fmt::format("{} has {}", variable.name, member)));
          }
          break;
      }
    }
    for (const model::Constraint& constraint : model_.constraints) add(constraint.condition);
    return std::move(grid_);
  }

 private:
  void add(const Variable& variable, std::uint32_t member, Property property) {
    const SlotId slot{variable.first_slot.index + member};
    property.slot = slot;
    property.weight = to_double(variable.weight) / std::max<double>(1, variable.slot_count);
    if (variable.guard) {
      property.guard = property_of_[model_.variables[*variable.guard].first_slot.index];
    }
    property_of_[slot.index] = grid_.properties.size();
    grid_.properties.push_back(std::move(property));
  }

  void add(FormulaId formula) {
    if (model_.formulas[formula].op == model::Op::And) {
      for (const FormulaId part : model_.formulas[formula].parts) add(part);
      return;
    }
    std::vector<SlotId> slots = slots_of(model_, formula);
    std::vector<std::pair<std::size_t, SlotId>> scope;
    for (const SlotId slot : slots) {
      if (!property_of_[slot.index]) return;
      scope.emplace_back(*property_of_[slot.index], slot);
    }
    std::ranges::sort(scope);
    GridConstraint constraint{.scope = {}, .allows = {}, .text = model::to_text(model_, formula)};
    bool in_order = true;  // the scope is in the order of the slots, as nearly always
    std::vector<std::size_t> places;
    for (const auto& [property, slot] : scope) {
      constraint.scope.push_back(property);
      const auto place = std::ranges::lower_bound(slots, slot) - slots.begin();
      in_order = in_order && static_cast<std::size_t>(place) == places.size();
      places.push_back(static_cast<std::size_t>(place));
    }
    const auto program = std::make_shared<const CompiledCondition>(model_, formula, slots);
    if (in_order) {
      constraint.allows = [program](std::span<const double> values) {
        return program->holds(values);
      };
    } else {
      constraint.allows = [program, places](std::span<const double> values) {
        std::vector<double> ordered(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) ordered[places[i]] = values[i];
        return program->holds(ordered);
      };
    }
    grid_.constraints.push_back(std::move(constraint));
  }

  const model::Model& model_;
  std::size_t most_;
  std::vector<std::optional<std::size_t>> property_of_;  // by slot
  Grid grid_;
};

}  // namespace

Grid grid_of(const model::Model& model, std::size_t most) {
  Grid grid = Builder(model, most).build();
  // The origin is the instance of all lowest values, or the valid one nearest to it.
  if (const std::optional<Instance> origin = origin_of(grid)) {
    for (std::size_t i = 0; i < grid.properties.size(); ++i) {
      if ((*origin)[i] != kNoValue) grid.properties[i].origin = (*origin)[i];
    }
  }
  return grid;
}

}  // namespace poise::shake
