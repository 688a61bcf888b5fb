#include "poise/check/check.h"

#include <algorithm>
#include <optional>
#include <string>

#include "poise/check/cures/cures.h"
#include "poise/check/engines/engines.h"
#include "poise/check/engines/prepared.h"
#include "poise/check/engines/propositional.h"
#include "poise/check/engines/reference.h"
#include "poise/check/explain.h"
#include "poise/check/size.h"
#include "poise/model/latest.h"

namespace poise::check {

namespace {

using finding::Fault;
using finding::FaultKind;
using model::RuleId;
using model::StateId;

Fault new_fault(FaultKind kind, StateId state, std::vector<RuleId> rules) {
  Fault fault{};
  fault.kind = kind;
  fault.state = state;
  fault.rules = std::move(rules);
  return fault;
}

// Turns the findings of an engine into faults, in the order of reports, and leaves out those that
// were not asked for. Moves the paths out of the findings, because there can be many.
class Assembly {
 public:
  Assembly(const Prepared& prepared, Findings& findings)
      : prepared_(prepared), findings_(findings) {}

  std::vector<Fault> faults() {
    const std::vector<StateFindings>& states = findings_.states;
    for (Choice& choice : findings_.choices.choices) {
      Fault fault = new_fault(FaultKind::Nondeterminism, choice.state, std::move(choice.rules));
      fault.situations = std::move(choice.situations);
      fault.harmless = is_harmless(prepared_.deeds, fault.rules);
      add(std::move(fault));
    }
    add_dead_rules();
    for (const StateId state : prepared_.model.states.ids()) {
      const std::vector<Life>& lives = states[state.index].lives;
      const bool known = states[state.index].stopped.empty() && !lives.empty();
      const auto dead = [](const Life& life) { return !life.triggered; };
      if (known && std::ranges::all_of(lives, dead)) {
        add(new_fault(FaultKind::DeadState, state, {}));
      }
    }
    if (is_whole()) {
      for (const StateId state : prepared_.model.states.ids()) {
        if (findings_.reachable[state.index]) continue;
        add(new_fault(FaultKind::UnreachableState, state, {}));
      }
    }
    faults_.reserve(faults_.size() + findings_.paths.races.size() + findings_.paths.cycles.size());
    for (PathFinding& path : findings_.paths.races) add(std::move(path));
    for (PathFinding& path : findings_.paths.cycles) add(std::move(path));
    return std::move(faults_);
  }

 private:
  // Whether every state was analysed. If one was not, no state is called unreachable: a rule of
  // the skipped state may lead to it.
  [[nodiscard]] bool is_whole() const {
    return std::ranges::all_of(findings_.states,
                               [](const StateFindings& state) { return state.stopped.empty(); });
  }

  void add_dead_rules() {
    for (const StateId state : prepared_.model.states.ids()) {
      const StateFindings& findings = findings_.states[state.index];
      const std::vector<RuleId>& rules = prepared_.model.states[state].rules;
      if (!findings.stopped.empty()) continue;
      for (std::size_t i = 0; i < findings.lives.size(); ++i) {
        if (findings.lives[i].triggered) continue;
        Fault fault = new_fault(FaultKind::DeadRule, state, {rules[i]});
        if (findings.lives[i].satisfied) fault.cause = finding::DeadCause::Shadowed;
        fault.by = findings.lives[i].by;
        add(std::move(fault));
      }
    }
  }

  void add(PathFinding path) {
    Fault fault = new_fault(path.kind, path.state, std::move(path.rules));
    fault.situations = std::move(path.situations);
    fault.loop = path.loop;
    if (path.kind == FaultKind::Race) fault.ends = prepared_.model.rules[fault.rules.back()].to;
    add(std::move(fault));
  }

  void add(Fault fault) {
    fault.reachable = findings_.reachable[fault.state.index];
    const bool shown = prepared_.options.show == Show::All || fault.reachable ||
                       fault.kind == FaultKind::UnreachableState;
    if (shown && asks_for(prepared_.options, fault.kind)) faults_.push_back(std::move(fault));
  }

