#pragma once

// The options of a run of `check`.

#include <cstddef>
#include <optional>
#include <vector>

#include "poise/base/budget.h"
#include "poise/check/result.h"
#include "poise/finding/finding.h"
#include "poise/model/step.h"

namespace poise::check {

// The atoms over which the situations of a fault are counted (docs/findings.md, "situations"). The
// papers differ in this; with the right choice their figures are reproduced.
enum class Count {
  Visited,  // atoms of all rules of the states that the fault visits
  Rules,    // atoms of the rules on its path
  Start,    // atoms of the start state's rules and of the rules on its path
  All,      // all atoms of the model
};

enum class Constraints {
  Respected,
  Ignored,  // neither constraints nor types: atoms are independent booleans, as in the papers
};

enum class Show { Reachable, All };

// Which faults get a condition and a witness. Explaining can take longer than finding, and a text
// report shows only the examples. An example is explained the same way in any case. The reference
// engine explains everything, whatever this says.
enum class Explain {
  Everything,
  Examples,  // those of finding::examples(), which a text report shows
  Nothing,
};

enum class Cures { NotSought, Sought };

// Faults of a state with more rules are not looked for, by any engine.
inline constexpr std::size_t kMaxRulesPerState = 1 << 14;

// More pairs of rules that overlap are not listed for one state, and more sets of rules that
// compete not for a model, by any engine.
inline constexpr std::size_t kMaxOverlaps = 1 << 20;
inline constexpr std::size_t kMaxChoices = 1 << 20;

struct Options {
  Engine engine = Engine::Auto;
  Show show = Show::Reachable;           // All: faults in unreachable states too
  std::vector<finding::FaultKind> only;  // empty: every kind
  model::Priorities priorities = model::Priorities::Respected;
  Constraints constraints = Constraints::Respected;
  Count count = Count::Visited;
  // List so many races, so many cycles and so many sets of rules that compete; none: all.
  std::optional<std::size_t> paths = 1000;
  Explain explain = Explain::Everything;
  Cures cures = Cures::NotSought;  // for the faults that a text report shows
  Limits limits;
  std::size_t jobs = 1;  // threads; the answer is the same for any number
};

}  // namespace poise::check
