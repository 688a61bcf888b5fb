#include "poise/report/text/cure.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "poise/report/text/implication.h"

namespace poise::report {

namespace {

using finding::Cure;
using finding::Fault;
using finding::FaultKind;
using finding::Group;
using finding::Treatment;
using model::FormulaId;
using model::Model;
using model::Op;
using model::Rule;
using model::RuleId;
using model::StateId;

const std::string& name_of(const Model& model, RuleId rule) { return model.rules[rule].name; }
const std::string& name_of(const Model& model, StateId state) { return model.states[state].name; }

// ---- Cures ----

// What is added to a guard: "`and not clock >= 690`".
std::string addition(const Model& model, const Cure& cure) {
  std::string text = model::to_text(model, cure.condition, finding::kLongestCondition);
  const Op op = model.formulas[cure.condition].op;
  const bool tight = op == Op::Atom || op == Op::True || op == Op::False;
  if (!tight && (cure.negated || op != Op::And)) text = "(" + text + ")";
  return fmt::format("`and {}{}`", cure.negated ? "not " : "", text);
}

// Whether words that are added at the end of a guard would belong to its last part only:
// `a or b and not c` means `a or (b and not c)`, and what is asked of the elements of a stream goes
// on to the end.
bool is_loose(const Model& model, FormulaId guard) {
  const Op op = model.formulas[guard].op;
  if (op == Op::Or || op == Op::Implies || op == Op::Iff) return true;
  return std::ranges::any_of(model::atoms_of(model, {guard}), [&](model::AtomId atom) {
    return std::ranges::any_of(model.atoms[atom].slots, [&](model::SlotId slot) {
      return model.variables[model.slots[slot].variable].query.has_value();
    });
  });
}

std::string change_text(const Model& model, const Cure& cure) {
  const std::string& rule = name_of(model, cure.rule());
  switch (cure.kind) {
    case Cure::Kind::Priority: return fmt::format("give {} priority {}", rule, cure.priority);
    case Cure::Kind::Condition: {
      const bool loose = is_loose(model, model.rules[cure.rule()].guard);
      return fmt::format("add {} to {}{}", addition(model, cure),
                         loose ? "the whole guard of " : "", rule);
    }
    case Cure::Kind::Target: return fmt::format("lead {} to {}", rule, name_of(model, cure.to));
    case Cure::Kind::Deletion:
      return cure.rules.size() == 1 ? "delete " + rule : "delete its rules";
  }
  return {};
}

// ---- Hints ----

bool guard_implies(const Model& model, RuleId first, RuleId second) {
  return implies(model, model.rules[first].guard, model.rules[second].guard).value_or(false);
}

std::string nondeterminism_hint(const Model& model, const std::vector<RuleId>& rules) {
  if (rules.size() == 2 && guard_implies(model, rules[0], rules[1]) &&
      guard_implies(model, rules[1], rules[0])) {
    return "their guards always hold together: keep one of the rules, or change a guard";
  }
  const bool ranked = std::ranges::any_of(rules, [&](RuleId rule) {
    return model.rules[rule].priority != model.rules[rules.front()].priority;
  });
  if (ranked) return "let their guards exclude each other; priorities were ignored";
  return "let their guards exclude each other, or say with priorities which comes first";
}

std::string dead_rule_hint(const Model& model, const Fault& fault) {
  switch (fault.cause) {
    case finding::DeadCause::Unsatisfiable: return "mend its guard, or delete the rule";
    case finding::DeadCause::Shadowed: break;
  }
  const auto weaker = [&](RuleId a, RuleId b) {
    return model::is_stronger(model.rules[b], model.rules[a]);
  };
  return fmt::format("make it stronger than {}, or narrow the guards of the rules that win",
                     name_of(model, *std::ranges::min_element(fault.by, weaker)));
}

// For two rules that fire one after the other and should not.
std::string apart_hint(const Model& model, RuleId first, RuleId second) {
  return fmt::format("{} leads to where {} is triggered at once: change one of their guards{}",
                     name_of(model, first), name_of(model, second),
                     model.rules[first].actions.empty() ? "" : ", or an action between them");
}

std::string self_loop_hint(const Model& model, RuleId rule) {
  constexpr std::size_t kLongestGuard = 60;
  const Rule& stuck = model.rules[rule];
  return fmt::format(
      "{} leads back to {} while its guard still holds: lead it elsewhere, or let "
      "an action make `{}` false",
      stuck.name, name_of(model, stuck.to), model::to_text(model, stuck.guard, kLongestGuard));
}

std::string cycle_hint(const Model& model, const Fault& fault) {
  const std::span<const RuleId> round = std::span(fault.rules).subspan(fault.loop);
  if (round.size() == 1) return self_loop_hint(model, round.front());
  return apart_hint(model, round[0], round[1]);
}

std::string unreachable_hint(const Model& model, const Fault& fault) {
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

std::string hint(const Model& model, const Group& group) {
  const Fault& best = group.best();
  switch (best.kind) {
    case FaultKind::Nondeterminism: return nondeterminism_hint(model, best.rules);
    case FaultKind::DeadRule: return dead_rule_hint(model, best);
    case FaultKind::DeadState: return "mend one of its rules, or delete them and call it `final`";
    case FaultKind::UnreachableState: return unreachable_hint(model, best);
    case FaultKind::Race: return apart_hint(model, best.rules[0], best.rules[1]);
    case FaultKind::Cycle: return cycle_hint(model, best);
  }
  return {};
}

// Why a hint is all there is.
std::string_view reason(Treatment::Outcome outcome) {
  switch (outcome) {
    case Treatment::Outcome::Cured:
    case Treatment::Outcome::NoneKnown: return "";
    case Treatment::Outcome::NoneFound:
      return "; no small change was found that cures it and does no harm";
    case Treatment::Outcome::Excluded:
      return "; what would cure it does not go together with the cures above";
    case Treatment::Outcome::NotTried:
      return "; not all small changes were tried: that would take too long";
  }
  return "";
}

}  // namespace

Remedy remedy(const Model& model, const Group& group, const Treatment* treatment) {
  if (treatment == nullptr) return {.label = "hint", .text = hint(model, group)};
  if (treatment->cure) return {.label = "cure", .text = change_text(model, *treatment->cure)};
  return {.label = "hint", .text = hint(model, group).append(reason(treatment->outcome))};
}

}  // namespace poise::report
