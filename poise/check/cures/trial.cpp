#include "poise/check/cures/trial.h"

#include <algorithm>
#include <utility>

#include "poise/check/engines/competing.h"

namespace poise::check {

using boolean::Arena;
using boolean::kFalse;
using boolean::kTrue;
using finding::Cure;
using finding::FaultKind;
using model::RuleId;
using model::StateId;

namespace {

// Whether a fault of this kind is something that begins in some contexts.
bool begins(FaultKind kind) {
  return kind == FaultKind::Nondeterminism || kind == FaultKind::Race || kind == FaultKind::Cycle;
}

}  // namespace

Trial::Trial(const model::Model& model, const Prepared& prepared, std::vector<bool> reachable,
             std::size_t& effort)
    : twin_(model, prepared, effort),
      show_(prepared.options.show),
      reachable_(std::move(reachable)),
      reachable_then_(reachable_) {}

bool Trial::measure(std::vector<Cure>& cures) {
  const model::Model& model = twin_.model();
  Atoms atoms;
  for (const Cure& cure : cures) {
    for (const StateId state : changed_states(model, cure)) {
      atoms = atoms_of_both(atoms, twin_.prepared(Side::Before).state_atoms[state.index]);
    }
    if (cure.kind != Cure::Kind::Condition) continue;
    atoms = atoms_of_both(atoms, atoms_of(model, {cure.condition}));
  }
  for (Cure& cure : cures) {
    twin_.change(cure);
    cure.elsewhere = 0;
    for (const StateId state : changed_states(model, cure)) {
      if (!counts(state)) continue;
      // One after the other: what is asked first is first in the order of variables.
      const Node felt = twin_.felt(state, cure);
      const Node where = arena().conjunction(felt, twin_.scope().feasible(atoms));
      cure.elsewhere += twin_.scope().situations(where, atoms);
    }
    const bool known = !twin_.gave_up();
    twin_.change_back();
    if (!known) return false;
  }
  return true;
}

Verdict Trial::verdict(const Complaint& complaint, const Cure& cure) {
  twin_.change(cure);
  reachable_then_ = reachable_;
  const bool cured = passes(complaint, cure);
  const bool known = !twin_.gave_up();
  twin_.change_back();
  if (!known) return Verdict::GaveUp;
  return cured ? Verdict::Cure : Verdict::NoCure;
}

bool Trial::looked_at_any(std::span<const StateId> states) const {
  return std::ranges::any_of(states,
                             [&](StateId state) { return twin_.looked_at().contains(state); });
}

void Trial::keep(const Complaint& complaint, const Cure& cure, std::vector<bool> reachable) {
  twin_.keep(cure);
  reachable_ = std::move(reachable);
  treated_.push_back(complaint);
}

Verdict Trial::kept_cure(const Complaint& complaint) {
  twin_.refresh();
  const bool stays = occurs(complaint);
  if (twin_.gave_up()) return Verdict::GaveUp;
  if (stays) return Verdict::NoCure;
  treated_.push_back(complaint);
  return Verdict::Cure;
}

bool Trial::occurs(const Complaint& complaint) {
  const StateId state = complaint.state;
  switch (complaint.kind) {
    case FaultKind::Race:
    case FaultKind::Cycle:
      return twin_.starts_of(Side::After, complaint.kind, state, complaint.rules) != kFalse;
    case FaultKind::Nondeterminism:
      return arena().meet(twin_.feasible(state),
                          exactly(twin_.sets(Side::After, state), indices(state, complaint.rules)));
    case FaultKind::UnreachableState: return !reachable_[state.index];
    case FaultKind::DeadRule: return !lives(complaint);
    case FaultKind::DeadState: return false;  // its rules were deleted
  }
  return true;
}

bool Trial::was_treated(FaultKind kind, StateId state, const std::vector<RuleId>& rules) const {
  return std::ranges::any_of(treated_, [&](const Complaint& complaint) {
    return complaint.kind == kind && complaint.state == state && complaint.rules == rules;
  });
}

bool Trial::counts(StateId state) const { return show_ == Show::All || reachable_[state.index]; }

bool Trial::passes(const Complaint& complaint, const Cure& cure) {
  const std::vector<StateId> changed = changed_states(twin_.model(), cure);
  for (const StateId state : changed) {
    if (kills(state, cure) || twin_.gave_up()) return false;
  }
  if (!lives(complaint) || !reach_passes(complaint, cure)) return false;
  // Most changes that are no cure fail here, before anything else is compared.
  if (begins(complaint.kind) && occurs(complaint)) return false;
  std::vector<bool> counted(reachable_.size());
  for (const StateId state : twin_.model().states.ids()) counted[state.index] = counts(state);
  const Twin::Delta delta = twin_.delta(cure, counted);
  for (const StateId state : changed) {
    const auto felt = delta.find(state);
    if (felt == delta.end()) continue;
    // Rules that did the same, so that a choice between them was harmless, would differ.
    const bool leads_elsewhere = cure.kind == Cure::Kind::Target;
    if (leads_elsewhere && arena().meet(felt->second, any_two(Side::After, state))) return false;
    if (!choices_pass(complaint, state, felt->second) || twin_.gave_up()) return false;
  }
  const auto passes_in = [&](StateId state, Node starts) {
    const Comparison runs = compared(state, starts);
    if (twin_.gave_up()) return false;
    return situations_pass(runs) && identities_pass(complaint, runs) &&
           (state != complaint.state || is_gone(complaint, runs, starts));
  };
  // The state of the complaint first: there it is decided most often.
  const auto there = delta.find(complaint.state);
  if (begins(complaint.kind) && there == delta.end()) return false;
  if (there != delta.end() && !passes_in(there->first, there->second)) return false;
  for (const auto& [state, starts] : delta) {
    if (state != complaint.state && !passes_in(state, starts)) return false;
  }
  return !twin_.gave_up();
}

// ---- Rules that can fire, states that can be reached ----

bool Trial::kills(StateId state, const Cure& cure) {
  const std::vector<RuleId>& rules = twin_.model().states[state].rules;
  if (!twin_.spend(rules.size() / 4)) return false;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const bool deleted = cure.kind == Cure::Kind::Deletion &&
                         std::ranges::find(cure.rules, rules[i]) != cure.rules.end();
    if (!twin_.is_live(Side::Before, state, i)) continue;
    if (deleted || !twin_.is_live(Side::After, state, i)) return true;
  }
  return false;
}

