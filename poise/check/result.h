#pragma once

// The report of `check`, as plain data.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/extent.h"
#include "poise/base/integer.h"
#include "poise/finding/cure.h"
#include "poise/finding/finding.h"
#include "poise/model/model.h"

namespace poise::check {

enum class Engine { Auto, Enumerative, Symbolic, Hybrid, Reference };

[[nodiscard]] std::string_view name(Engine engine);

struct Size {
  std::size_t states = 0;
  std::size_t rules = 0;  // pairs of a rule and one of its source states
  std::size_t atoms = 0;
  std::optional<Integer> situations;  // feasible truth assignments to all atoms; none: not counted
};

// An unstable rule, the compact form of races and cycles: in some feasible context, firing the rule
// leads to a state in which a rule is satisfied at once. A model can have more paths than anyone
// can read, but never more unstable rules than rules.
struct Unstable {
  model::StateId state;
  model::RuleId rule;
  model::StateId to;
  Integer situations;  // in which that happens
};

// Two rules of one state that are triggered together in some feasible context, whatever other rules
// are: the compact form of nondeterminism. A state can have more sets of rules that compete than
// anyone can read, but never more overlaps than pairs of rules.
struct Overlap {
  model::StateId state;
  model::RuleId first;  // declared before the second
  model::RuleId second;
  Integer situations;      // in which both are triggered
  bool harmless = false;   // whichever fires, the same happens (finding::deeds)
  bool asked_for = false;  // whether the options ask for its choices; the list is always whole
};

// The choice between its two rules, as a fault that is not explained.
[[nodiscard]] inline finding::Fault choice_of(const Overlap& overlap) {
  finding::Fault choice{};
  choice.kind = finding::FaultKind::Nondeterminism;
  choice.state = overlap.state;
  choice.rules = {overlap.first, overlap.second};
  choice.situations = overlap.situations;
  return choice;
}

struct Report {
  Size size;
  Engine engine = Engine::Reference;  // the one that did the work, never Auto
  Extent extent;  // not complete: there are more faults of some kind, or a limit ended the run
  bool more_choices = false;  // there is nondeterminism beyond what is listed
  bool more_races = false;
  bool more_cycles = false;
  std::vector<Unstable> unstable;      // all of them, whatever the options, unless stopped
  std::vector<Overlap> overlaps;       // likewise
  std::vector<finding::Fault> faults;  // by kind, then by length, state and rules
  std::vector<bool> reachable;         // by state; empty if some state could not be analysed
  // Cures of the faults that a text report shows, in its order; if Options::cures asks for them.
  std::vector<finding::Treatment> treatments;
};

}  // namespace poise::check
