#include "poise/report/confirmation_words.h"

#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/report/verify_words.h"

namespace poise::report {

using verify::Confirmation;

std::string_view name(Confirmation::Verdict verdict) {
  switch (verdict) {
    case Confirmation::Verdict::Confirmed: return "confirmed";
    case Confirmation::Verdict::NotConfirmed: return "not confirmed";
    case Confirmation::Verdict::Unknown: return "unknown";
  }
  return "";
}

std::string claim_words(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::WorldFailure& failure : model.world.failures) names.push_back(failure.name);
  return fmt::format("{} never happen{}, after any number of steps", joined(names, ", "),
                     names.size() == 1 ? "s" : "");
}

std::string open_words(const model::Model& model, const Confirmation& made) {
  const bool unknown = made.verdict == Confirmation::Verdict::Unknown;
  const std::string& state = model.states[made.state].name;
  const std::string_view whether = unknown ? "whether " : "";
  const std::string_view holds = unknown ? "holds" : "need not hold";
  if (made.part == Confirmation::Part::Start) {
    return fmt::format("{}what is said of {} {} at the start", whether, state, holds);
  }
  const model::Rule& rule = model.rules[made.rule];
  if (made.part == Confirmation::Part::Step) {
    return fmt::format("{}what is said of {} {} after {} in {}", whether,
                       model.states[rule.to].name, holds, rule.name, state);
  }
  return fmt::format("{}{} may happen after {} of {} in {}", whether,
                     model.world.failures[made.failure].name, act_words(model, made.rule, made.act),
                     rule.name, state);
}

}  // namespace poise::report
