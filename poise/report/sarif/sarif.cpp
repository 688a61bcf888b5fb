#include "poise/report/sarif/sarif.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "poise/base/figures.h"
#include "poise/base/text.h"
#include "poise/base/uri.h"
#include "poise/diag/render.h"
#include "poise/finding/assumed.h"
#include "poise/finding/finding.h"
#include "poise/json/writer.h"
#include "poise/report/fingerprint.h"
#include "poise/report/json/fault.h"
#include "poise/report/json/shake.h"
#include "poise/report/rank_case.h"
#include "poise/report/sarif/rules.h"
#include "poise/report/shake_words.h"
#include "poise/report/text/assumed.h"
#include "poise/report/text/layout.h"
#include "poise/report/verify_words.h"

namespace poise::report {

namespace {

using finding::Fault;
using finding::FaultKind;
using model::Model;
using model::RuleId;
using model::StateId;

// The most columns that a path or a condition takes in a message: viewers show messages in a list.
constexpr std::size_t kRoom = 160;

// ---- Messages ----

// `{0}` in a SARIF message is a placeholder, so literal braces are doubled.
std::string message(std::string_view text) {
  std::string doubled;
  for (const char c : text) {
    doubled += c;
    if (c == '{' || c == '}') doubled += c;
  }
  json::Object object;
  object.add_text("text", doubled);
  return object.json();
}

// An embedded link to the related location with that id.
std::string link(std::string_view text, std::size_t number) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '[' || c == ']') escaped += '\\';
    escaped += c;
  }
  return fmt::format("[{}]({})", escaped, number);
}

// "[ActivateHome](1) and [ActivateOffice](2)"
std::string links(const Model& model, std::span<const RuleId> rules) {
  std::vector<std::string> names;
  for (const RuleId rule : rules) names.push_back(link(model.rules[rule].name, names.size() + 1));
  return enumerated(names);
}

// "in 13 situations, when gps.on and not bt.devices has car … or 4 other ways"
std::string occurrence(const Model& model, const Fault& fault) {
  const std::string count = "in " + situations_text(fault.situations);
  if (!fault.when) return count;
  const bool always = *fault.when == finding::Condition{{}};
  if (always) return count + ", whatever the context";
  return count + ", when " + shortened(model, *fault.when, fault.witness, kRoom);
}

std::string dead_rule_text(const Model& model, const Fault& fault) {
  const model::Rule& rule = model.rules[fault.rules.front()];
  const std::string start =
      fmt::format("In {}, {} is never triggered: ", model.states[fault.state].name, rule.name);
  switch (fault.cause) {
    case finding::DeadCause::Shadowed:
      return start +
             fmt::format("wherever it is satisfied, it loses to {}.", links(model, fault.by));
    case finding::DeadCause::Unsatisfiable:
      return start + fmt::format("no feasible context satisfies its guard `{}`.",
                                 model::to_text(model, rule.guard, kRoom));
  }
  return start;
}

std::string fault_text(const Model& model, const Fault& fault) {
  const std::string& state = model.states[fault.state].name;
  switch (fault.kind) {
    case FaultKind::Nondeterminism:
      return fmt::format(
          "In {}, {} are triggered at once, {}: {}.", state, links(model, fault.rules),
          fault.harmless ? "and the same happens whichever fires" : "and chance decides",
          occurrence(model, fault));
    case FaultKind::DeadRule: return dead_rule_text(model, fault);
    case FaultKind::DeadState:
      return fmt::format("Rules lead out of {}, but none of them can ever fire: {}.", state,
                         links(model, model.states[fault.state].rules));
    case FaultKind::UnreachableState:
      return fmt::format("No chain of live rules leads to {}.", state);
    case FaultKind::Race:
      return fmt::format("States are left as soon as they are entered: {}, {}.",
                         drawn_path(model, fault.state, fault.rules, kRoom, diag::Color::No),
                         occurrence(model, fault));
    case FaultKind::Cycle:
      return fmt::format("Rules set off one another without end: {} ↺, {}.",
                         drawn_path(model, fault.state, fault.rules, kRoom, diag::Color::No),
                         occurrence(model, fault));
  }
  return "";
}

