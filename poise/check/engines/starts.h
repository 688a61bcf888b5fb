#pragma once

// The starts of a fault: the set, in a scope, of all contexts from which it occurs in its state.
// Conditions, witnesses and cases are read off this set. Works on the faults of one state after
// another.

#include <vector>

#include "poise/check/engines/walk.h"
#include "poise/finding/finding.h"

namespace poise::check {

[[nodiscard]] bool is_path(const finding::Fault& fault);

class FaultStarts {
 public:
  FaultStarts(const Prepared& prepared, Scope& scope)
      : prepared_(prepared), walk_(prepared, scope) {}

  // Begins anew, in a fresh scope, with the faults of this state.
  void begin(model::StateId state);
  // The starts of a nondeterminism, race or cycle. The prefix that a path shares with the one
  // before is not walked again, so sorted paths are fastest (walks_before).
  [[nodiscard]] Node of(const finding::Fault& fault);
  // The contexts that satisfy a rule: where a shadowed rule is shadowed.
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
  std::vector<model::StateId> states_;  // scratch of atoms()
  std::vector<model::RuleId> path_;     // the firings on the stack of walk_
};

// The order in which the faults of a state are walked fastest: paths with a common prefix one after
// another, other kinds first.
[[nodiscard]] bool walks_before(const finding::Fault* a, const finding::Fault* b);

}  // namespace poise::check
