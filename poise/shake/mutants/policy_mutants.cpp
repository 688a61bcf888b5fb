// The usual mutants of policies, by group; mutants.h lists them.

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "poise/shake/mutants/expr_text.h"
#include "poise/shake/mutants/mutant_kinds.h"
#include "poise/shake/mutants/sites.h"

namespace poise::shake {

using model::Model;
using model::OptionId;
using model::PolicyExpr;
using model::PolicyExprId;
using model::PolicyOp;
using model::TypeKind;

namespace {

// The mutant in which an expression is changed, in all its copies.
template <class Change>
Mutant changed(const Model& model, const Site& site, const Change& change) {
  const PolicyExpr& expr = model.policy.exprs[site.expr()];
  Mutant mutant{.at = expr.at, .end = expr.end, .model = model};
  for (const Copy& copy : site.copies) change(mutant.model, copy.expr);
  mutant.replacement = to_text(mutant.model, site.expr());
  mutant.description =
      fmt::format("`{}` instead of `{}`", mutant.replacement, to_text(model, site.expr()));
  return mutant;
}

// ---- threshold, value ----

const model::Variable& variable_of(const Model& model, model::SlotId slot) {
  return model.variables[model.slots[slot].variable];
}

bool is_number(const model::Variable& variable) {
  return variable.type.kind == TypeKind::Int || variable.type.kind == TypeKind::Real;
}

// The step for numbers within an expression: that of the first variable in it, or of the utility.
// None if there is neither, or if members of enumerations or booleans are compared.
std::optional<Rational> step_below(const Model& model, PolicyExprId id, OptionId option) {
  const PolicyExpr& expr = model.policy.exprs[id];
  if (expr.op == PolicyOp::Slot) {
    const model::Variable& variable = variable_of(model, expr.slot);
    if (is_number(variable)) return step_of(variable);
  }
  if (expr.op == PolicyOp::Utility) {
    const model::UtilityScale& scale = model.policy.options[option].scale;
    return (scale.high - scale.low) / 20;
  }
  for (const PolicyExprId part : expr.parts) {
    if (const auto step = step_below(model, part, option)) return step;
  }
  return std::nullopt;
}

std::vector<Mutant> moved_constants(const Model& model, MutantGroup group) {
  std::vector<Mutant> mutants;
  for (const Site& site : sites_of(model.policy)) {
    const Copy& copy = site.copies.front();
    const PolicyExpr& expr = model.policy.exprs[copy.expr];
    if (expr.op != PolicyOp::Number) continue;
    std::optional<Rational> step;
    if (copy.comparison && group == MutantGroup::Threshold) {
      step = step_below(model, *copy.comparison, copy.option);
    } else if (!copy.comparison && copy.target && group == MutantGroup::Value) {
      const model::Variable& variable = variable_of(model, *copy.target);
      if (is_number(variable)) step = step_of(variable);
    }
    if (!step) continue;
    for (const Rational& by : {*step, -*step}) {
      Mutant mutant = changed(model, site, [&](Model& mutated, PolicyExprId id) {
        mutated.policy.exprs[id].number = mutated.policy.exprs[id].number + by;
      });
      const PolicyExprId around = copy.comparison.value_or(copy.parent.value_or(copy.expr));
      mutant.description = fmt::format("`{}` instead of `{}`", to_text(mutant.model, around),
                                       to_text(model, around));
      mutants.push_back(std::move(mutant));
    }
  }
  return mutants;
}

// ---- comparison ----

PolicyOp replaced(PolicyOp op) {
  switch (op) {
    case PolicyOp::Less: return PolicyOp::LessEqual;
    case PolicyOp::LessEqual: return PolicyOp::Less;
    case PolicyOp::Equal: return PolicyOp::NotEqual;
    case PolicyOp::NotEqual: return PolicyOp::Equal;
    default: return op;
  }
}

std::vector<Mutant> replaced_comparisons(const Model& model) {
  std::vector<Mutant> mutants;
  for (const Site& site : sites_of(model.policy)) {
    if (!is_comparison(model.policy.exprs[site.expr()].op)) continue;
    mutants.push_back(changed(model, site, [](Model& mutated, PolicyExprId id) {
      mutated.policy.exprs[id].op = replaced(mutated.policy.exprs[id].op);
    }));
  }
  return mutants;
}

// ---- priority ----

std::vector<Mutant> swapped_options(const Model& model) {
  std::vector<Mutant> mutants;
  for (std::uint32_t i = 0; i + 1 < model.policy.options.size(); ++i) {
    const OptionId first{i};
    const OptionId second{i + 1};
    const model::Option& option = model.policy.options[first];
    Mutant mutant{.description = fmt::format("option `{}` comes after `{}`", option.name,
                                             model.policy.options[second].name),
                  .at = option.at,
                  .end = option.at,
                  .model = model};
    std::swap(mutant.model.policy.options[first], mutant.model.policy.options[second]);
    for (model::Preference& preference : mutant.model.policy.preferences) {
      if (preference.option == first) {
        preference.option = second;
      } else if (preference.option == second) {
        preference.option = first;
      }
    }
    mutants.push_back(std::move(mutant));
  }
  return mutants;
}

// ---- dropped ----

// Drops one part of an `and` or `or`; if only one part is left, it takes the place of the whole.
void drop_part(model::Policy& policy, PolicyExprId id, std::size_t part) {
  std::vector<PolicyExprId>& parts = policy.exprs[id].parts;
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(part));
  if (parts.size() > 1) return;
  const PolicyExprId left = parts.front();
  const Position at = policy.exprs[id].at;
  const Position end = policy.exprs[id].end;
  policy.exprs[id] = std::move(policy.exprs[left]);
  policy.exprs[id].at = at;
  policy.exprs[id].end = end;
  policy.exprs[left] = {.op = PolicyOp::Number};  // part of no expression any more
}

std::vector<Mutant> dropped_things(const Model& model) {
  std::vector<Mutant> mutants;
  for (const OptionId id : model.policy.options.ids()) {
    const model::Option& option = model.policy.options[id];
    const std::size_t count = option.assignments.size();
    Mutant whole{.description = fmt::format("option `{}` is left out", option.name),
                 .at = option.at,
                 .end = option.at,
                 .model = model};
    whole.model.policy.options[id].assignments.clear();
    mutants.push_back(std::move(whole));
    for (std::size_t i = 0; i < count && count > 1; ++i) {
      const model::PolicyAssignment& assignment = option.assignments[i];
      Mutant mutant{.description = fmt::format("option `{}` does not set `{}`", option.name,
                                               variable_of(model, assignment.slot).name),
                    .at = assignment.at,
                    .end = assignment.at,
                    .model = model};
      auto& left = mutant.model.policy.options[id].assignments;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      mutants.push_back(std::move(mutant));
    }
  }
  for (const model::PreferenceId id : model.policy.preferences.ids()) {
    const model::Preference& preference = model.policy.preferences[id];
    Mutant mutant{.description = fmt::format("the preference for `{}` when `{}` is left out",
                                             model.policy.options[preference.option].name,
                                             to_text(model, preference.when)),
                  .at = preference.at,
                  .end = preference.at,
                  .model = model};
    mutant.model.policy.preferences = {};
    for (const model::PreferenceId other : model.policy.preferences.ids()) {
      if (other != id) mutant.model.policy.preferences.add(model.policy.preferences[other]);
    }
    mutants.push_back(std::move(mutant));
  }
  for (const Site& site : sites_of(model.policy)) {
    const PolicyExpr& expr = model.policy.exprs[site.expr()];
    if (expr.op != PolicyOp::And && expr.op != PolicyOp::Or) continue;
    for (std::size_t part = 0; part < expr.parts.size(); ++part) {
      mutants.push_back(changed(model, site, [&](Model& mutated, PolicyExprId id) {
        drop_part(mutated.policy, id, part);
      }));
    }
  }
  return mutants;
}

// ---- timer ----

// The durations that replace another, each once, without those that are as many ticks as it is.
std::vector<Rational> other_durations(const Rational& seconds, const Rational& tick) {
  const Rational ticks = (seconds / tick).ceil();
  std::vector<Rational> others;
  for (const Rational& other :
       {ticks + 1, ticks - 1, Rational((ticks / 2).floor()), ticks * 2, Rational(0)}) {
    if (other.sign() < 0 || other == ticks) continue;
    if (std::ranges::find(others, other * tick) != others.end()) continue;
    others.push_back(other * tick);
  }
  return others;
}

bool has_timer(const PolicyExpr& expr) {
  switch (expr.op) {
    case PolicyOp::Held:
    case PolicyOp::MaximumOver:
    case PolicyOp::MinimumOver:
    case PolicyOp::MeanOver:
    case PolicyOp::Rate: return expr.number.sign() > 0;
    default: return false;
  }
}

// A window that holds the present tick only is the same as none.
bool is_window(PolicyOp op) { return op != PolicyOp::Held; }

std::vector<Mutant> other_timers(const Model& model) {
  const Rational& tick = model.policy.tick;
  std::vector<Mutant> mutants;
  for (const OptionId id : model.policy.options.ids()) {
    const model::Option& option = model.policy.options[id];
    if (option.cooldown.sign() == 0) continue;
    for (const Rational& other : other_durations(option.cooldown, tick)) {
      // A cooldown of one tick is the same as none, which is there already.
      if (other == tick) continue;
      Mutant mutant{
          .description = fmt::format("option `{}` cools down for {} instead of {}", option.name,
                                     seconds_text(other), seconds_text(option.cooldown)),
          .at = option.at,
          .end = option.at,
          .replacement = "cooldown " + seconds_text(other),
          .model = model};
      mutant.model.policy.options[id].cooldown = other;
      mutants.push_back(std::move(mutant));
    }
  }
  for (const Site& site : sites_of(model.policy)) {
    const PolicyExpr& expr = model.policy.exprs[site.expr()];
    if (!has_timer(expr)) continue;
    for (const Rational& other : other_durations(expr.number, tick)) {
      if (is_window(expr.op) && other == tick) continue;
      mutants.push_back(changed(model, site, [&](Model& mutated, PolicyExprId id) {
        mutated.policy.exprs[id].number = other;
      }));
    }
  }
  return mutants;
}

}  // namespace

std::vector<Mutant> policy_mutants(const Model& model, MutantGroup group) {
  switch (group) {
    case MutantGroup::Threshold:
    case MutantGroup::Value: return moved_constants(model, group);
    case MutantGroup::Comparison: return replaced_comparisons(model);
    case MutantGroup::Priority: return swapped_options(model);
    case MutantGroup::Dropped: return dropped_things(model);
    case MutantGroup::Timer: return other_timers(model);
    default: return {};
  }
}

}  // namespace poise::shake