std::string assumption_text(const Model& model, const std::vector<model::AtomId>& free) {
  return free.empty()
             ? ""
             : fmt::format(" Taken as free: {}.", free_conditions_text(model, free, kRoom));
}

std::string unstable_text(const Model& model, const check::Unstable& unstable) {
  return fmt::format("In {}, {} leads to {}, where a rule is satisfied at once, in {}.",
                     model.states[unstable.state].name, model.rules[unstable.rule].name,
                     model.states[unstable.to].name, situations_text(unstable.situations));
}

std::string overlap_text(const Model& model, const check::Overlap& overlap) {
  const RuleId both[] = {overlap.first, overlap.second};
  return fmt::format(
      "In {}, {} can be triggered at once, {}, in {}.", model.states[overlap.state].name,
      links(model, both),
      overlap.harmless ? "and the same happens whichever fires" : "and chance decides",
      situations_text(overlap.situations));
}

// ---- Places ----

// A file as the user named it: relative to the folder in which the program was started, unless its
// path is absolute. `index` is its place in `artifacts`.
std::string artifact_location(std::string_view file, std::size_t index) {
  json::Object object;
  object.add_text("uri", file_uri(file));
  if (!file.starts_with('/')) object.add_text("uriBaseId", "%SRCROOT%");
  object.add_number("index", index);
  return object.json();
}

std::string artifact(const std::string& location, std::optional<std::string> properties) {
  json::Object object;
  object.add("location", location);
  object.add("roles", R"(["analysisTarget"])");
  if (properties) object.add("properties", *properties);
  return object.json();
}

std::string physical_location(const std::string& artifact, const std::string& region) {
  json::Object object;
  object.add("artifactLocation", artifact);
  if (!region.empty()) object.add("region", region);
  return object.json();
}

// From a position to the end of its line (SARIF's default for a region without an end).
std::string region_at(Position at) {
  json::Object object;
  object.add_number("startLine", at.line);
  object.add_number("startColumn", at.column);
  return object.json();
}

std::string region_of(const LineIndex& lines, Span span) {
  const Position begin = lines.position(span.begin);
  const Position end = lines.position(span.end);
  json::Object object;
  object.add_number("startLine", begin.line);
  object.add_number("startColumn", begin.column);
  object.add_number("endLine", end.line);
  object.add_number("endColumn", end.column);
  return object.json();
}

// ---- Results ----

// A model, and what every one of its results needs.
struct Subject {
  const Model& model;
  std::string artifact;   // its artifactLocation, as JSON
  std::size_t namesakes;  // models of the same name before it
};

std::string logical_state(const Model& model, StateId state) {
  const std::string& name = model.states[state].name;
  json::Object object;
  object.add_text("name", name);
  object.add_text("fullyQualifiedName", model.name + "::" + name);
  object.add_text("kind", "state");
  return object.json();
}

std::string logical_rule(const Model& model, StateId state, RuleId rule) {
  const std::string& name = model.rules[rule].name;
  json::Object object;
  object.add_text("name", name);
  object.add_text("fullyQualifiedName",
                  fmt::format("{}::{}::{}", model.name, model.states[state].name, name));
  object.add_text("kind", "rule");
  return object.json();
}

// A rule of a state, or the state itself.
struct Place {
  StateId state;
  std::optional<RuleId> rule;
};

void add_place(json::Object& location, const Subject& subject, const Place& place) {
  const Model& model = subject.model;
  std::vector<std::string> logical = {logical_state(model, place.state)};
  if (place.rule) logical.push_back(logical_rule(model, place.state, *place.rule));
  const Position at = place.rule ? model.rules[*place.rule].at : model.states[place.state].at;
  location.add("physicalLocation", physical_location(subject.artifact, region_at(at)));
  location.add("logicalLocations", json::list(logical));
}

