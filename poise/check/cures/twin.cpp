#include "poise/check/cures/twin.h"

#include <algorithm>

namespace poise::check {

using boolean::Arena;
using boolean::kFalse;
using finding::Cure;
using finding::FaultKind;
using model::Model;
using model::RuleId;
using model::StateId;

namespace {

// A fresh scope is used for one change after another until it has so many nodes.
constexpr std::size_t kManyNodes = std::size_t{1} << 13;
// Stays below where a walk begins to collect garbage, which would make all nodes void that are kept
// here.
constexpr std::size_t kMostNodes = std::size_t{1} << 15;
static_assert(kMostNodes < Walk::kFirstGarbageLimit);
// So many nodes take about as long as the firing of a rule.
constexpr std::size_t kNodesPerStep = 4;

bool has_effects(const model::Rule& rule) {
  return std::ranges::any_of(rule.actions,
                             [](const model::Action& action) { return !action.effects.empty(); });
}

// The same for another model with the same atoms, actions, states and rules.
Prepared prepared_for(const Model& model, const Prepared& other) {
  return {.model = model,
          .options = other.options,
          .budget = other.budget,
          .owned_questions = other.owned_questions,
          .questions = other.questions,
          .levels = other.levels,
          .state_atoms = other.state_atoms,
          .targets = other.targets,
          .guards = other.guards,
          .guards_begin = other.guards_begin,
          .code = other.code,
          .all_atoms = other.all_atoms};
}

}  // namespace

Twin::Twin(const Model& model, const Prepared& prepared, std::size_t& effort)
    : model_(model),
      before_(prepared_for(model_, prepared)),
      after_(before_),
      effort_(effort),
      acts_(std::ranges::any_of(model.rules, has_effects)),
      scope_(model_, before_.questions, prepared.budget, {.nodes = kMostNodes}) {
  restart();
}

void Twin::restart() {
  scope_.restart();
  old_.emplace(before_, scope_);
  new_.emplace(after_, scope_);
  nodes_paid_ = arena().size();
  gave_up_ = false;
}

// ---- Changes ----

void Twin::prepare_after() {
  for (const StateId state : changed_) {
    after_.prepare(state);
    new_->forget(state);
  }
}

void Twin::refresh() {
  if (gave_up() || arena().size() > kManyNodes) restart();
  looked_at_.clear();
}

void Twin::change(const Cure& cure) {
  refresh();
  changed_ = changed_states(model_, cure);
  for (const RuleId rule : cure.rules) replaced_.emplace_back(rule, model_.rules[rule]);
  apply(model_, cure);
  prepare_after();
}

void Twin::change_back() {
  for (const auto& [id, rule] : replaced_) model_.rules[id] = rule;
  replaced_.clear();
  prepare_after();
  changed_.clear();
}

void Twin::keep(const Cure& cure) {
  change(cure);
  for (const StateId state : changed_) {
    before_.prepare(state);
    old_->forget(state);
  }
  replaced_.clear();
  changed_.clear();
  entering_.clear();
}

// ---- Sets ----

bool Twin::spend(std::size_t amount) {
  if (gave_up()) return false;
  const std::size_t nodes = std::max(arena().size(), nodes_paid_);
  amount += (nodes - nodes_paid_) / kNodesPerStep;
  nodes_paid_ = nodes;
  if (effort_ >= amount) {
    effort_ -= amount;
    return true;
  }
  effort_ = 0;
  gave_up_ = true;
  return false;
}

const StateSets& Twin::sets(Side side, StateId state) {
  looked_at_.insert(state);
  return walk(side).sets_of(state, Scope::kStart);
}

Node Twin::feasible(StateId state) {
  return scope_.feasible(
      atoms_of_both(before_.state_atoms[state.index], after_.state_atoms[state.index]));
}

bool Twin::is_live(Side side, StateId state, std::size_t rule) {
  const Node triggered = sets(side, state).triggered[rule];
  return arena().meet(feasible(state), triggered);
}

std::optional<std::size_t> Twin::index_of(StateId state, RuleId rule) const {
  const std::vector<RuleId>& rules = model_.states[state].rules;
  const auto place = std::ranges::lower_bound(rules, rule);
  if (place == rules.end() || *place != rule) return std::nullopt;
  return static_cast<std::size_t>(place - rules.begin());
}

Node Twin::felt(StateId state, const Cure& cure) {
  const std::vector<RuleId>& rules = model_.states[state].rules;
  if (!spend(1 + rules.size() / 4)) return kFalse;
  const StateSets& before = sets(Side::Before, state);
  Node where = kFalse;
  if (cure.kind == Cure::Kind::Priority) {
    const StateSets& after = sets(Side::After, state);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      where =
          arena().disjunction(where, arena().difference(before.triggered[i], after.triggered[i]));
      where =
          arena().disjunction(where, arena().difference(after.triggered[i], before.triggered[i]));
    }
    return arena().conjunction(where, feasible(state));
  }
  for (const RuleId rule : cure.rules) {
    const std::optional<std::size_t> index = index_of(state, rule);
    if (index) where = arena().disjunction(where, before.triggered[*index]);
  }
  if (cure.kind == Cure::Kind::Condition) {
    const Node condition = scope_.truth(cure.condition);
    where =
        cure.negated ? arena().conjunction(where, condition) : arena().difference(where, condition);
  }
  Atoms atoms = before_.state_atoms[state.index];
  if (cure.kind == Cure::Kind::Condition) {
    atoms = atoms_of_both(atoms, atoms_of(model_, {cure.condition}));
  }
  return arena().conjunction(where, scope_.feasible(atoms));
}

