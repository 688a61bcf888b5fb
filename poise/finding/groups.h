#pragma once

// Groups of faults with a common core, so that a reader sees each mistake once. The core is
//   cycle           its loop: the same round of rules, whatever leads into it and wherever it is
//                   entered;
//   race            the state where it ends;
//   nondeterminism  the state, for sets of rules that overlap; harmless ones apart from others;
//   dead rule       the rule with its cause, whatever states it is dead in;
//   other kinds     the fault itself.

#include <span>
#include <vector>

#include "poise/finding/finding.h"
#include "poise/model/model.h"

namespace poise::finding {

// The members point into the faults that were given.
struct Group {
  // The best example first: in a reachable state, then the fewest rules, then the most situations;
  // the rest as given.
  std::vector<const Fault*> faults;

  [[nodiscard]] const Fault& best() const { return *faults.front(); }
};

// The groups of one kind: harmless ones last, reachable ones first, then by the situations of their
// best examples, most first.
[[nodiscard]] std::vector<Group> groups(std::span<const Fault> faults, FaultKind kind);

// The faults that a text report shows: of each kind, the best one of the first kGroupsShown groups.
inline constexpr std::size_t kGroupsShown = 20;
[[nodiscard]] std::vector<const Fault*> examples(std::span<const Fault> faults);

// The rules of all faults of a group, each once, in the order of the model.
[[nodiscard]] std::vector<model::RuleId> rules_of(const Group& group);

}  // namespace poise::finding