std::string location_of(const Subject& subject, const Place& place) {
  json::Object location;
  add_place(location, subject, place);
  return location.json();
}

std::string location_of(const Subject& subject, const Place& place, const std::string& text) {
  json::Object location;
  add_place(location, subject, place);
  location.add("message", message(text));
  return location.json();
}

// The rules that a message links to, numbered from 1, each with what it does.
std::string related_locations(const Subject& subject, StateId state, std::span<const RuleId> rules,
                              std::string_view role) {
  const Model& model = subject.model;
  std::vector<std::string> locations;
  for (const RuleId rule : rules) {
    json::Object location;
    location.add_number("id", locations.size() + 1);
    add_place(location, subject, {.state = state, .rule = rule});
    location.add("message", message(fmt::format("{} {}", model.rules[rule].name, role)));
    locations.push_back(location.json());
  }
  return json::list(locations);
}

void add_related(json::Object& result, const Subject& subject, const Fault& fault) {
  const auto add = [&](std::span<const RuleId> rules, std::string_view role) {
    if (rules.empty()) return;
    result.add("relatedLocations", related_locations(subject, fault.state, rules, role));
  };
  switch (fault.kind) {
    case FaultKind::Nondeterminism: add(fault.rules, "is triggered"); break;
    case FaultKind::DeadRule: add(fault.by, "wins"); break;
    case FaultKind::DeadState: add(subject.model.states[fault.state].rules, "is dead"); break;
    case FaultKind::UnreachableState:
    case FaultKind::Race:
    case FaultKind::Cycle: break;
  }
}

// One step for each firing; those that a cycle repeats are nested one level deeper.
std::string code_flow(const Subject& subject, const Fault& fault) {
  const Model& model = subject.model;
  std::vector<std::string> steps;
  StateId from = fault.state;
  for (std::size_t i = 0; i < fault.rules.size(); ++i) {
    const model::Rule& rule = model.rules[fault.rules[i]];
    const bool in_loop = fault.kind == FaultKind::Cycle && i >= fault.loop;
    std::string text = fmt::format("{} leads from {} to {}", rule.name, model.states[from].name,
                                   model.states[rule.to].name);
    if (in_loop && i == fault.loop) text += "; the loop starts here";
    if (in_loop && i + 1 == fault.rules.size()) text += "; and so on without end";
    json::Object step;
    step.add("location", location_of(subject, {.state = from, .rule = fault.rules[i]}, text));
    if (in_loop) step.add("kinds", R"(["loop"])");
    step.add_number("nestingLevel", in_loop ? 1 : 0);
    step.add_number("executionOrder", i + 1);
    step.add_text("importance", "essential");
    steps.push_back(step.json());
    from = rule.to;
  }
  return fmt::format(R"([{{"threadFlows": [{{"locations": {}}}]}}])", json::list(steps));
}

struct Identity {
  std::size_t rule;  // index in sarif_rules()
  std::string fingerprint;
  SarifVerb verb = SarifVerb::Check;
  std::string_view level = {};  // empty: that of the rule
};

json::Object result_of(const Identity& identity, std::string_view text,
                       const std::string& location) {
  const SarifRule& rule = sarif_rules(identity.verb)[identity.rule];
  json::Object fingerprints;
  fingerprints.add_text("poiseFault/v1", identity.fingerprint);
  json::Object result;
  result.add_text("ruleId", rule.id);
  result.add_number("ruleIndex", identity.rule);
  result.add_text("level", identity.level.empty() ? rule.level : identity.level);
  result.add("message", message(text));
  result.add("locations", "[" + location + "]");
  result.add("partialFingerprints", fingerprints.json());
  return result;
}

json::Object result_of(const Subject& subject, const Identity& identity, std::string_view text,
                       const Place& place) {
  return result_of(identity, text, location_of(subject, place));
}

