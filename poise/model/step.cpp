#include "poise/model/step.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <unordered_map>

namespace poise::model {

namespace {

// The sum, where it is made of small whole numbers, as nearly always.
template <class ValueOf>
std::optional<std::int64_t> small_sum(const Polynomial& polynomial, const ValueOf& value_of) {
  constexpr std::int64_t kSmall = std::int64_t{1} << 31;
  const auto small = [](const Rational& number) -> std::optional<std::int64_t> {
    if (!number.is_integer() || !number.numerator().fits_int64()) return std::nullopt;
    const std::int64_t value = number.numerator().to_int64();
    return value > -kSmall && value < kSmall ? std::optional(value) : std::nullopt;
  };
  std::optional<std::int64_t> sum = small(polynomial.constant);
  for (const Monomial& term : polynomial.terms) {
    const auto coefficient = small(term.coefficient);
    const auto value = term.slots.size() == 1 ? small(*value_of(term.slots.front())) : std::nullopt;
    if (!coefficient || !value || !sum) return std::nullopt;
    std::int64_t total = 0;
    if (__builtin_add_overflow(*sum, *coefficient * *value, &total)) return std::nullopt;
    sum = total;
  }
  return sum;
}

template <class ValueOf>
bool holds_for(const Atom& atom, const ValueOf& value_of) {
  for (const SlotId slot : atom.slots) {
    if (!value_of(slot)) return false;
  }
  if (!atom.membership) {
    if (const auto sum = small_sum(atom.value, value_of)) {
      return holds(atom.relation, static_cast<int>(*sum > 0) - static_cast<int>(*sum < 0));
    }
  }
  Rational sum = atom.value.constant;
  for (const Monomial& term : atom.value.terms) {
    Rational product = term.coefficient;
    for (const SlotId slot : term.slots) product = product * *value_of(slot);
    sum = sum + product;
  }
  if (atom.membership) return std::ranges::find(atom.among, sum) != atom.among.end();
  return holds(atom.relation, sum.sign());
}

bool holds(const Formula& formula, const Situation& situation) {
  const auto part = [&](FormulaId id) { return situation.holds(id); };
  const std::vector<FormulaId>& parts = formula.parts;
  switch (formula.op) {
    case Op::False: return false;
    case Op::True: return true;
    case Op::Atom: return situation.holds(formula.atom);
    case Op::Not: return !part(parts[0]);
    case Op::And: return std::ranges::all_of(parts, part);
    case Op::Or: return std::ranges::any_of(parts, part);
    case Op::Implies: return !part(parts[0]) || part(parts[1]);
    case Op::Iff: return part(parts[0]) == part(parts[1]);
  }
  return false;
}

bool is_true(const Value& value) { return value && value->sign() != 0; }

// The slots that have a value only while this boolean slot holds.
std::vector<SlotId> slots_behind(const Model& model, SlotId guard) {
  std::vector<SlotId> slots;
  for (const SlotId slot : model.slots.ids()) {
    if (guard_slot(model, slot) == guard) slots.push_back(slot);
  }
  return slots;
}

// Different choices may come to the same, where a later action overrides an earlier one.
std::vector<Context> without_repetitions(std::vector<Context> contexts) {
  if (contexts.size() < 2) return contexts;
  std::set<Context> seen;
  std::erase_if(contexts, [&](const Context& context) { return !seen.insert(context).second; });
  return contexts;
}

class Transition {
 public:
  Transition(const Model& model, const Choices& choices) : model_(model), choices_(choices) {}

  // Sets a slot, then frees or clears what stands behind it if it is a guard.
  [[nodiscard]] std::vector<Context> set(Context context, SlotId slot, const Value& value) const {
    const bool before = is_true(context[slot.index]);
    context[slot.index] = value;
    const bool now = is_true(value);
    std::vector<Context> results = {std::move(context)};
    if (before == now) return results;
    for (const SlotId behind : slots_behind(model_, slot)) {
      results = now ? freed(results, behind) : cleared(results, behind);
    }
    return results;
  }

  [[nodiscard]] std::vector<Context> freed(const std::vector<Context>& contexts,
                                           SlotId slot) const {
    std::vector<Context> results;
    for (const Context& context : contexts) {
      for (const Rational& value : choices_.values(slot, context)) {
        for (Context& result : set(context, slot, value)) results.push_back(std::move(result));
      }
    }
    return results;
  }

 private:
  [[nodiscard]] std::vector<Context> cleared(const std::vector<Context>& contexts,
                                             SlotId slot) const {
    std::vector<Context> results;
    for (const Context& context : contexts) {
      for (Context& result : set(context, slot, std::nullopt)) results.push_back(std::move(result));
    }
    return results;
  }

  const Model& model_;
  const Choices& choices_;
};

// Extends one run by depth-first search, with a stack of its own: a run can be as long as the model
// has configurations.
class RunSearch {
 public:
  RunSearch(const Model& model, const Choices& choices, const RunOptions& options,
            const std::function<bool(const Run&)>& visit)
      : model_(model), choices_(choices), options_(options), visit_(visit) {}

  void search(const Configuration& start) {
    run_.configurations.push_back(start);
    if (!enter()) return;
    while (!branches_.empty()) {
      std::vector<Branch>& untried = branches_.back();
      if (untried.empty()) {
        branches_.pop_back();
        leave();
        continue;
      }
      Branch next = std::move(untried.back());
      untried.pop_back();
      run_.firings.push_back(next.rule);
      run_.configurations.push_back(std::move(next.to));
      if (!enter()) return;
    }
  }

 private:
  struct Branch {
    RuleId rule;
    Configuration to;
  };

