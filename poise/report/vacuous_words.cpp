#include "poise/report/vacuous_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/report/verify_words.h"

namespace poise::report {

using verify::Vacuous;

namespace {

// "a", "a and b", "a, b and c"
std::string enumerated(std::vector<std::string> names, std::string_view word) {
  if (names.empty()) return "";
  const std::string last = std::move(names.back());
  names.pop_back();
  return names.empty() ? last : fmt::format("{} {} {}", joined(names, ", "), word, last);
}

std::string stronger_words(const model::Model& model, const Vacuous& vacuous) {
  std::vector<std::string> names;
  for (const model::RuleId rule : vacuous.stronger) names.push_back(model.rules[rule].name);
  if (names.size() == 1) {
    return fmt::format("whenever its guard holds, so does that of {}, which is stronger",
                       names.front());
  }
  return fmt::format("whenever its guard holds, so does that of a stronger rule: {}",
                     enumerated(std::move(names), "or"));
}

// "`go` of `leave`", or just "`leave`" if the rule does more than one thing.
std::string departing(const model::Model& model, model::RuleId rule) {
  const std::string& name = model.rules[rule].name;
  const bool one = !act_name(model, rule, 0).empty() && act_name(model, rule, 1).empty();
  return one ? fmt::format("`{}` of `{}`", act_name(model, rule, 0), name)
             : fmt::format("`{}`", name);
}

}  // namespace

std::string_view name(Vacuous::What what) {
  switch (what) {
    case Vacuous::What::Rule: return "rule";
    case Vacuous::What::Guard: return "guard";
    case Vacuous::What::Action: return "action";
    case Vacuous::What::Failure: return "failure";
  }
  return "";
}

std::string vacuous_name(const model::Model& model, const Vacuous& vacuous) {
  if (vacuous.failure) return model.world.failures[*vacuous.failure].name;
  if (vacuous.action) return model.world.actions[*vacuous.action].name;
  return model.rules[*vacuous.rule].name;
}

std::string why_never(const model::Model& model, const verify::Report& report,
                      const Vacuous& vacuous) {
  switch (vacuous.why) {
    case Vacuous::Why::StateNeverReached:
      return fmt::format("{} is {}{}", model.states[*vacuous.state].name,
                         report.bound ? "not reached before the last step" : "never reached",
                         model.constraints.empty() ? "" : " with values that can happen");
    case Vacuous::Why::GuardNeverHolds: return "nothing that is sensed satisfies its guard";
    case Vacuous::Why::OthersAreStronger: return stronger_words(model, vacuous);
    case Vacuous::Why::NoRuleDoesIt: return "no rule does it";
    case Vacuous::Why::NoRuleGetsToIt: return "no rule gets to it";
    case Vacuous::Why::NoValuesSatisfyIt:
      return "wherever a rule gets to it, no values after it satisfy its condition";
    case Vacuous::Why::ActionNeverHappens:
      return fmt::format("it is asked for after {}, which never happens",
                         model.world.actions[*vacuous.action].name);
  }
  return "";
}

std::vector<DepartureWarning> departure_warnings(const model::Model& model,
                                                 const verify::Report& report) {
  std::vector<DepartureWarning> warnings;
  for (const model::ConstraintId id : model.constraints.ids()) {
    std::vector<std::string> rules;
    for (const verify::Departure& one : report.departures) {
      std::string words = departing(model, one.rule);
      if (one.constraint != id || std::ranges::find(rules, words) != rules.end()) continue;
      rules.push_back(std::move(words));
    }
    if (rules.empty()) continue;
    warnings.push_back(
        {model.constraints[id].at,
         fmt::format("{} can lead out of this constraint, and runs are not followed from there; if "
                     "it is meant for the start only, write `start`",
                     enumerated(std::move(rules), "and"))});
  }
  return warnings;
}

}  // namespace poise::report