// `rank` is how much a result matters, from 0 to 100.
std::string result_of(const Subject& subject, const Fault& fault,
                      std::optional<double> rank = std::nullopt) {
  const Model& model = subject.model;
  Place place{.state = fault.state, .rule = std::nullopt};
  if (!fault.rules.empty()) place.rule = fault.rules.front();
  json::Object result = result_of(
      subject,
      {.rule = sarif_index(fault.kind),
       .fingerprint = fingerprint(model, fault, subject.namesakes),
       .level = fault.harmless ? "note" : ""},
      fault_text(model, fault) + assumption_text(model, finding::assumed_free(model, fault)),
      place);
  if (rank) result.add("rank", fmt::format("{:.12g}", *rank));
  add_related(result, subject, fault);
  if (fault.kind == FaultKind::Race || fault.kind == FaultKind::Cycle) {
    result.add("codeFlows", code_flow(subject, fault));
  }
  json::Object properties;
  properties.add_text("model", model.name);
  properties.add_text("state", model.states[fault.state].name);
  add_facts(properties, model, fault);
  result.add("properties", properties.json());
  return result.json();
}

std::string result_of(const Subject& subject, const check::Unstable& unstable) {
  const Model& model = subject.model;
  json::Object result = result_of(
      subject, {sarif_index_of_unstable(), fingerprint(model, unstable, subject.namesakes)},
      unstable_text(model, unstable) +
          assumption_text(model, finding::assumed_free(model, unstable.rule)),
      {.state = unstable.state, .rule = unstable.rule});
  json::Object properties;
  properties.add_text("model", model.name);
  properties.add_text("state", model.states[unstable.state].name);
  properties.add_text("to", model.states[unstable.to].name);
  properties.add_figure("situations", unstable.situations);
  result.add("properties", properties.json());
  return result.json();
}

std::string result_of(const Subject& subject, const check::Overlap& overlap) {
  const Model& model = subject.model;
  const std::string& state = model.states[overlap.state].name;
  const RuleId both[] = {overlap.first, overlap.second};
  const Identity identity{
      .rule = sarif_index_of_overlaps(),
      .fingerprint = fingerprint(
          model, {"overlap", state, model.rules[both[0]].name, model.rules[both[1]].name},
          subject.namesakes),
      .level = overlap.harmless ? "note" : ""};
  json::Object result =
      result_of(subject, identity,
                overlap_text(model, overlap) +
                    assumption_text(model, finding::assumed_free(model, choice_of(overlap))),
                {.state = overlap.state, .rule = overlap.first});
  result.add("relatedLocations",
             related_locations(subject, overlap.state, both, "can be triggered"));
  json::Object properties;
  properties.add_text("model", model.name);
  properties.add_text("state", state);
  properties.add_figure("situations", overlap.situations);
  result.add("properties", properties.json());
  return result.json();
}

// ---- Hazards ----

std::string result_of(const Subject& subject, const verify::Hazard& hazard) {
  const Model& model = subject.model;
  const std::string& failure = model.world.failures[hazard.failure].name;
  const std::string& state = model.states[hazard.state].name;
  const std::string& rule = model.rules[hazard.rule].name;
  const std::string action = act_words(model, hazard.rule, hazard.act);
  const std::string text =
      fmt::format("{} after {} of {} in {}, first with {}: {}.", failure, action, rule, state,
                  steps_text(hazard.first, hazard.first_exact),
                  drawn_path(model, model.initial, hazard.shortest, kRoom, diag::Color::No));
  const Identity identity{
      0,
      fingerprint(model, {"hazard", state, rule, fmt::format("{}", hazard.act), failure},
                  subject.namesakes),
      SarifVerb::Verify};
  json::Object result =
      result_of(subject, identity, text, {.state = hazard.state, .rule = hazard.rule});
  // A race has the same shape: a run that ends.
  const Fault path{.kind = FaultKind::Race, .state = model.initial, .rules = hazard.shortest};
  result.add("codeFlows", code_flow(subject, path));
  json::Object properties;
  properties.add_text("model", model.name);
  properties.add_text("state", state);
  properties.add_text("failure", failure);
  properties.add_text("action", act_name(model, hazard.rule, hazard.act));
  properties.add_number("first", hazard.first);
  properties.add("first_exact", hazard.first_exact ? "true" : "false");
  if (hazard.probability) {
    properties.add("probability", figure_down(hazard.probability->value, 6));
    properties.add("at_most", figure_up(hazard.probability->at_most, 6));
  }
  result.add("properties", properties.json());
  return result.json();
}

