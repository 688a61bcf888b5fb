#include "poise/rank/application.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "poise/model/step.h"

namespace poise::rank {

using finding::FaultKind;
using model::AtomId;
using model::FormulaId;
using model::Op;
using model::RuleId;
using model::SlotId;
using model::StateId;
using model::Value;

namespace {

// A run can be as long as the model has configurations. Longer ones than this are not followed.
constexpr std::size_t kMostFirings = 100'000;

std::vector<SlotId> written_slots(const model::Model& model,
                                  const std::vector<std::vector<SlotId>>& behind) {
  std::set<SlotId> written;
  std::vector<SlotId> open;
  for (const model::Rule& rule : model.rules) {
    for (const model::Action& action : rule.actions) {
      for (const model::Effect& effect : action.effects) open.push_back(effect.slot);
    }
  }
  while (!open.empty()) {  // an action that makes a guard false also takes values behind it
    const SlotId slot = open.back();
    open.pop_back();
    if (!written.insert(slot).second) continue;
    open.insert(open.end(), behind[slot.index].begin(), behind[slot.index].end());
  }
  return {written.begin(), written.end()};
}

}  // namespace

bool Rulebook::reads_streams(const model::Model& model) {
  std::vector<FormulaId> guards;
  for (const model::Rule& rule : model.rules) guards.push_back(rule.guard);
  return std::ranges::any_of(model::atoms_of(model, std::move(guards)), [&](AtomId atom) {
    return std::ranges::any_of(model.atoms[atom].slots, [&](SlotId slot) {
      return model.variables[model.slots[slot].variable].query.has_value();
    });
  });
}

Rulebook::Rulebook(const model::Model& of)
    : model(of),
      readers(of.slots.size()),
      behind(of.slots.size()),
      initial(of.slots.size()),
      memory(std::make_unique<FormulaMemory>()) {
  memory->known.resize(of.formulas.size());
  for (const model::State& state : model.states) {
    std::vector<RuleId> of_state = state.rules;
    std::ranges::stable_sort(of_state, [&](RuleId a, RuleId b) {
      return model::is_stronger(model.rules[a], model.rules[b]);
    });
    rules.add(std::move(of_state));
  }
  for (const AtomId atom : model.atoms.ids()) {
    for (const SlotId slot : model.atoms[atom].slots) readers[slot.index].push_back(atom);
  }
  for (const SlotId slot : model.slots.ids()) {
    if (const auto guard = model::guard_slot(model, slot)) behind[guard->index].push_back(slot);
  }
  written = written_slots(model, behind);
  for (const model::Variable& variable : model.variables) {
    for (std::uint32_t i = 0; i < variable.initial.size(); ++i) {
      initial[variable.first_slot.index + i] = variable.initial[i];
    }
  }
}

Application::Application(const Rulebook& rulebook, StateId state)
    : Application(rulebook, state, rulebook.initial) {}

Application::Application(const Rulebook& rulebook, StateId state, model::Context context)
    : rulebook_(&rulebook),
      state_(state),
      context_(std::move(context)),
      atoms_(rulebook.model.atoms.size() / 64 + 1),
      stamp_(++rulebook.memory->last_stamp) {
  for (const AtomId atom : rulebook.model.atoms.ids()) {
    if (model::holds(rulebook.model.atoms[atom], context_)) {
      atoms_[atom.index / 64] |= std::uint64_t{1} << (atom.index % 64);
    }
  }
}

Application Application::in(StateId state) const {
  Application other = *this;
  other.state_ = state;
  other.settled_ = false;
  return other;
}

void Application::set(SlotId slot, const Value& value) {
  Value& here = context_[slot.index];
  if (here == value) return;
  here = value;
  for (const AtomId atom : rulebook_->readers[slot.index]) {
    const std::uint64_t bit = std::uint64_t{1} << (atom.index % 64);
    std::uint64_t& word = atoms_[atom.index / 64];
    const bool now = model::holds(rulebook_->model.atoms[atom], context_);
    if (((word & bit) != 0) == now) continue;
    word ^= bit;
    settled_ = false;
    stamp_ = ++rulebook_->memory->last_stamp;
  }
}

void Application::clear_behind(SlotId guard) {
  for (const SlotId slot : rulebook_->behind[guard.index]) {
    set(slot, std::nullopt);
    clear_behind(slot);
  }
}

// Once one member of a set is known to be in or out, those of which nothing is known are out.
void Application::complete_set(SlotId slot) {
  const model::Variable& variable =
      rulebook_->model.variables[rulebook_->model.slots[slot].variable];
  if (variable.type.kind != model::TypeKind::Set) return;
  for (std::uint32_t i = 0; i < variable.slot_count; ++i) {
    const SlotId member{variable.first_slot.index + i};
    if (!context_[member.index]) set(member, Rational(0));
  }
}

void Application::change(std::span<const log::Update> updates) {
  for (const log::Update& update : updates) {
    set(update.slot, update.kind == log::Update::Kind::Value ? Value(update.value) : std::nullopt);
  }
  // Behind a guard that did not hold before there are only the values that this line gives; behind
  // one that does not hold now there are none.
  for (const log::Update& update : updates) {
    const auto guard = model::guard_slot(rulebook_->model, update.slot);
    if (guard && !model::holds(context_[guard->index])) set(update.slot, std::nullopt);
  }
  for (const log::Update& update : updates) {
    if (!model::holds(context_[update.slot.index])) clear_behind(update.slot);
  }
  for (const log::Update& update : updates) {
    if (context_[update.slot.index]) complete_set(update.slot);
  }
}

bool Application::holds(FormulaId id) {
  FormulaMemory::Known& known = rulebook_->memory->known[id.index];
  if (known.stamp == stamp_) return known.holds;
  const model::Formula& formula = rulebook_->model.formulas[id];
  const auto part = [this](FormulaId one) { return holds(one); };
  bool result = false;
  switch (formula.op) {
    case Op::False: break;
    case Op::True: result = true; break;
    case Op::Atom: result = rank::holds(atoms_, formula.atom); break;
    case Op::Not: result = !part(formula.parts[0]); break;
    case Op::And: result = std::ranges::all_of(formula.parts, part); break;
    case Op::Or: result = std::ranges::any_of(formula.parts, part); break;
    case Op::Implies: result = !part(formula.parts[0]) || part(formula.parts[1]); break;
    case Op::Iff: result = part(formula.parts[0]) == part(formula.parts[1]); break;
  }
  known = {stamp_, result};
  return result;
}

bool Application::leaves(StateId state) {
  find_triggered(state);
  return !triggered_.empty();
}

void Application::find_triggered(StateId state) {
  triggered_.clear();
  const model::Model& model = rulebook_->model;
  for (const RuleId rule : rulebook_->rules[state]) {
    if (!triggered_.empty() &&
        model::is_stronger(model.rules[triggered_.front()], model.rules[rule])) {
      return;
    }
    if (holds(model.rules[rule].guard)) triggered_.push_back(rule);
  }
}

// An action that makes a guard true gives no values: what stands behind it has none until the log
// gives one.
void Application::fire(RuleId rule) {
  const model::Model& model = rulebook_->model;
  for (const model::Action& action : model.rules[rule].actions) {
    for (const model::Effect& effect : action.effects) {
      const auto guard = model::guard_slot(model, effect.slot);
      if (guard && !model::holds(context_[guard->index])) continue;
      set(effect.slot, effect.value);
      if (!model::holds(effect.value)) clear_behind(effect.slot);
    }
  }
  state_ = model.rules[rule].to;
  ++firings_;
}

Application::Configuration Application::configuration() const {
  model::Context values;
  for (const SlotId slot : rulebook_->written) values.push_back(context_[slot.index]);
  return {state_, std::move(values)};
}

Result<void> Application::run(const Witnessed& witnessed) {
  if (settled_) return {};
  find_triggered(state_);
  settled_ = triggered_.empty();
  if (settled_) return {};
  const StateId start = state_;
  const AtomBits atoms = atoms_;
  std::vector<RuleId> path;
  std::set<Configuration> before = {configuration()};
  while (!triggered_.empty()) {
    if (path.size() == kMostFirings) {
      return failure(fmt::format("a run of more than {} rules", kMostFirings));
    }
    if (triggered_.size() > 1) {
      witnessed({FaultKind::Nondeterminism, state_, triggered_, atoms_});
    }
    path.push_back(triggered_.front());
    fire(path.back());
    if (!before.insert(configuration()).second) {
      witnessed({FaultKind::Cycle, start, path, atoms});
      return {};
    }
    find_triggered(state_);
  }
  settled_ = true;
  if (path.size() > 1) witnessed({FaultKind::Race, start, path, atoms});
  return {};
}

}  // namespace poise::rank
