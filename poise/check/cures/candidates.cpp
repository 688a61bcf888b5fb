#include "poise/check/cures/candidates.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace poise::check {

namespace {

using finding::Cure;
using finding::Fault;
using finding::FaultKind;
using model::FormulaId;
using model::Model;
using model::Op;
using model::RuleId;
using model::StateId;
using CureList = std::vector<Cure>;

constexpr std::size_t kMostParts = 8;
constexpr std::size_t kMostPairs = 12;

// ---- Guards ----

// Denies a condition in a rule, unless it is too long to be read.
void add_denial(const Model& model, RuleId rule, FormulaId condition, CureList& cures) {
  const model::Formula& formula = model.formulas[condition];
  const bool is_negation = formula.op == Op::Not;
  const FormulaId inner = is_negation ? formula.parts.front() : condition;
  const std::size_t longest = finding::kLongestCondition;
  if (model::to_text(model, inner, longest).size() > longest) return;
  cures.push_back({.kind = Cure::Kind::Condition,
                   .rules = {rule},
                   .condition = inner,
                   .negated = !is_negation});
}

// Denies the guard of `of`, or a part of it, in `rule`.
void add_denials(const Model& model, RuleId rule, RuleId of, CureList& cures) {
  if (rule == of) return;
  const FormulaId guard = model.rules[of].guard;
  add_denial(model, rule, guard, cures);
  const model::Formula& formula = model.formulas[guard];
  if (formula.op != Op::And || formula.parts.size() > kMostParts) return;
  for (const FormulaId part : formula.parts) add_denial(model, rule, part, cures);
}

// ---- Priorities ----

constexpr std::int64_t kFarthest = std::int64_t{1} << 60;

// The priorities that a rule meets in its states, without its own.
std::vector<std::int64_t> met_priorities(const Model& model, RuleId rule) {
  std::vector<std::int64_t> met;
  for (const StateId state : model.rules[rule].from) {
    for (const RuleId other : model.states[state].rules) {
      const std::optional<std::int64_t> priority = model.rules[other].priority;
      if (other != rule && priority) met.push_back(*priority);
    }
  }
  return met;
}

void add_priority(const Model& model, RuleId rule, std::int64_t priority, CureList& cures) {
  const std::vector<std::int64_t> met = met_priorities(model, rule);
  if (priority <= -kFarthest || priority >= kFarthest) return;
  if (std::ranges::find(met, priority) != met.end()) return;
  cures.push_back({.kind = Cure::Kind::Priority, .rules = {rule}, .priority = priority});
}

// A number of its own for a rule that shares its priority with others, or has none.
void add_own_priorities(const Model& model, RuleId rule, CureList& cures) {
  const std::optional<std::int64_t> shared = model.rules[rule].priority;
  if (shared) {
    add_priority(model, rule, *shared - 1, cures);
    add_priority(model, rule, *shared + 1, cures);
    return;
  }
  std::int64_t weakest = 0;
  for (const std::int64_t met : met_priorities(model, rule)) weakest = std::max(weakest, met);
  add_priority(model, rule, weakest + 1, cures);
}

// ---- Kinds ----

void add_for_shadowed(const Model& model, const Fault& fault, CureList& cures) {
  const RuleId rule = fault.rules.front();
  for (const RuleId winner : fault.by) {
    const std::optional<std::int64_t> bar = model.rules[winner].priority;
    if (bar) add_priority(model, rule, *bar - 1, cures);
    add_denials(model, winner, rule, cures);
  }
}

CureList for_unreachable(const Model& model, std::span<const Fault> faults, const Fault& fault) {
  CureList cures;
  for (const Fault& dead : faults) {
    if (dead.kind != FaultKind::DeadRule || !dead.reachable) continue;
    if (model.rules[dead.rules.front()].to == fault.state) add_for_shadowed(model, dead, cures);
  }
  return cures;
}

CureList for_race(const Model& model, const Fault& fault) {
  CureList cures;
  // To stop after two or more firings would still be a race.
  for (std::size_t i = 0; i + 1 < fault.rules.size() && i < 2; ++i) {
    add_denials(model, fault.rules[i], fault.rules[i + 1], cures);
  }
  cures.push_back({.kind = Cure::Kind::Target, .rules = {fault.rules.front()}, .to = fault.ends});
  return cures;
}

CureList for_cycle(const Model& model, const Fault& fault) {
  CureList cures;
  const auto round = std::span(fault.rules).subspan(fault.loop);
  for (std::size_t i = 0; i < std::min(round.size(), kMostPairs); ++i) {
    add_denials(model, round[i], round[(i + 1) % round.size()], cures);
  }
  return cures;
}

CureList for_choice(const Model& model, const Fault& fault) {
  CureList cures;
  for (const RuleId rule : fault.rules) add_own_priorities(model, rule, cures);
  if (fault.rules.size() == 2) {
    add_denials(model, fault.rules[1], fault.rules[0], cures);
    add_denials(model, fault.rules[0], fault.rules[1], cures);
  }
  return cures;
}

}  // namespace

std::vector<Cure> candidates(const Model& model, std::span<const Fault> faults,
                             const finding::Group& group) {
  const Fault& fault = group.best();
  switch (fault.kind) {
    case FaultKind::Nondeterminism: return for_choice(model, fault);
    case FaultKind::Race: return for_race(model, fault);
    case FaultKind::Cycle: return for_cycle(model, fault);
    case FaultKind::UnreachableState: return for_unreachable(model, faults, fault);
    case FaultKind::DeadState:
      // All of its rules are unsatisfiable: where one is satisfied, a strongest one is triggered.
      return {{.kind = Cure::Kind::Deletion, .rules = model.states[fault.state].rules}};
    case FaultKind::DeadRule: {
      if (fault.cause == finding::DeadCause::Unsatisfiable) {
        return {{.kind = Cure::Kind::Deletion, .rules = fault.rules}};
      }
      CureList cures;
      add_for_shadowed(model, fault, cures);
      return cures;
    }
  }
  return {};
}

}  // namespace poise::check