// ---- Failures of policies, and mutants ----

std::string location_at(const Subject& subject, const std::optional<Position>& at) {
  json::Object location;
  location.add("physicalLocation",
               physical_location(subject.artifact, at ? region_at(*at) : std::string()));
  return location.json();
}

std::string heading(const shake::Failing& failing) {
  switch (failing.kind) {
    case shake::Failing::Kind::Expectation: return fmt::format("`{}` is broken", failing.name);
    case shake::Failing::Kind::Range: return "A variant leaves its range";
    case shake::Failing::Kind::Difference: return fmt::format("Differs from {}", failing.name);
    case shake::Failing::Kind::Ended: return "The program fails";
  }
  return "";
}

std::string result_of(const Subject& subject, const shake::Report& report,
                      const shake::Failing& failing) {
  const auto rule = static_cast<std::size_t>(failing.kind);
  const std::string_view id = sarif_rules(SarifVerb::Shake)[rule].id;
  const std::string text =
      fmt::format("{}: {}. The smallest flow that shows it has {}.", heading(failing), failing.text,
                  counted(failing.smallest.size(), "tick"));
  const Identity identity{
      rule, fingerprint(subject.model, {std::string(id), failing.name}, subject.namesakes),
      SarifVerb::Shake};
  json::Object result = result_of(identity, text, location_at(subject, failing.at));
  json::Object properties;
  properties.add_text("model", subject.model.name);
  properties.add_number("flows", failing.flows);
  properties.add_number("kept", failing.kept);
  properties.add("smallest", json_flow(report.grid, failing.smallest));
  result.add("properties", properties.json());
  return result.json();
}

// `same` is the number of earlier mutants with the same group and description; it keeps their
// fingerprints apart.
std::string result_of(const Subject& subject, const shake::Report& report,
                      const shake::MutantResult& mutant, std::size_t same) {
  const std::string text = fmt::format(
      "No flow notices this: {}. {}", mutant.description,
      mutant.shortest ? fmt::format("One of {} would.", counted(mutant.shortest->size(), "tick"))
                      : "Whether any flow would is not known.");
  const Identity identity{
      sarif_rules(SarifVerb::Shake).size() - 1,
      fingerprint(subject.model,
                  {"surviving-mutant", mutant.group, mutant.description, fmt::format("{}", same)},
                  subject.namesakes),
      SarifVerb::Shake};
  json::Object result = result_of(identity, text, location_at(subject, mutant.at));
  json::Object properties;
  properties.add_text("model", subject.model.name);
  properties.add_text("id", mutant.id);
  properties.add_text("group", mutant.group);
  if (mutant.shortest) properties.add("shortest", json_flow(report.grid, *mutant.shortest));
  result.add("properties", properties.json());
  return result.json();
}

// ---- Notifications ----

enum class Level { Note, Warning, Error };

std::string_view name(Level level) {
  switch (level) {
    case Level::Note: return "note";
    case Level::Warning: return "warning";
    case Level::Error: return "error";
  }
  return "";
}

std::string notification(Level level, std::string_view text, const std::string& artifact,
                         const std::string& region = "", std::string_view code = "") {
  json::Object object;
  if (!code.empty()) {
    json::Object descriptor;
    descriptor.add_text("id", code);
    object.add("descriptor", descriptor.json());
  }
  object.add_text("level", name(level));
  object.add("message", message(text));
  object.add("locations",
             fmt::format(R"([{{"physicalLocation": {}}}])", physical_location(artifact, region)));
  return object.json();
}

