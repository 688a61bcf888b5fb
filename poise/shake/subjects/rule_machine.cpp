#include "poise/shake/subjects/rule_machine.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "poise/base/check.h"
#include "poise/shake/grid/number.h"

namespace poise::shake {

using model::Model;
using model::Op;
using model::Relation;
using model::SlotId;
using model::TypeKind;

namespace {

bool compares(Relation relation, double a, double b) {
  switch (relation) {
    case Relation::Equal: return a == b;
    case Relation::NotEqual: return a < b || a > b;
    case Relation::Less: return a < b;
    case Relation::LessEqual: return a <= b;
    case Relation::Greater: return a > b;
    case Relation::GreaterEqual: return a >= b;
  }
  return false;
}

int sign_of(double sum, double size) {
  if (std::abs(sum) <= kRounding * size) return 0;
  return sum < 0 ? -1 : 1;
}

double least_of(const Model& model, SlotId slot) {
  const model::Type& type = model.variables[model.slots[slot].variable].type;
  switch (type.kind) {
    case TypeKind::Bool:
    case TypeKind::Set: return 0;
    case TypeKind::Enum: return static_cast<double>(type.members.front().index);
    case TypeKind::Int:
    case TypeKind::Real: return to_double(type.low);
  }
  return 0;
}

}  // namespace

RuleMachine::RuleMachine(const Model& model, const Grid& grid, const SensorFault& sensors) {
  Field state{.name = "state", .kind = Field::Kind::Symbol};
  for (const model::State& row : model.states) state.symbols.push_back(row.name);
  fields_.push_back(std::move(state));
  outputs_.push_back({0});
  initial_.push_back(static_cast<double>(model.initial.index));
  // Own variables stand before sensed ones, so that the state to keep is one block.
  places_.resize(model.slots.size());
  for (const bool own : {true, false}) {
    for (const SlotId slot : model.slots.ids()) {
      const model::Variable& variable = model.variables[model.slots[slot].variable];
      if (variable.own != own) continue;
      places_[slot.index] = static_cast<std::uint32_t>(initial_.size());
      if (own) {
        fields_.push_back(field_of(model, slot));
        outputs_.push_back(source_of(model, slot, initial_.size()));
        const std::size_t member = slot.index - variable.first_slot.index;
        POISE_CHECK(member < variable.initial.size());
        initial_.push_back(to_double(variable.initial[member]) + 0.0);
      } else {
        initial_.push_back(kNoNumber);
      }
    }
    if (own) kept_ = initial_.size();
  }
  for (std::size_t i = 0; i < grid.properties.size(); ++i) {
    const std::optional<SlotId> slot = grid.properties[i].slot;
    if (!slot) continue;
    const std::size_t source = sensors.permutation.empty() ? i : sensors.permutation.at(i);
    POISE_CHECK(source < grid.properties.size());
    const TypeKind kind = model.variables[model.slots[*slot].variable].type.kind;
    inputs_.push_back({source, places_[slot->index],
                       sensors.scale.empty() ? 1.0 : sensors.scale.at(i),
                       kind == TypeKind::Bool || kind == TypeKind::Set});
  }
  for (const model::Atom& atom : model.atoms) atoms_.push_back(compiled(atom));
  for (const model::Formula& formula : model.formulas) {
    Formula& made = formulas_.emplace_back(Formula{formula.op, formula.atom.index});
    for (const model::FormulaId part : formula.parts) made.parts.push_back(part.index);
  }
  behind_.resize(initial_.size());
  for (const SlotId slot : model.slots.ids()) {
    if (const auto guard = guard_slot(model, slot)) {
      behind_[places_[guard->index]].push_back({places_[slot.index], least_of(model, slot)});
    }
  }
  for (const model::Rule& rule : model.rules) {
    Rule& made = rules_.emplace_back(Rule{rule.name, rule.guard.index, rule.to.index, {}});
    for (const model::Action& action : rule.actions) {
      for (const model::Effect& effect : action.effects) {
        Effect& compiled = made.effects.emplace_back();
        compiled.place = places_[effect.slot.index];
        compiled.value =
            effect.value ? to_double(*effect.value) + 0.0 : least_of(model, effect.slot);
        if (effect.unless) compiled.unless = places_[effect.unless->index];
        if (const auto guard = guard_slot(model, effect.slot)) {
          compiled.guard = places_[guard->index];
        }
      }
    }
  }
  for (const model::State& row : model.states) {
    std::vector<model::RuleId> rules = row.rules;
    std::ranges::stable_sort(rules, [&](model::RuleId a, model::RuleId b) {
      return is_stronger(model.rules[a], model.rules[b]);
    });
    std::vector<std::uint32_t>& made = rules_of_.emplace_back();
    for (const model::RuleId rule : rules) made.push_back(rule.index);
  }
  stamps_.resize(formulas_.size(), 0);
  truths_.resize(formulas_.size(), false);
  variant_.resize(fields_.size());
  reset();
}

// A comparison of one number with a constant becomes a comparison of two doubles. It is exact,
// because rounding keeps the order of numbers.
RuleMachine::Atom RuleMachine::compiled(const model::Atom& atom) const {
  Atom made;
  made.relation = atom.relation;
  const std::vector<model::Monomial>& terms = atom.value.terms;
  const bool single =
      terms.size() == 1 && terms.front().slots.size() == 1 && atom.slots.size() == 1;
  if (single) {
    const Rational& factor = terms.front().coefficient;
    made.place = places_[terms.front().slots.front().index];
    if (atom.membership) {
      made.kind = Atom::Kind::Among;
      for (const Rational& value : atom.among) {
        made.among.push_back(to_double((value - atom.value.constant) / factor));
      }
    } else {
      made.kind = Atom::Kind::Compared;
      made.bound = to_double(-atom.value.constant / factor);
      if (factor.sign() < 0) made.relation = mirrored(made.relation);
    }
    return made;
  }
  made.kind = atom.membership ? Atom::Kind::SumAmong : Atom::Kind::Sum;
  made.constant = to_double(atom.value.constant);
  for (const Rational& value : atom.among) made.among.push_back(to_double(value));
  for (const model::Monomial& term : terms) {
    Atom::Term& row = made.terms.emplace_back();
    row.factor = to_double(term.coefficient);
    for (const SlotId slot : term.slots) row.places.push_back(places_[slot.index]);
  }
  for (const SlotId slot : atom.slots) made.places.push_back(places_[slot.index]);
  return made;
}

bool RuleMachine::holds(const Atom& atom) const {
  if (atom.kind == Atom::Kind::Compared) {
    return compares(atom.relation, values_[atom.place], atom.bound);
  }
  if (atom.kind == Atom::Kind::Among) {
    return std::ranges::find(atom.among, values_[atom.place]) != atom.among.end();
  }
  for (const std::uint32_t place : atom.places) {
    if (std::isnan(values_[place])) return false;
  }
  double sum = atom.constant;
  double size = std::abs(atom.constant);
  for (const Atom::Term& term : atom.terms) {
    double product = term.factor;
    for (const std::uint32_t place : term.places) product *= values_[place];
    sum += product;
    size += std::abs(product);
  }
  if (atom.kind == Atom::Kind::Sum) return model::holds(atom.relation, sign_of(sum, size));
  return std::ranges::any_of(
      atom.among, [&](double value) { return sign_of(sum - value, size + std::abs(value)) == 0; });
}

// Formulas share parts, so the truth of each is remembered until values change. Recursion is at
// most kMaxFormulaDepth deep.
bool RuleMachine::holds(std::uint32_t id) {
  if (stamps_[id] == stamp_) return truths_[id];
  const Formula& formula = formulas_[id];
  const auto part = [&](std::uint32_t of) { return holds(of); };
  bool truth = false;
  switch (formula.op) {
    case Op::False: break;
    case Op::True: truth = true; break;
    case Op::Atom: return holds(atoms_[formula.atom]);
    case Op::Not: truth = !part(formula.parts[0]); break;
    case Op::And: truth = std::ranges::all_of(formula.parts, part); break;
    case Op::Or: truth = std::ranges::any_of(formula.parts, part); break;
    case Op::Implies: truth = !part(formula.parts[0]) || part(formula.parts[1]); break;
    case Op::Iff: truth = part(formula.parts[0]) == part(formula.parts[1]); break;
  }
  stamps_[id] = stamp_;
  truths_[id] = truth;
  return truth;
}

// When a guard becomes true or false, the variables behind it get or lose their values. Guards are
// not circular.
void RuleMachine::set(std::uint32_t place, double value) {
  const bool before = values_[place] > 0;
  values_[place] = value;
  const bool now = value > 0;
  if (before == now) return;
  for (const Behind& behind : behind_[place]) set(behind.place, now ? behind.least : kNoNumber);
}

// Fires the strongest satisfied rule; false if there is none.
bool RuleMachine::fire() {
  for (const std::uint32_t id : rules_of_[static_cast<std::size_t>(values_[0])]) {
    const Rule& rule = rules_[id];
    if (!holds(rule.guard)) continue;
    fired_.push_back(id);
    values_[0] = static_cast<double>(rule.to);
    for (const Effect& effect : rule.effects) {
      if (effect.unless && values_[*effect.unless] > 0) continue;
      if (effect.guard && !(values_[*effect.guard] > 0)) continue;
      set(effect.place, effect.value);
    }
    if (!rule.effects.empty()) ++stamp_;
    return true;
  }
  return false;
}

// Whether the current configuration occurred before in this tick; if not, it is noted.
bool RuleMachine::is_back() {
  const std::size_t width = values_.size();
  for (std::size_t i = 0; i < seen_.size(); i += width) {
    if (std::memcmp(seen_.data() + i, values_.data(), width * sizeof(double)) == 0) return true;
  }
  seen_.insert(seen_.end(), values_.begin(), values_.end());
  return false;
}

Result<std::span<const double>> RuleMachine::step(std::span<const double> context) {
  for (const Input& input : inputs_) {
    const double value = context[input.property] * input.scale;
    double& to = values_[input.to];
    if (std::isnan(value)) {
      to = kNoNumber;  // always the same NaN: configurations are compared byte by byte
    } else {
      to = input.boolean ? (value != 0 ? 1.0 : 0.0) : value + 0.0;
    }
  }
  ++stamp_;
  fired_.clear();
  seen_.clear();
  end_ = End::Stable;
  // The first configuration is noted only if a rule will fire; mostly none does.
  const double start = values_[0];
  std::span<const std::uint32_t> rules = rules_of_[static_cast<std::size_t>(start)];
  const bool moves =
      std::ranges::any_of(rules, [&](std::uint32_t rule) { return holds(rules_[rule].guard); });
  if (moves) {
    (void)is_back();
    while (fire()) {
      if (is_back()) {
        end_ = End::Closed;
        break;
      }
      if (fired_.size() >= kMostFirings) {
        end_ = End::Cut;
        break;
      }
    }
    show_variant();
  }
  return std::span<const double>(variant_);
}

void RuleMachine::reset() {
  values_ = initial_;
  fired_.clear();
  end_ = End::Stable;
  show_variant();
}

void RuleMachine::restore(std::span<const double> state) {
  POISE_CHECK(state.size() == kept_);
  std::ranges::copy(state, values_.begin());
  fired_.clear();
  end_ = End::Stable;
  show_variant();
}

std::vector<std::string> RuleMachine::acted() const {
  std::vector<std::string> names;
  names.reserve(fired_.size());
  for (const std::uint32_t rule : fired_) names.push_back(rules_[rule].name);
  return names;
}

void RuleMachine::show_variant() {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    variant_[i] = shown(outputs_[i], values_[outputs_[i].place]);
  }
}

}  // namespace poise::shake