// ---- Runs ----

void Twin::find_entering() {
  if (!entering_.empty()) return;
  entering_.resize(model_.states.size());
  for (const StateId state : model_.states.ids()) {
    const std::vector<RuleId>& rules = model_.states[state].rules;
    for (std::uint32_t i = 0; i < rules.size(); ++i) {
      entering_[before_.targets[rules[i].index].index].emplace_back(state, i);
    }
  }
}

Twin::Delta Twin::delta(const Cure& cure, const std::vector<bool>& counts) {
  find_entering();
  Delta delta;
  std::vector<StateId> open;
  const auto add = [&](StateId state, Node starts) {
    if (!counts[state.index]) starts = kFalse;
    const auto [place, is_new] = delta.try_emplace(state, kFalse);
    // What actions make of a context need not be feasible, so the change may be felt in the middle
    // of a run where no start feels it.
    const bool passed = acts_ && is_new;
    if (!passed && arena().implies(starts, place->second)) return;
    place->second = arena().disjunction(place->second, starts);
    open.push_back(state);
  };
  for (const StateId state : changed_) add(state, felt(state, cure));
  // What is common to the runs of both sides, up to where they part, is a run of the side before.
  while (!open.empty() && !gave_up()) {
    const StateId to = open.back();
    open.pop_back();
    for (const auto& [from, rule] : entering_[to.index]) {
      if (!acts_ && !counts[from.index]) continue;
      if (!spend(1 + model_.states[from].rules.size() / 4)) break;
      Node starts = sets(Side::Before, from).triggered[rule];
      // Where an action changes the context, any start may lead to one of the set.
      if (!has_effects(model_.rules[model_.states[from].rules[rule]])) {
        starts = arena().conjunction(starts, delta.at(to));
      }
      add(from, arena().conjunction(starts, feasible(from)));
    }
  }
  return delta;
}

Node Twin::starts_only(Node set) {
  return acts_ ? arena().projection(set, scope_.start_variables()) : set;
}

std::vector<Twin::Path> Twin::paths(Side side, StateId state, Node starts,
                                    std::set<StateId>& visited) {
  Walk& walk = this->walk(side);
  std::vector<Path> found;
  std::vector<RuleId> fired;
  walk.start(state, starts);
  visited.insert(state);
  const auto add = [&](FaultKind kind, Node of) {
    if (of != kFalse) found.push_back({kind, fired, starts_only(of)});
  };
  const auto back = [&] {
    walk.pop();
    fired.pop_back();
  };
  std::vector<std::uint32_t> next = {0};  // by state on the stack: its rule to be tried next
  while (!next.empty()) {
    const std::vector<RuleId>& rules = model_.states[walk.state()].rules;
    if (next.back() == rules.size() || !spend(1)) {
      next.pop_back();
      if (!next.empty()) back();
      continue;
    }
    const std::uint32_t rule = next.back()++;
    const Walk::Fired result = walk.fire(rule);
    if (!result.fired) continue;
    static_cast<void>(spend(3));
    fired.push_back(rules[rule]);
    visited.insert(walk.state());
    add(FaultKind::Cycle, result.closed);
    if (walk.alive() == kFalse) {
      back();
      continue;
    }
    if (fired.size() >= 2) add(FaultKind::Race, walk.stable());
    if (walk.goes_on()) {
      next.push_back(0);
    } else {
      back();
    }
  }
  looked_at_.insert(visited.begin(), visited.end());
  return found;
}

Node Twin::starts_of(Side side, FaultKind kind, StateId state, const std::vector<RuleId>& rules) {
  Walk& walk = this->walk(side);
  static_cast<void>(sets(side, state));
  walk.start(state, feasible(state));
  Walk::Fired last;
  Node starts = kFalse;
  std::size_t fired = 0;
  for (const RuleId rule : rules) {
    const std::optional<std::size_t> index = index_of(walk.state(), rule);
    if (!index || !spend(4)) break;
    last = walk.fire(static_cast<std::uint32_t>(*index));
    if (!last.fired) break;
    looked_at_.insert(walk.state());
    ++fired;
  }
  if (fired == rules.size()) {
    starts = starts_only(kind == FaultKind::Cycle ? last.closed : walk.stable());
  }
  for (; fired > 0; --fired) walk.pop();
  return starts;
}

}  // namespace poise::check