std::string unlisted_text(const Model& model, const check::Report& report) {
  std::vector<std::string> kinds;
  if (report.more_choices) kinds.emplace_back("nondeterministic choices");
  if (report.more_races) kinds.emplace_back("races");
  if (report.more_cycles) kinds.emplace_back("cycles");
  return fmt::format("{} has more {} than are listed; --paths says how many to list.", model.name,
                     enumerated(kinds));
}

}  // namespace

SarifLog::Begun SarifLog::begun(const Model& model, bool complete, const std::string& stopped) {
  Begun begun{artifact_location(model.file, artifacts_.size()), names_[model.name]++};
  json::Object properties;
  properties.add_text("model", model.name);
  properties.add("complete", json::boolean(complete));
  artifacts_.push_back(artifact(begun.artifact, properties.json()));
  if (!stopped.empty()) {
    notifications_.push_back(notification(
        Level::Warning,
        fmt::format("A limit ended the search in {}: {}. What is listed is true; that something is "
                    "not listed proves nothing.",
                    model.name, stopped),
        begun.artifact));
  }
  return begun;
}

void SarifLog::add(const Model& model, const Fault& fault, std::string result) {
  if (!finding::assumed_free(model, fault).empty()) assuming_.insert(sarif_index(fault.kind));
  results_.push_back(std::move(result));
}

void SarifLog::add(const Model& model, const rank::Report& report) {
  const auto [artifact, namesakes] = begun(model, report.extent.complete, report.extent.stopped);
  const Subject subject{.model = model, .artifact = artifact, .namesakes = namesakes};
  std::set<std::uint32_t> listed;
  for (const rank::Ranked& ranked : report.ranked) {
    if (ranked.verdict == rank::Verdict::Rejected) continue;
    if (!listed.insert(report.cases[ranked.the_case].fault).second) continue;
    const Fault fault = as_fault(report, ranked.the_case);
    add(model, fault, result_of(subject, fault, 100 * ranked.probability));
  }
}

void SarifLog::add(const Model& model, const check::Report& report) {
  const auto [artifact, namesakes] = begun(model, report.extent.complete, report.extent.stopped);
  const Subject subject{.model = model, .artifact = artifact, .namesakes = namesakes};
  if (report.more_choices || report.more_races || report.more_cycles) {
    notifications_.push_back(
        notification(Level::Note, unlisted_text(model, report), subject.artifact));
  }
  for (const Fault& fault : report.faults) add(model, fault, result_of(subject, fault));
  if (options_.overlaps == Overlaps::AreResults) {
    for (const check::Overlap& overlap : report.overlaps) {
      if (!overlap.asked_for) continue;
      const bool free = !finding::assumed_free(model, choice_of(overlap)).empty();
      if (free) assuming_.insert(sarif_index_of_overlaps());
      results_.push_back(result_of(subject, overlap));
    }
  }
  if (options_.unstable == UnstableRules::AreResults) {
    for (const check::Unstable& entry : report.unstable) {
      const bool free = !finding::assumed_free(model, entry.rule).empty();
      if (free) assuming_.insert(sarif_index_of_unstable());
      results_.push_back(result_of(subject, entry));
    }
  }
}

void SarifLog::add(const Model& model, const verify::Report& report) {
  const bool complete = report.verdict != verify::Verdict::Unknown && report.extent.stopped.empty();
  const auto [artifact, namesakes] = begun(model, complete, report.extent.stopped);
  const Subject subject{.model = model, .artifact = artifact, .namesakes = namesakes};
  if (report.verdict == verify::Verdict::Unknown && report.extent.stopped.empty()) {
    notifications_.push_back(
        notification(Level::Warning,
                     fmt::format("Whether {} is safe is not known: {}.", model.name, report.reason),
                     subject.artifact));
  }
  for (const verify::Hazard& hazard : report.hazards) {
    results_.push_back(result_of(subject, hazard));
  }
}