// Whether a rule that was dead can fire. (One that is deleted need not.)
bool Trial::lives(const Complaint& complaint) {
  if (complaint.kind != FaultKind::DeadRule) return true;
  return std::ranges::all_of(complaint.dead_in, [&](StateId state) {
    return twin_.is_live(Side::After, state, indices(state, complaint.rules).front());
  });
}

// Only a rule that leads elsewhere can keep a state from being reached, because no rule dies.
std::vector<bool> Trial::reached_after(const Cure& cure) {
  const model::Model& model = twin_.model();
  const bool anew = cure.kind == Cure::Kind::Target;
  std::vector<bool> reached = anew ? std::vector<bool>(reachable_.size(), false) : reachable_;
  std::vector<StateId> open = changed_states(model, cure);
  std::erase_if(open, [&](StateId state) { return !reachable_[state.index]; });
  if (anew) {
    reached[model.initial.index] = true;
    open = {model.initial};
  }
  while (!open.empty() && !twin_.gave_up()) {
    const StateId state = open.back();
    open.pop_back();
    const std::vector<RuleId>& rules = model.states[state].rules;
    if (!twin_.spend(1 + rules.size() / 4)) break;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const StateId to = twin_.prepared(Side::After).targets[rules[i].index];
      if (reached[to.index] || !twin_.is_live(Side::After, state, i)) continue;
      reached[to.index] = true;
      open.push_back(to);
    }
  }
  return reached;
}

bool Trial::reach_passes(const Complaint& complaint, const Cure& cure) {
  if (cure.kind == Cure::Kind::Deletion) return true;
  reachable_then_ = reached_after(cure);
  if (complaint.kind == FaultKind::UnreachableState && !reachable_then_[complaint.state.index]) {
    return false;
  }
  for (const StateId state : twin_.model().states.ids()) {
    if (reachable_[state.index] && !reachable_then_[state.index]) return false;
    const bool is_new = !reachable_[state.index] && reachable_then_[state.index];
    if (is_new && show_ == Show::Reachable && !is_faultless(state)) return false;
  }
  return true;
}

bool Trial::is_faultless(StateId state) {
  const std::size_t rules = twin_.model().states[state].rules.size();
  for (std::size_t i = 0; i < rules; ++i) {
    if (!twin_.is_live(Side::After, state, i)) return false;
  }
  if (rules == 0) return true;
  if (arena().meet(any_two(Side::After, state), twin_.feasible(state))) return false;
  std::set<StateId> visited;
  return twin_.paths(Side::After, state, twin_.feasible(state), visited).empty();
}

// ---- Choices ----

// Where exactly these rules of a state are triggered.
Node Trial::exactly(const StateSets& sets, const Level& rules) {
  Node where = kTrue;
  for (std::uint32_t i = 0; i < sets.triggered.size(); ++i) {
    const bool wanted = std::ranges::find(rules, i) != rules.end();
    where = wanted ? arena().conjunction(where, sets.triggered[i])
                   : arena().difference(where, sets.triggered[i]);
  }
  return where;
}

// Of some rules those that start in a state, by index.
Level Trial::indices(StateId state, const std::vector<RuleId>& of) const {
  const std::vector<RuleId>& rules = twin_.model().states[state].rules;
  Level found;
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    if (std::ranges::find(of, rules[i]) != of.end()) found.push_back(i);
  }
  return found;
}

// Where at least two rules of a level are triggered.
Node Trial::two_of(const Level& level, const std::vector<Node>& triggered) {
  return *at_least_two(Diagrams{arena()}, of_level(level, triggered), [] { return false; });
}

