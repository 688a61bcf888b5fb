#pragma once

// From which starts a fault occurs, as a set in a scope, for one fault of a state after another.
// Conditions, witnesses and lists of situations are all read off it.

#include <vector>

#include "poise/check/engines/walk.h"
#include "poise/finding/finding.h"

namespace poise::check {

[[nodiscard]] bool is_path(const finding::Fault& fault);

class FaultStarts {
 public:
  FaultStarts(const Prepared& prepared, Scope& scope)
      : prepared_(prepared), walk_(prepared, scope) {}

  // Begins anew, in a fresh scope, for the faults of this state.
  void begin(model::StateId state);
  // Of a nondeterminism, race or cycle. What a path has in common with the one before is not walked
  // again: sorted paths are walked fastest.
  [[nodiscard]] Node of(const finding::Fault& fault);
  // Of a rule that is satisfied and loses.
  [[nodiscard]] Node satisfied(model::StateId state, model::RuleId rule);
  // The atoms over which the fault's situations are counted. Valid until the next call.
  [[nodiscard]] const Atoms& atoms(const finding::Fault& fault);

  [[nodiscard]] bool gave_up() const { return walk_.gave_up(); }
  [[nodiscard]] std::string gave_up_because() const { return walk_.gave_up_because(); }

 private:
  [[nodiscard]] std::uint32_t index_of(model::StateId state, model::RuleId rule) const;
  [[nodiscard]] Node triggered_together(const finding::Fault& fault);
  [[nodiscard]] Node of_path(const finding::Fault& fault);

  const Prepared& prepared_;
  Walk walk_;
  CountedAtoms counted_{prepared_};
  std::vector<model::StateId> states_;  // that a fault visits
  std::vector<model::RuleId> path_;     // as far as it is walked
};

// The order of the faults of a state in which they are walked fastest: paths with a common
// beginning one after another.
[[nodiscard]] bool walks_before(const finding::Fault* a, const finding::Fault* b);

}  // namespace poise::check
