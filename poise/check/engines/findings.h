#pragma once

// The raw result of an engine: which faults there are, and in how many situations. check.cpp picks
// those that are to be shown, explain.cpp adds conditions and witnesses.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "poise/base/integer.h"
#include "poise/check/engines/prepared.h"
#include "poise/finding/finding.h"
#include "poise/model/model.h"

namespace poise::check {

// Nondeterminism: in some situations exactly these rules of a state are triggered.
struct Choice {
  model::StateId state;
  std::vector<model::RuleId> rules;
  Integer situations;
};

struct ChoiceFindings {
  std::vector<Choice> choices;  // in the order of reports: by number of rules, state, rules
  bool more = false;            // there are others behind these
  std::string stopped;
};

// Two rules of a state, by index, that are triggered together in some situations, whatever else is.
struct Pair {
  std::uint32_t first;
  std::uint32_t second;
  Integer situations;
};

// Whether a rule of a state is satisfied, and triggered, in some feasible context. A rule that is
// never triggered is dead.
struct Life {
  bool satisfied = false;
  bool triggered = false;
  std::vector<model::RuleId> by;  // of a rule that is satisfied and dead: the rules that shadow it
};

struct StateFindings {
  std::vector<Pair> overlaps;                               // by first rule, then second
  std::vector<Life> lives;                                  // by index of the state's rules
  std::vector<std::pair<std::uint32_t, Integer>> unstable;  // index of a rule, and its situations
  std::string stopped;  // why the analysis of this state is unfinished; empty if it is finished
};

// A message if the state has too many rules to compare them with each other; else empty.
[[nodiscard]] std::string too_many_rules(const Prepared& prepared, model::StateId state);

// Whether a choice between these rules is harmless, from finding::deeds().
[[nodiscard]] bool is_harmless(std::span<const std::uint32_t> deeds,
                               const std::vector<model::RuleId>& rules);

// Overlap::asked_for. `reachable`: whether its state is.
[[nodiscard]] bool is_asked_for(const Options& options, const Overlap& overlap, bool reachable);

// How many sets of rules that compete are listed.
[[nodiscard]] inline std::size_t most_choices(const Options& options) {
  return options.paths.value_or(kMaxChoices);
}
// A message for a model that has more of them than can be listed.
[[nodiscard]] std::string too_many_choices();

// A message for a state with more than kMaxOverlaps pairs.
[[nodiscard]] std::string too_many_overlaps(const model::State& state);

// Adds a pair of rules, given by index in their state. Returns false, and notes it in `findings`,
// if the state has more of them than are listed. `situations` counts the situations over the given
// atoms; which atoms these are depends on Options::count. It gives 0 if the engine gave up.
// `budget` is looked at for each pair, because there can be many, each of them quick.
[[nodiscard]] bool add_overlap(StateFindings& findings, const Prepared& prepared, Budget& budget,
                               model::StateId state, std::uint32_t first, std::uint32_t second,
                               const std::function<Integer(const Atoms&)>& situations);

// A race or a cycle.
struct PathFinding {
  finding::FaultKind kind;
  model::StateId state;              // where the run starts
  std::vector<model::RuleId> rules;  // that fire, in order
  std::size_t loop = 0;              // of a cycle: index in `rules` where the loop starts
  Integer situations;
};

struct PathFindings {
  std::vector<PathFinding> races;  // in the order of reports
  std::vector<PathFinding> cycles;
  bool more_races = false;
  bool more_cycles = false;
  std::string stopped;
  bool is_long = false;  // stopped by kMaxPrefixes, where every engine would stop
};

// The message of a search that ended after so many prefixes, with all paths up to a length known.
[[nodiscard]] std::string cut_short(std::size_t length, std::size_t prefixes);

// The states, by index, to which chains of live rules lead from the initial one.
[[nodiscard]] std::vector<bool> reachable_states(const model::Model& model,
                                                 const std::vector<StateFindings>& states);

}  // namespace poise::check
