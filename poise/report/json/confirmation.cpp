#include "poise/report/json/confirmation.h"

#include <fmt/format.h>

#include "poise/json/writer.h"
#include "poise/report/confirmation_words.h"
#include "poise/report/json/document.h"
#include "poise/report/json/values.h"
#include "poise/report/verify_words.h"

namespace poise::report {

using model::Model;
using verify::Confirmation;

namespace {

std::string_view part_name(Confirmation::Part part) {
  switch (part) {
    case Confirmation::Part::Start: return "start";
    case Confirmation::Part::Failure: return "failure";
    case Confirmation::Part::Step: return "step";
  }
  return "";
}

// The condition that was not proved, and values that show why.
std::string open_json(const Model& model, const Confirmation& made) {
  const bool of_rule = made.part != Confirmation::Part::Start;
  const bool of_failure = made.part == Confirmation::Part::Failure;
  json::Object object;
  object.add_text("condition", part_name(made.part));
  object.add_text("state", model.states[made.state].name);
  object.add("rule", of_rule ? json::quoted(model.rules[made.rule].name) : "null");
  object.add("action", of_failure ? json::quoted(act_name(model, made.rule, made.act)) : "null");
  object.add("failure",
             of_failure ? json::quoted(model.world.failures[made.failure].name) : "null");
  object.add("before", made.before.empty() ? "null" : json_values(model, made.before, Which::All));
  object.add("after", made.after.empty() ? "null" : json_values(model, made.after, Which::All));
  return object.json();
}

}  // namespace

std::string confirmation_json(const Model& model, verify::Mode mode, const Confirmation& made) {
  const bool confirmed = made.verdict == Confirmation::Verdict::Confirmed;
  const bool unknown = made.verdict == Confirmation::Verdict::Unknown;
  Document document("poise.confirmation/1", model);
  document.add("mode", json::quoted(name(mode)));
  document.add("verdict", json::quoted(name(made.verdict)));
  document.add("reason", json::quoted(confirmed ? ""
                                      : unknown ? made.why
                                                : open_words(model, made)));
  document.add("claim", json::quoted(claim_words(model)));
  document.add("proved", fmt::format("{}", made.proved));
  document.add("open", confirmed ? "null" : open_json(model, made));
  return document.finished();
}

}  // namespace poise::report
