#pragma once

// What a run of `check` can be asked.

#include <cstddef>
#include <optional>
#include <vector>

#include "poise/base/budget.h"
#include "poise/check/result.h"
#include "poise/finding/finding.h"
#include "poise/model/step.h"

namespace poise::check {

// Over which atoms the situations of a fault are counted.
enum class Count {
  Visited,  // of the rules of the states it visits
  Rules,    // of the rules on its path
  Start,    // of the start state's rules and the rules on its path
  All,      // of the whole model
};

enum class Constraints {
  Respected,
  Ignored,  // neither constraints nor types: atoms are independent booleans, as in the papers
};

enum class Show { Reachable, All };

// Which faults are given a condition and a witness, where an engine works them out one by one. What
// is said of an example is the same either way.
enum class Explain {
  Everything,
  Examples,  // those of finding::examples(): all that a page for people shows
  Nothing,
};

// Faults of a state with more rules are not looked for, by any engine.
inline constexpr std::size_t kMaxRulesPerState = 1 << 14;

struct Options {
  Engine engine = Engine::Auto;
  Show show = Show::Reachable;           // All: faults in unreachable states too
  std::vector<finding::FaultKind> only;  // empty: every kind
  model::Priorities priorities = model::Priorities::Respected;
  Constraints constraints = Constraints::Respected;
  Count count = Count::Visited;
  std::optional<std::size_t> paths = 1000;  // races, and cycles, to list, shortest first; none: all
  Explain explain = Explain::Everything;
  Limits limits;
  std::size_t jobs = 1;  // threads; the answer is the same for any number
};

}  // namespace poise::check
