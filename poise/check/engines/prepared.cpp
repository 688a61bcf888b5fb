#include "poise/check/engines/prepared.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "poise/model/latest.h"

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

Result<Prepared> Prepared::of(const model::Model& model, const Options& options, Budget budget) {
  Result<model::Questions> questions = model::Questions::of(model, budget);
  if (!questions) return Failure(questions.error());
  const auto shared = std::make_shared<const model::Questions>(std::move(*questions));
  Prepared prepared{.model = model,
                    .options = options,
                    .budget = budget,
                    .owned_questions = shared,
                    .questions = *shared};
  prepared.deeds = finding::deeds(model);
  prepared.levels.resize(model.states.size());
  prepared.state_atoms.resize(model.states.size());
  prepared.guards_begin.resize(model.states.size());
  prepared.targets.resize(model.rules.size());
  for (const StateId state : model.states.ids()) prepared.prepare(state);
  prepared.all_atoms = model::written_atoms(model);
  return prepared;
}

void Prepared::prepare(StateId state) {
  const std::vector<RuleId>& rules = model.states[state].rules;
  levels[state.index] = levels_of(model, state, options.priorities);
  std::vector<model::FormulaId> formulas;
  for (const RuleId rule : rules) {
    formulas.push_back(model.rules[rule].guard);
    targets[rule.index] = model.rules[rule].to;
  }
  state_atoms[state.index] = atoms_of(model, std::move(formulas));
  guards_begin[state.index] = static_cast<std::uint32_t>(guards.size());
  const auto add = [&](std::uint32_t rule, bool first_of_level) {
    guards.push_back({.rule = rule,
                      .begin = static_cast<std::uint32_t>(code.size()),
                      .first_of_level = first_of_level});
  };
  for (const Level& level : levels[state.index]) {
    for (const std::uint32_t rule : level) {
      add(rule, rule == level.front());
      append_postfix(model, model.rules[rules[rule]].guard, code);
    }
  }
  // The entry at the end, and a token for its code to point at.
  add(0, true);
  code.push_back({model::PostfixOp::True, 0});
}

Atoms counted_atoms(const Prepared& prepared, const std::vector<StateId>& visited,
                    const std::vector<RuleId>& rules) {
  const Count count = prepared.options.count;
  if (count == Count::All) return prepared.all_atoms;
  if (count == Count::Visited && visited.size() == 1) {
    return prepared.state_atoms[visited.front().index];
  }
  if (count == Count::Visited && visited.size() == 2) {
    return atoms_of_both(prepared.state_atoms[visited.front().index],
                         prepared.state_atoms[visited.back().index]);
  }
  Atoms atoms;
  const auto add = [&](const Atoms& more) { atoms.insert(atoms.end(), more.begin(), more.end()); };
  if (count == Count::Visited) {
    for (const StateId state : visited) add(prepared.state_atoms[state.index]);
  }
  if (count == Count::Start) add(prepared.state_atoms[visited.front().index]);
  if (count != Count::Visited) {
    for (const RuleId rule : rules)
      add(atoms_of(prepared.model, {prepared.model.rules[rule].guard}));
  }
  std::ranges::sort(atoms);
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  return atoms;
}

const Atoms& CountedAtoms::of(const std::vector<StateId>& visited,
                              const std::vector<RuleId>& rules) {
  constexpr std::size_t kMostKnown = 10'000;
  switch (prepared_.options.count) {
    case Count::All: return prepared_.all_atoms;
    case Count::Rules:
    case Count::Start: last_ = counted_atoms(prepared_, visited, rules); return last_;
    case Count::Visited: break;
  }
  sorted_ = visited;
  std::ranges::sort(sorted_);
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
  const auto known = known_.find(sorted_);
  if (known != known_.end()) return known->second;
  if (known_.size() == kMostKnown) known_.clear();
  return known_.emplace(sorted_, counted_atoms(prepared_, sorted_, rules)).first->second;
}

bool asks_for(const Options& options, finding::FaultKind kind) {
  return options.only.empty() || std::ranges::find(options.only, kind) != options.only.end();
}

}  // namespace poise::check
