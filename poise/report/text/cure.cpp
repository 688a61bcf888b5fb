#include "poise/report/text/cure.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/base/text.h"
#include "poise/report/text/implication.h"

namespace poise::report {

namespace {

using finding::Fault;
using finding::FaultKind;
using finding::Group;
using model::FormulaId;
using model::Model;
using model::Op;
using model::Rule;
using model::RuleId;
using model::StateId;

const std::string& name_of(const Model& model, RuleId rule) { return model.rules[rule].name; }
const std::string& name_of(const Model& model, StateId state) { return model.states[state].name; }

// ---- Guards ----

// The negated guard of a rule, to be added to the guard of another: "`and not clock >= 690`". A
// guard that is longer than `room` is named instead: "`and not` ActivateMeeting's guard".
std::string denial(const Model& model, RuleId rule, std::size_t room) {
  const FormulaId guard = model.rules[rule].guard;
  const model::Formula& formula = model.formulas[guard];
  const bool negation = formula.op == Op::Not;
  const FormulaId inner = negation ? formula.parts.front() : guard;
  std::string text = model::to_text(model, inner, room);
  if (display_width(text) > room) return fmt::format("`and not` {}'s guard", name_of(model, rule));
  const Op op = model.formulas[inner].op;
  const bool tight = op == Op::Atom || op == Op::True || op == Op::False;
  if (!tight && !(negation && op == Op::And)) text = "(" + text + ")";
  return fmt::format("`and {}{}`", negation ? "" : "not ", text);
}

// "add `and not clock >= 690` to ActivateMeeting", followed by `tail` in the same line.
std::string denied_in(const Model& model, RuleId denied, RuleId rule, std::size_t room,
                      std::string_view tail = {}) {
  const Op op = model.formulas[model.rules[rule].guard].op;
  // `a or b and not c` would mean `a or (b and not c)`.
  const bool loose = op == Op::Or || op == Op::Implies || op == Op::Iff;
  const std::string full =
      fmt::format("add {} to {}{}{}", denial(model, denied, room),
                  loose ? "the whole guard of " : "", name_of(model, rule), tail);
  const std::string brief = fmt::format("add {} to {}{}{}", denial(model, denied, 0),
                                        name_of(model, rule), loose ? "'s" : "", tail);
  return display_width(full) <= std::max(room, display_width(brief)) ? full : brief;
}

// Whether an action of the rule assigns to something that the guard of the other depends on: a
// value that it reads, or a guard that decides whether there is such a value.
bool disturbs(const Model& model, RuleId rule, RuleId other) {
  std::vector<model::SlotId> read;
  for (const model::AtomId atom : model::atoms_of(model, {model.rules[other].guard})) {
    for (std::optional<model::SlotId> slot : model.atoms[atom].slots) {
      for (; slot; slot = model::guard_slot(model, *slot)) read.push_back(*slot);
    }
  }
  for (const model::Action& action : model.rules[rule].actions) {
    for (const model::Effect& effect : action.effects) {
      if (std::ranges::find(read, effect.slot) != read.end()) return true;
    }
  }
  return false;
}

bool guard_implies(const Model& model, RuleId first, RuleId second) {
  return implies(model, model.rules[first].guard, model.rules[second].guard).value_or(false);
}

// Whether two firings in a row can be kept apart by adding `and not` the second's guard to the
// first: the first rule must not change what the second's guard reads, and its own guard must
// remain satisfiable.
bool separable(const Model& model, RuleId first, RuleId second) {
  return first != second && !disturbs(model, first, second) && !guard_implies(model, first, second);
}

// ---- Priorities ----

constexpr std::int64_t kFarthest = std::int64_t{1} << 60;

// The priorities of the other rules in all states where one of these rules starts.
std::vector<std::int64_t> met_priorities(const Model& model, std::span<const RuleId> rules) {
  const std::set<RuleId> own(rules.begin(), rules.end());
  std::set<StateId> places;
  for (const RuleId rule : own) {
    places.insert(model.rules[rule].from.begin(), model.rules[rule].from.end());
  }
  std::vector<std::int64_t> met;
  for (const StateId state : places) {
    for (const RuleId other : model.states[state].rules) {
      const std::optional<std::int64_t> priority = model.rules[other].priority;
      if (priority && !own.contains(other)) met.push_back(*priority);
    }
  }
  return met;
}

// The numbers around a priority that lie strictly between its neighbours, both ends included. A new
// priority from here changes the order among the rules at hand and nothing else.
struct Gap {
  std::int64_t first = -kFarthest;
  std::int64_t last = kFarthest;
};

// Nothing if a priority is so large that arithmetic could overflow. A rule without a priority is
// weaker than all others, so its gap begins behind the last number.
std::optional<Gap> gap_around(std::vector<std::int64_t> met, std::optional<std::int64_t> priority) {
  const std::int64_t middle = priority.value_or(kFarthest);
  Gap gap;
  met.push_back(priority.value_or(0));
  for (const std::int64_t other : met) {
    if (other <= -kFarthest || other >= kFarthest) return std::nullopt;
    if (other < middle) gap.first = std::max(gap.first, other + 1);
    if (other > middle) gap.last = std::min(gap.last, other - 1);
  }
  return gap;
}

// Sorted so that a guard that implies another comes first: if the wider guard won, the narrower
// rule would never fire. More than a few rules stay as they are, since their order is only an
// example.
std::vector<RuleId> narrow_first(const Model& model, std::vector<RuleId> rules) {
  constexpr std::size_t kMany = 6;
  if (rules.size() > kMany) return rules;
  std::vector<RuleId> ordered;
  while (!rules.empty()) {
    const auto narrowest = std::ranges::find_if(rules, [&](RuleId rule) {
      return std::ranges::none_of(rules, [&](RuleId other) {
        return other != rule && guard_implies(model, other, rule) &&
               !guard_implies(model, rule, other);
      });
    });
    const auto next = narrowest == rules.end() ? rules.begin() : narrowest;
    ordered.push_back(*next);
    rules.erase(next);
  }
  return ordered;
}

struct NewPriority {
  RuleId rule;
  std::int64_t priority;
};

// New priorities for all but one of some rules that share a priority (or have none), given
// strongest first. Empty if there are not enough free numbers. Smaller numbers are stronger.
std::vector<NewPriority> distinct_priorities(const Model& model, const std::vector<RuleId>& rules) {
  const std::optional<std::int64_t> shared = model.rules[rules.front()].priority;
  const std::optional<Gap> gap = gap_around(met_priorities(model, rules), shared);
  if (!gap) return {};
  const auto changes = static_cast<std::int64_t>(rules.size()) - 1;
  // Consecutive numbers from `number` on, for the rules from `first_rule` on.
  const auto numbered = [&](std::int64_t number, std::size_t first_rule) {
    std::vector<NewPriority> found;
    for (std::int64_t i = 0; i < changes; ++i) {
      found.push_back({rules[first_rule + static_cast<std::size_t>(i)], number + i});
    }
    return found;
  };
  if (!shared) return numbered(std::max<std::int64_t>(gap->first, 1), 0);
  // The last rule keeps the shared priority if there is room for the others before it, else the
  // first one does. Negative numbers look odd, so they are the last resort.
  const bool room_before = *shared - gap->first >= changes;
  if (room_before && *shared >= changes) return numbered(*shared - changes, 0);
  if (gap->last - *shared >= changes) return numbered(*shared + 1, 1);
  if (room_before) return numbered(*shared - changes, 0);
  return {};
}

std::string listed(const Model& model, const std::vector<NewPriority>& priorities) {
  std::vector<std::string> parts;
  for (const NewPriority& change : priorities) {
    const char* word = parts.empty() ? "priority " : "";
    parts.push_back(fmt::format("{} {}{}", name_of(model, change.rule), word, change.priority));
  }
  const std::string last = parts.back();
  parts.pop_back();
  return parts.empty() ? last : joined(parts, ", ") + " and " + last;
}

bool share_a_priority(const Model& model, std::span<const RuleId> rules) {
  return std::ranges::all_of(rules, [&](RuleId rule) {
    return model.rules[rule].priority == model.rules[rules.front()].priority;
  });
}

// ---- Kinds ----

// The most pairs of neighbours on a path to try: each can cost a test of implication.
constexpr std::size_t kMaxTries = 12;

std::string two_rules_cure(const Model& model, RuleId narrow, RuleId wide, std::size_t room) {
  const std::string by_guard = denied_in(model, narrow, wide, room);
  if (!share_a_priority(model, std::vector{narrow, wide})) return by_guard;
  if (guard_implies(model, narrow, wide) && guard_implies(model, wide, narrow)) {
    return "their guards always hold together: keep one of the rules, or change a guard";
  }
  const std::vector<NewPriority> priorities = distinct_priorities(model, {narrow, wide});
  if (priorities.empty()) return by_guard;
  const bool none = !model.rules[narrow].priority;
  const std::string by_priority = fmt::format(
      "{}give {}, or ", none ? "neither has a priority; " : "", listed(model, priorities));
  const std::string full = by_priority + by_guard;
  if (display_width(full) <= room) return full;
  return fmt::format("{}add `and not` {} guard to {}", by_priority,
                     priorities.front().rule == narrow ? "its" : name_of(model, narrow) + "'s",
                     name_of(model, wide));
}

std::string nondeterminism_cure(const Model& model, const Group& group, std::size_t room) {
  const std::vector<RuleId> ordered = narrow_first(model, rules_of(group));
  if (ordered.size() == 2) return two_rules_cure(model, ordered[0], ordered[1], room);
  if (!share_a_priority(model, ordered)) {
    return "let their guards exclude each other; priorities were ignored";
  }
  const std::vector<NewPriority> priorities = distinct_priorities(model, ordered);
  if (priorities.empty()) {
    return fmt::format("give each of them its own priority; the rules of {} need new numbers",
                       name_of(model, group.best().state));
  }
  const bool none = !model.rules[ordered.front()].priority;
  return fmt::format("{}say which comes first: for example, give {}",
                     none ? "none has a priority; " : "", listed(model, priorities));
}

// A priority just stronger than that of the weakest winner: where that one wins, no stronger rule
// is satisfied, so there the rule will fire. (Negating its guard in the winners would not do: then
// the next stronger rule might win.)
std::string shadowed_cure(const Model& model, const Fault& fault) {
  const RuleId rule = fault.rules.front();
  const auto weaker = [&](RuleId a, RuleId b) {
    return model::is_stronger(model.rules[b], model.rules[a]);
  };
  const RuleId beaten = *std::ranges::min_element(fault.by, weaker);
  const std::optional<std::int64_t> bar = model.rules[beaten].priority;
  POISE_CHECK(bar.has_value());  // only a priority makes a rule win
  const std::optional<Gap> gap = gap_around(met_priorities(model, std::span(&rule, 1)), bar);
  if (gap && gap->first < *bar) {
    return fmt::format("give it priority {}: then it wins over {}", *bar - 1,
                       name_of(model, beaten));
  }
  return fmt::format("give it a stronger priority than {} ({}); some rules need new numbers",
                     name_of(model, beaten), *bar);
}

std::string dead_rule_cure(const Model& model, const Fault& fault) {
  switch (fault.cause) {
    case finding::DeadCause::Shadowed: return shadowed_cure(model, fault);
    case finding::DeadCause::Unsatisfiable: return "mend its guard, or delete the rule";
  }
  return {};
}

// Every firing but the last leads to a state that is left at once. The cure names the first pair of
// firings in a row that a guard can keep apart.
std::string race_cure(const Model& model, const Fault& fault, std::size_t room) {
  const std::vector<RuleId>& path = fault.rules;
  const std::string& end = name_of(model, fault.ends);
  for (std::size_t i = 0; i + 1 < path.size() && i < kMaxTries; ++i) {
    if (!separable(model, path[i], path[i + 1])) continue;
    return denied_in(model, path[i + 1], path[i], room,
                     fmt::format(", or lead it straight to {}", end));
  }
  const bool acts = disturbs(model, path[0], path[1]);
  return fmt::format("lead {} straight to {}{}", name_of(model, path[0]), end,
                     acts ? fmt::format(", or change its actions: {} looks at what they set",
                                        name_of(model, path[1]))
                          : "");
}

std::string self_loop_cure(const Model& model, RuleId rule) {
  constexpr std::size_t kLongestGuard = 60;
  const Rule& stuck = model.rules[rule];
  return fmt::format(
      "{} leads back to {} while its guard still holds: lead it elsewhere, or let "
      "an action make `{}` false",
      stuck.name, name_of(model, stuck.to), model::to_text(model, stuck.guard, kLongestGuard));
}

// Keeping any two firings in a row apart breaks the loop; the shortest such change is suggested.
std::string cycle_cure(const Model& model, const Fault& fault, std::size_t room) {
  const std::span<const RuleId> round = std::span(fault.rules).subspan(fault.loop);
  if (round.size() == 1) return self_loop_cure(model, round.front());
  std::string best;
  for (std::size_t i = 0; i < std::min(round.size(), kMaxTries); ++i) {
    const RuleId next = round[(i + 1) % round.size()];
    if (!separable(model, round[i], next)) continue;
    const std::string text = denied_in(model, next, round[i], room);
    if (best.empty() || display_width(text) < display_width(best)) best = text;
  }
  if (!best.empty()) return best;
  return fmt::format(
      "the guards of {} and {} must not hold together: change one of them, or an "
      "action between them",
      name_of(model, round[0]), name_of(model, round[1]));
}

std::string unreachable_cure(const Model& model, const Fault& fault) {
  std::vector<std::string> entrances;
  for (const Rule& rule : model.rules) {
    const bool enters = rule.to == fault.state && std::ranges::any_of(rule.from, [&](StateId from) {
                          return from != fault.state;
                        });
    if (enters) entrances.push_back(rule.name);
  }
  if (entrances.empty()) return "add a rule that leads to it, or delete the state";
  const std::string who = entrances.size() == 1 ? entrances.front() : "one of these rules";
  return fmt::format("let {} fire, or delete the state", who);
}

}  // namespace

std::string cure(const Model& model, const Group& group, std::size_t room) {
  const Fault& best = group.best();
  switch (best.kind) {
    case FaultKind::Nondeterminism: return nondeterminism_cure(model, group, room);
    case FaultKind::DeadRule: return dead_rule_cure(model, best);
    case FaultKind::DeadState: return "mend one of its rules, or delete them and call it `final`";
    case FaultKind::UnreachableState: return unreachable_cure(model, best);
    case FaultKind::Race: return race_cure(model, best, room);
    case FaultKind::Cycle: return cycle_cure(model, best, room);
  }
  return {};
}

}  // namespace poise::report
