#pragma once

// The kinds of faults as SARIF describes them: its `rules`. (A rule of SARIF is what a tool looks
// for; ours, which a model consists of, are another matter.) The definitions are those of
// docs/findings.md, which a test compares.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "poise/finding/finding.h"

namespace poise::report {

struct SarifRule {
  std::string_view id;     // "poise/dead-rule": stable, for filters and suppressions
  std::string_view name;   // "DeadRule"
  std::string_view level;  // error, warning or note
  std::string_view title;
  std::string_view definition;
  std::string_view why;
  std::string_view cures;
};

// Whose results a log has. `rank` looks for what `check` looks for.
enum class SarifVerb { Check, Verify, Shake };

// Of `check`: one for each kind, in the order of kAllFaultKinds, then one for unstable rules, which
// stand for races and cycles where no paths were to be listed. Of `verify`: hazards. Of `shake`:
// one for each kind of failure, in the order of shake::Failing::Kind, then one for mutants.
[[nodiscard]] std::span<const SarifRule> sarif_rules(SarifVerb verb = SarifVerb::Check);

[[nodiscard]] std::size_t sarif_index(finding::FaultKind kind);
[[nodiscard]] std::size_t sarif_index_of_unstable();

// The reportingDescriptor.
[[nodiscard]] std::string sarif_json(const SarifRule& rule);

}  // namespace poise::report
