#pragma once

// The report of `check`, as plain data.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/extent.h"
#include "poise/base/integer.h"
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

struct Report {
  Size size;
  Engine engine = Engine::Reference;  // the one that did the work, never Auto
  Extent extent;  // not complete: there are more races or cycles, or a limit ended the run
  bool more_races = false;  // there are races beyond those listed
  bool more_cycles = false;
  std::vector<Unstable> unstable;      // all of them, whatever the options, unless stopped
  std::vector<finding::Fault> faults;  // by kind, then by length, state and rules
};

}  // namespace poise::check