  const Prepared& prepared_;
  Findings& findings_;
  std::vector<Fault> faults_;
};

// The compact lists, unstable rules and overlaps, of one state.
void add_compact(const Prepared& prepared, const Findings& findings, StateId state,
                 Report& report) {
  const std::vector<RuleId>& rules = prepared.model.states[state].rules;
  const StateFindings& found = findings.states[state.index];
  for (const auto& [rule, count] : found.unstable) {
    report.unstable.push_back({state, rules[rule], prepared.model.rules[rules[rule]].to, count});
  }
  for (const Pair& pair : found.overlaps) {
    const RuleId first = rules[pair.first];
    const RuleId second = rules[pair.second];
    Overlap overlap{.state = state,
                    .first = first,
                    .second = second,
                    .situations = pair.situations,
                    .harmless = is_harmless(prepared.deeds, {first, second})};
    overlap.asked_for = is_asked_for(prepared.options, overlap, findings.reachable[state.index]);
    report.overlaps.push_back(std::move(overlap));
  }
}

// Of which kinds there are more faults than the engine was to list.
void add_more(const Prepared& prepared, const Findings& findings, Report& report) {
  const Options& options = prepared.options;
  report.more_choices = findings.choices.more;
  report.more_races = findings.paths.more_races;
  report.more_cycles = findings.paths.more_cycles;
  if (options.paths != 0U) return;
  // An unstable rule begins a race or a cycle. Which of the two only a run tells, and none is
  // followed here; so both are said to have more.
  const std::vector<bool> starts = start_states(prepared, findings.reachable);
  const bool some = std::ranges::any_of(
      report.unstable, [&](const Unstable& unstable) { return starts[unstable.state.index]; });
  report.more_races = some && asks_for(options, FaultKind::Race);
  report.more_cycles = some && asks_for(options, FaultKind::Cycle);
}

Findings found_by(Engine engine, const Prepared& prepared) {
  switch (engine) {
    case Engine::Symbolic: return symbolic(prepared);
    case Engine::Enumerative: return enumerative(prepared);
    case Engine::Auto:
    case Engine::Hybrid:
    case Engine::Reference: break;
  }
  return hybrid(prepared);
}

struct Outcome {
  Report report;
  bool gave_up = false;  // the engine stopped early, and another one might not
};

Outcome outcome_of(const model::Model& original, const model::Model& model,
                   const Options& options) {
  const Budget budget(options.limits);
  Outcome outcome;
  Report& report = outcome.report;
  report.engine = options.engine;
  report.size = {.states = model.states.size(),
                 .rules = model::rule_count(model),
                 .atoms = model::written_atoms(model).size(),
                 .situations = {}};
  const auto stop = [&](const std::string& why) {
    if (report.extent.stopped.empty()) report.extent.stopped = why;
  };
  Result<Prepared> prepared = Prepared::of(model, options, budget);
  if (!prepared) {
    stop(prepared.error().message);
    report.extent.complete = false;
    outcome.gave_up = true;
    return outcome;
  }
  report.size.situations = situations(*prepared);
  prepared->impossible = report.size.situations == Integer(0);
  prepared->deeds = finding::deeds(original);
  Findings findings = found_by(report.engine, *prepared);
  bool whole = true;  // every state was looked at to the end
  for (const StateId state : model.states.ids()) {
    const StateFindings& found = findings.states[state.index];
    if (!found.stopped.empty()) {
      stop(found.stopped);
      whole = false;
      // So many are too many for every engine.
      outcome.gave_up = outcome.gave_up || found.overlaps.size() < kMaxOverlaps;
    }
    add_compact(*prepared, findings, state, report);
  }
  if (!findings.choices.stopped.empty()) {
    stop(findings.choices.stopped);
    outcome.gave_up = true;
  }
  if (!findings.paths.stopped.empty()) {
    stop(findings.paths.stopped);
    outcome.gave_up = outcome.gave_up || !findings.paths.is_long;
  }
  add_more(*prepared, findings, report);
  if (report.more_choices && !options.paths) stop(too_many_choices());
  report.faults = Assembly(*prepared, findings).faults();
  if (whole && !outcome.gave_up) report.reachable = findings.reachable;
  if (const std::string open = explain(*prepared, original, report.faults); !open.empty()) {
    stop(open);
  }
  report.extent.complete = report.extent.stopped.empty() && !report.more_choices &&
                           !report.more_races && !report.more_cycles;
  return outcome;
}

// Hybrid is by far the fastest engine, unless it gives up. If it does without a limit of the user,
// the other engines are tried in turn; if none of them finishes, the first report is returned.
Outcome automatic(const model::Model& original, const model::Model& model, Options options) {
  options.engine = Engine::Hybrid;
  Outcome first = outcome_of(original, model, options);
  const bool limited = options.limits.time || options.limits.memory_bytes;
  // A larger model that defeats hybrid is too large for the other engines as well.
  constexpr std::size_t kMostAtoms = 1000;
  constexpr std::size_t kMostRules = 10'000;
  const bool large = model.atoms.size() > kMostAtoms || model.rules.size() > kMostRules;
  if (!first.gave_up || limited || large) return first;
  for (const Engine engine : {Engine::Enumerative, Engine::Symbolic}) {
    options.engine = engine;
    Outcome next = outcome_of(original, model, options);
    if (next.report.extent.stopped.empty()) return next;
  }
  options.engine = Engine::Reference;
  Report last = reference(original, options);
  if (last.extent.stopped.empty()) return {std::move(last), false};
  return first;
}

// `meant` is the propositional form of the model, or the model itself.
Report checked(const model::Model& model, const model::Model& meant, const Options& options) {
  const Budget budget(options.limits);
  Report report;
  switch (options.engine) {
    case Engine::Reference: report = reference(model, options); break;
    case Engine::Auto: report = automatic(model, meant, options).report; break;
    case Engine::Enumerative:
    case Engine::Symbolic:
    case Engine::Hybrid: report = outcome_of(model, meant, options).report; break;
  }
  if (options.cures == Cures::Sought) {
    report.treatments = treatments(meant, options, report, budget);
  }
  return report;
}

}  // namespace

std::string_view name(Engine engine) {
  switch (engine) {
    case Engine::Auto: return "auto";
    case Engine::Enumerative: return "enumerative";
    case Engine::Symbolic: return "symbolic";
    case Engine::Hybrid: return "hybrid";
    case Engine::Reference: return "reference";
  }
  return "";
}

std::vector<bool> start_states(const Prepared& prepared, const std::vector<bool>& reachable) {
  if (prepared.options.show == Show::Reachable) return reachable;
  return std::vector<bool>(reachable.size(), true);
}

Report run(const model::Model& model, const Options& options) {
  if (options.constraints == Constraints::Ignored) {
    return checked(model, propositional(model), options);
  }
  if (const auto more = model::with_latest_elements(model)) return checked(*more, *more, options);
  return checked(model, model, options);
}

}  // namespace poise::check