Node Trial::any_two(Side side, StateId state) {
  const StateSets& sets = twin_.sets(side, state);
  Node two = kFalse;
  for (const Level& level : twin_.prepared(side).levels[state.index]) {
    if (level.size() < 2) continue;
    two = arena().disjunction(two, two_of(level, sets.triggered));
  }
  return two;
}

bool Trial::choices_pass(const Complaint& complaint, StateId state, Node where) {
  const bool same_kind = complaint.kind == FaultKind::Nondeterminism;
  const std::vector<RuleId>& rules = twin_.model().states[state].rules;
  const StateSets& before = twin_.sets(Side::Before, state);
  const StateSets& after = twin_.sets(Side::After, state);
  const Node feasible = twin_.feasible(state);
  const Node chance = any_two(Side::Before, state);
  Node complained = kFalse;
  if (same_kind && state == complaint.state) {
    complained = arena().conjunction(feasible, exactly(before, indices(state, complaint.rules)));
    if (!arena().implies(complained, where)) return false;  // somewhere it is as before
  }
  bool passed = true;
  const auto passes = [&](const Level& chosen, Node there) {
    std::vector<RuleId> ids;
    for (const std::uint32_t i : chosen) ids.push_back(rules[i]);
    const bool is_new = !arena().meet(feasible, exactly(before, chosen));
    passed = twin_.spend(1 + rules.size() / 4) && arena().implies(there, chance) &&
             !arena().meet(there, complained) &&
             !(is_new && (!same_kind || was_treated(FaultKind::Nondeterminism, state, ids)));
    return passed;
  };
  for (const Level& level : twin_.prepared(Side::After).levels[state.index]) {
    if (!passed || level.size() < 2) continue;
    const Node two = arena().conjunction(where, two_of(level, after.triggered));
    for_each_exact_set(Diagrams{arena()}, level, after.triggered, two, level.size(), passes);
  }
  return passed;
}

// ---- Races and cycles ----

Trial::Comparison Trial::compared(StateId state, Node starts) {
  Comparison runs{.state = state, .before = {}, .after = {}, .feasible = kFalse};
  std::set<StateId> visited;
  runs.before = twin_.paths(Side::Before, state, starts, visited);
  runs.after = twin_.paths(Side::After, state, starts, visited);
  Atoms atoms;
  for (const StateId each : visited) {
    for (const Side side : {Side::Before, Side::After}) {
      atoms = atoms_of_both(atoms, twin_.prepared(side).state_atoms[each.index]);
    }
  }
  runs.feasible = twin_.scope().feasible(atoms);
  return runs;
}

Node Trial::all_starts(const std::vector<Twin::Path>& paths, FaultKind kind) {
  Node all = kFalse;
  for (const Twin::Path& path : paths) {
    if (path.kind == kind) all = arena().disjunction(all, path.starts);
  }
  return all;
}

bool Trial::situations_pass(const Comparison& runs) {
  const Node cycles = all_starts(runs.before, FaultKind::Cycle);
  const Node any = arena().disjunction(cycles, all_starts(runs.before, FaultKind::Race));
  const auto within = [&](FaultKind kind, Node allowed) {
    const Node found = arena().conjunction(runs.feasible, all_starts(runs.after, kind));
    return arena().implies(found, allowed);
  };
  return within(FaultKind::Cycle, cycles) && within(FaultKind::Race, any);
}

bool Trial::identities_pass(const Complaint& complaint, const Comparison& runs) {
  for (const Twin::Path& path : runs.after) {
    if (!arena().meet(path.starts, runs.feasible)) continue;
    const bool known = std::ranges::any_of(runs.before, [&](const Twin::Path& other) {
      return other.kind == path.kind && other.rules == path.rules;
    });
    if (known) continue;
    const bool allowed =
        path.kind == complaint.kind && !was_treated(path.kind, runs.state, path.rules);
    if (allowed) continue;
    if (twin_.starts_of(Side::Before, path.kind, runs.state, path.rules) == kFalse) return false;
  }
  return true;
}

bool Trial::is_gone(const Complaint& complaint, const Comparison& runs, Node starts) {
  if (complaint.kind != FaultKind::Race && complaint.kind != FaultKind::Cycle) return true;
  const Node complained = arena().conjunction(
      runs.feasible,
      twin_.starts_of(Side::Before, complaint.kind, complaint.state, complaint.rules));
  if (!arena().implies(complained, starts)) return false;  // somewhere it is as before
  for (const Twin::Path& path : runs.after) {
    if (path.kind == complaint.kind && path.rules == complaint.rules &&
        arena().meet(path.starts, runs.feasible)) {
      return false;
    }
    Node was = kFalse;
    for (const Twin::Path& other : runs.before) {
      if (other.kind == path.kind && other.rules == path.rules) was = other.starts;
    }
    const Node is_new = arena().difference(arena().conjunction(path.starts, complained), was);
    if (path.kind == complaint.kind && is_new != kFalse) return false;
  }
  return true;
}

}  // namespace poise::check