void SarifLog::add(const Model& model, const shake::Report& report) {
  const auto [artifact, namesakes] = begun(model, report.extent.complete, report.extent.stopped);
  const Subject subject{.model = model, .artifact = artifact, .namesakes = namesakes};
  for (const shake::Failing& failing : report.failures) {
    results_.push_back(result_of(subject, report, failing));
  }
  for (const shake::Judging& judging : report.expectations) {
    if (judging.judged > 0) continue;
    notifications_.push_back(
        notification(Level::Warning,
                     fmt::format("`{}` was never judged: {}.",
                                 model.policy.expectations[judging.expectation].name,
                                 why_not_judged(model, report, judging)),
                     subject.artifact));
  }
  if (!report.mutation) return;
  std::map<std::pair<std::string, std::string>, std::size_t> same;
  for (const shake::MutantResult& mutant : report.mutation->mutants) {
    const bool alive = mutant.status == shake::MutantResult::Status::Survived ||
                       mutant.status == shake::MutantResult::Status::Killable;
    if (!alive) continue;
    const std::size_t before = same[{mutant.group, mutant.description}]++;
    results_.push_back(result_of(subject, report, mutant, before));
  }
}

void SarifLog::add(const Source& source, const diag::Diagnostics& diagnostics) {
  successful_ = false;
  const std::string location = artifact_location(source.name, artifacts_.size());
  artifacts_.push_back(artifact(location, std::nullopt));
  const LineIndex lines(source.text);
  const std::size_t told = std::min(diagnostics.size(), diag::kMaxShown);
  for (const diag::Diagnostic& diagnostic : std::span(diagnostics).first(told)) {
    const std::string text = diagnostic.hint.empty()
                                 ? diagnostic.message
                                 : fmt::format("{} ({})", diagnostic.message, diagnostic.hint);
    notifications_.push_back(notification(Level::Error, text, location,
                                          region_of(lines, diagnostic.span),
                                          diag::info(diagnostic.code).code));
  }
  if (diagnostics.size() > told) {
    notifications_.push_back(notification(
        Level::Error, "… and " + counted(diagnostics.size() - told, "more error"), location));
  }
}

void SarifLog::add_unreadable(std::string_view file, std::string_view message) {
  successful_ = false;
  const std::string location = artifact_location(file, artifacts_.size());
  artifacts_.push_back(artifact(location, std::nullopt));
  notifications_.push_back(notification(Level::Error, message, location));
}

void SarifLog::write(const Sink& sink) const {
  std::vector<std::string> rules;
  for (const SarifRule& rule : sarif_rules(options_.verb)) {
    const bool assuming = assuming_.contains(rules.size());
    rules.push_back(sarif_json(rule, assuming ? SarifPrecision::High : SarifPrecision::VeryHigh));
  }

  std::string json = R"({
  "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
  "version": "2.1.0",
  "runs": [{
)";
  json += fmt::format(
      "    \"tool\": {{\"driver\": {{\"name\": \"poise\", \"version\": {}, \"rules\": {}}}}},\n",
      json::quoted(options_.version), json::lines(rules, 6));
  json += fmt::format(
      "    \"invocations\": [{{\"executionSuccessful\": {}, \"toolExecutionNotifications\": "
      "{}}}],\n",
      json::boolean(successful_), json::lines(notifications_, 6));
  json +=
      "    \"originalUriBaseIds\": {\"%SRCROOT%\": "
      "{\"description\": {\"text\": \"The folder in which poise was started.\"}}},\n"
      "    \"columnKind\": \"unicodeCodePoints\",\n"
      "    \"defaultEncoding\": \"utf-8\",\n";
  json += fmt::format("    \"artifacts\": {},\n", json::lines(artifacts_, 6));
  json += "    \"results\": [";
  sink(json);
  std::string_view before = "\n      ";
  for (const std::string& result : results_) {
    sink(before);
    sink(result);
    before = ",\n      ";
  }
  sink(results_.empty() ? "]\n  }]\n}\n" : "\n    ]\n  }]\n}\n");
}

std::string SarifLog::json() const {
  std::string json;
  write([&](std::string_view piece) { json += piece; });
  return json;
}

}  // namespace poise::report
