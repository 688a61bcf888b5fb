#include "poise/check/engines/prepared.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace poise::check {

namespace {

using model::RuleId;
using model::StateId;

std::vector<Level> levels_of(const model::Model& model, StateId state,
                             model::Priorities priorities) {
  const std::vector<RuleId>& rules = model.states[state].rules;
  Level all(rules.size());
  std::iota(all.begin(), all.end(), 0);
  if (rules.empty()) return {};
  if (priorities == model::Priorities::Ignored) return {all};
  const auto stronger = [&](std::uint32_t a, std::uint32_t b) {
    return is_stronger(model.rules[rules[a]], model.rules[rules[b]]);
  };
  std::ranges::stable_sort(all, stronger);
  std::vector<Level> levels;
  for (const std::uint32_t rule : all) {
    if (levels.empty() || stronger(levels.back().back(), rule)) levels.emplace_back();
    levels.back().push_back(rule);
  }
  return levels;
}

}  // namespace

Atoms atoms_of_both(const Atoms& a, const Atoms& b) {
  Atoms atoms;
  std::ranges::set_union(a, b, std::back_inserter(atoms));
  return atoms;
}

Result<Machine> Machine::of(const model::Model& model, const Options& options, Budget budget) {
  Result<model::Questions> questions = model::Questions::of(model, budget);
  if (!questions) return Failure(questions.error());
  Machine machine{
      .model = model, .options = options, .budget = budget, .questions = std::move(*questions)};
  machine.levels.reserve(model.states.size());
  machine.state_atoms.reserve(model.states.size());
  for (const StateId state : model.states.ids()) {
    machine.levels.push_back(levels_of(model, state, options.priorities));
    std::vector<model::FormulaId> guards;
    for (const RuleId rule : model.states[state].rules) guards.push_back(model.rules[rule].guard);
    machine.state_atoms.push_back(atoms_of(model, std::move(guards)));
    machine.is_free.push_back(std::ranges::all_of(
        machine.state_atoms.back(),
        [&](model::AtomId atom) { return machine.questions.is_free(model::question_of(atom)); }));
    machine.guards_begin.push_back(static_cast<std::uint32_t>(machine.guards.size()));
    for (const Level& level : machine.levels.back()) {
      for (const std::uint32_t rule : level) {
        machine.guards.push_back({.rule = rule,
                                  .begin = static_cast<std::uint32_t>(machine.code.size()),
                                  .first_of_level = rule == level.front()});
        append_postfix(model, model.rules[model.states[state].rules[rule]].guard, machine.code);
      }
    }
  }
  machine.guards_begin.push_back(static_cast<std::uint32_t>(machine.guards.size()));
  // One more, so that each guard ends where the next begins.
  machine.guards.push_back({.rule = 0,
                            .begin = static_cast<std::uint32_t>(machine.code.size()),
                            .first_of_level = true});
  machine.code.push_back({model::PostfixOp::True, 0});
  for (const model::AtomId atom : model.atoms.ids()) machine.all_atoms.push_back(atom);
  return machine;
}

Atoms counted_atoms(const Machine& machine, const std::vector<StateId>& visited,
                    const std::vector<RuleId>& rules) {
  const Count count = machine.options.count;
  if (count == Count::All) return machine.all_atoms;
  if (count == Count::Visited && visited.size() == 2) {
    return atoms_of_both(machine.state_atoms[visited.front().index],
                         machine.state_atoms[visited.back().index]);
  }
  Atoms atoms;
  const auto add = [&](const Atoms& more) { atoms.insert(atoms.end(), more.begin(), more.end()); };
  if (count == Count::Visited) {
    for (const StateId state : visited) add(machine.state_atoms[state.index]);
  }
  if (count == Count::Start) add(machine.state_atoms[visited.front().index]);
  if (count != Count::Visited) {
    for (const RuleId rule : rules) add(atoms_of(machine.model, {machine.model.rules[rule].guard}));
  }
  std::ranges::sort(atoms);
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  return atoms;
}

const Atoms& CountedAtoms::of(const std::vector<StateId>& visited,
                              const std::vector<RuleId>& rules) {
  constexpr std::size_t kMostKnown = 10'000;
  switch (machine_.options.count) {
    case Count::All: return machine_.all_atoms;
    case Count::Rules:
    case Count::Start: last_ = counted_atoms(machine_, visited, rules); return last_;
    case Count::Visited: break;
  }
  sorted_ = visited;
  std::ranges::sort(sorted_);
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
  const auto known = known_.find(sorted_);
  if (known != known_.end()) return known->second;
  if (known_.size() == kMostKnown) known_.clear();
  return known_.emplace(sorted_, counted_atoms(machine_, sorted_, rules)).first->second;
}

bool asks_for(const Options& options, finding::FaultKind kind) {
  return options.only.empty() || std::ranges::find(options.only, kind) != options.only.end();
}

}  // namespace poise::check
