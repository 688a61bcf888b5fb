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
  std::vector<model::RuleId> rules;
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
  std::vector<Choice> nondeterminism;
  std::vector<Life> lives;                                  // by index of the state's rules
  std::vector<std::pair<std::uint32_t, Integer>> unstable;  // index of a rule, and its situations
  std::string stopped;  // why the analysis of this state is unfinished; empty if it is finished
};

// A message if the state has too many rules to compare them with each other; else empty.
[[nodiscard]] std::string too_many_rules(const Prepared& prepared, model::StateId state);

// Adds a Choice between rules, given by index in their state. Returns false, and notes it in
// `findings`, if the state has more of them than are listed. `situations` counts the situations
// over the given atoms; which atoms these are depends on Options::count.
[[nodiscard]] bool add_choice(StateFindings& findings, const Prepared& prepared,
                              model::StateId state, const Level& rules,
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
