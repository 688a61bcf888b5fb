#pragma once

// What an engine finds out, before it is put into words: which faults there are and in how many
// situations. check.cpp picks what is to be shown, explain.cpp says when each occurs.

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

struct Choice {
  std::vector<model::RuleId> rules;  // exactly these are triggered together
  Integer situations;
};

// Whether a rule of a state holds somewhere, and wins somewhere.
struct Life {
  bool satisfied = false;
  bool triggered = false;
  std::vector<model::RuleId> by;  // satisfied but never triggered: who wins instead
};

struct StateFindings {
  std::vector<Choice> nondeterminism;
  std::vector<Life> lives;                                  // as the state lists its rules
  std::vector<std::pair<std::uint32_t, Integer>> unstable;  // a rule, by index, and its situations
  std::string stopped;                                      // why the rest is not known
};

// Why the rules of a state are too many to be compared with each other; empty if they are not.
[[nodiscard]] std::string too_many_rules(const Prepared& prepared, model::StateId state);

// Adds a set of rules, by index in their state; false if there are more than can be listed.
// `situations` says in how many situations over some atoms.
[[nodiscard]] bool add_choice(StateFindings& findings, const Prepared& prepared,
                              model::StateId state, const Level& rules,
                              const std::function<Integer(const Atoms&)>& situations);

struct PathFinding {
  finding::FaultKind kind;
  model::StateId state;
  std::vector<model::RuleId> rules;
  std::size_t loop = 0;
  Integer situations;
};

struct PathFindings {
  std::vector<PathFinding> races;  // in the order of reports
  std::vector<PathFinding> cycles;
  bool more_races = false;
  bool more_cycles = false;
  std::string stopped;
  bool is_long = false;  // stopped because there was too much to look at, for any engine
};

// Why a search for paths ended that knows all paths up to a length.
[[nodiscard]] std::string cut_short(std::size_t length, std::size_t prefixes);

// The states that live rules lead to, from the initial one on.
[[nodiscard]] std::vector<bool> reachable_states(const model::Model& model,
                                                 const std::vector<StateFindings>& states);

}  // namespace poise::check
