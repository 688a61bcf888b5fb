#pragma once

// What `check` answers, as plain data.

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
  std::optional<Integer> situations;  // feasible truth assignments; none if they were not counted
};

// The compact form of races and cycles: in some feasible context, firing the rule in the state
// leads to a state where a rule is satisfied at once.
struct Unstable {
  model::StateId state;
  model::RuleId rule;
  model::StateId to;
  Integer situations;
};

struct Report {
  Size size;
  Engine engine = Engine::Reference;  // the one that did the work
  Extent extent;  // not complete: there are more races or cycles, or a limit ended the run
  bool more_races = false;  // there are races beyond those listed
  bool more_cycles = false;
  std::vector<Unstable> unstable;      // always whole, unless stopped
  std::vector<finding::Fault> faults;  // by kind, then by length, state and rules
};

}  // namespace poise::check