  // Ends the run here, or lists the ways it can go on. False if the visitor has had enough.
  bool enter() {
    const Configuration& now = run_.configurations.back();
    positions_[now.state].push_back(run_.configurations.size() - 1);
    if (const std::optional<std::size_t> loop = seen_before()) {
      return finish(Run::End::Closed, *loop);
    }
    // Most rules leave the context alone, and the situation with it.
    const bool unchanged = !run_.firings.empty() && !changes_context(run_.firings.back());
    situations_.push_back(unchanged ? situations_.back()
                                    : std::make_shared<Situation>(evaluate(model_, now.context)));
    const std::vector<RuleId> rules =
        triggered(model_, now.state, *situations_.back(), options_.priorities);
    if (rules.empty()) return finish(Run::End::Stable, 0);
    if (options_.max_firings && run_.firings.size() >= *options_.max_firings) {
      return finish(Run::End::Cut, 0);
    }
    std::vector<Branch> branches;
    for (const RuleId rule : rules) {
      for (Context& context : after(model_, rule, now.context, choices_)) {
        branches.push_back({rule, {model_.rules[rule].to, std::move(context)}});
      }
    }
    std::ranges::reverse(branches);  // taken from the back
    branches_.push_back(std::move(branches));
    return true;
  }

  bool finish(Run::End end, std::size_t loop) {
    run_.end = end;
    run_.loop = loop;
    const bool go_on = visit_(run_);
    leave();
    return go_on;
  }

  void leave() {
    positions_[run_.configurations.back().state].pop_back();
    run_.configurations.pop_back();
    situations_.resize(std::min(situations_.size(), run_.configurations.size()));
    if (!run_.firings.empty()) run_.firings.pop_back();
  }

  [[nodiscard]] bool changes_context(RuleId rule) const {
    return std::ranges::any_of(model_.rules[rule].actions,
                               [](const Action& action) { return !action.effects.empty(); });
  }

  [[nodiscard]] std::optional<std::size_t> seen_before() const {
    const std::size_t last = run_.configurations.size() - 1;
    const Configuration& now = run_.configurations[last];
    for (const std::size_t i : positions_.at(now.state)) {
      if (i < last && choices_.same(run_.configurations[i].context, now.context)) return i;
    }
    return std::nullopt;
  }

  const Model& model_;
  const Choices& choices_;
  const RunOptions& options_;
  const std::function<bool(const Run&)>& visit_;
  Run run_;
  std::vector<std::shared_ptr<const Situation>> situations_;  // one per configuration entered
  std::unordered_map<StateId, std::vector<std::size_t>> positions_;  // of a state in the run
  std::vector<std::vector<Branch>> branches_;
};

}  // namespace

bool holds(const Atom& atom, const Context& context) {
  return holds_for(atom, [&](SlotId slot) -> const Value& { return context[slot.index]; });
}

bool holds(const Atom& atom, const std::function<const Value&(SlotId)>& value) {
  return holds_for(atom, value);
}

Situation evaluate(const Model& model, const Context& context) {
  Situation situation;
  situation.atoms.reserve(model.atoms.size());
  for (const Atom& atom : model.atoms) situation.atoms.push_back(holds(atom, context));
  // Parts come before the formulas they are part of.
  situation.formulas.reserve(model.formulas.size());
  for (const Formula& formula : model.formulas) {
    situation.formulas.push_back(holds(formula, situation));
  }
  return situation;
}

bool feasible(const Model& model, const Situation& situation) {
  return std::ranges::all_of(model.constraints, [&](const Constraint& constraint) {
    return situation.holds(constraint.condition);
  });
}

std::vector<RuleId> satisfied(const Model& model, StateId state, const Situation& situation) {
  std::vector<RuleId> rules;
  for (const RuleId rule : model.states[state].rules) {
    if (situation.holds(model.rules[rule].guard)) rules.push_back(rule);
  }
  return rules;
}

std::vector<RuleId> triggered(const Model& model, StateId state, const Situation& situation,
                              Priorities priorities) {
  std::vector<RuleId> rules = satisfied(model, state, situation);
  if (priorities == Priorities::Ignored || rules.empty()) return rules;
  const auto stronger = [&](RuleId rule, RuleId other) {
    return is_stronger(model.rules[rule], model.rules[other]);
  };
  const RuleId strongest = *std::ranges::min_element(rules, stronger);
  std::erase_if(rules, [&](RuleId rule) { return stronger(strongest, rule); });
  return rules;
}

std::vector<Context> after(const Model& model, RuleId rule, const Context& context,
                           const Choices& choices) {
  const Transition transition(model, choices);
  std::vector<Context> contexts = {context};
  for (const Action& action : model.rules[rule].actions) {
    for (const Effect& effect : action.effects) {
      std::vector<Context> results;
      for (const Context& before : contexts) {
        const std::optional<SlotId> guard = guard_slot(model, effect.slot);
        const bool skipped = (effect.unless && is_true(before[effect.unless->index])) ||
                             (guard && !is_true(before[guard->index]));
        std::vector<Context> next;
        if (skipped) {
          next = {before};
        } else if (effect.value) {
          next = transition.set(before, effect.slot, effect.value);
        } else {
          next = transition.freed({before}, effect.slot);
        }
        std::ranges::move(next, std::back_inserter(results));
      }
      contexts = without_repetitions(std::move(results));
    }
  }
  return contexts.size() < 2 ? contexts : choices.told_apart(std::move(contexts));
}

void for_each_run(const Model& model, const Configuration& start, const Choices& choices,
                  const RunOptions& options, const std::function<bool(const Run&)>& visit) {
  RunSearch(model, choices, options, visit).search(start);
}

}  // namespace poise::model
