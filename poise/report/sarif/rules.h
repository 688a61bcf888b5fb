#pragma once

// The kinds of faults as SARIF describes them: its `rules`. (A rule of SARIF is a kind of result
// that a tool looks for; it has nothing to do with the rules of a model.) The definitions are those
// of docs/findings.md; a test compares them.

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

// The verb whose results a log has. `rank` has the kinds of `check`.
enum class SarifVerb { Check, Verify, Shake };

// For `check`: one for each kind, in the order of kAllFaultKinds, then one for unstable rules,
// which stand for races and cycles with `--paths none`, and one for pairs of rules that overlap,
// which then stand for nondeterminism. For `verify`: one, for hazards. For `shake`: one for each
// kind of failure, in the order of shake::Failing::Kind, then one for surviving mutants.
[[nodiscard]] std::span<const SarifRule> sarif_rules(SarifVerb verb = SarifVerb::Check);

// Indices in sarif_rules(SarifVerb::Check).
[[nodiscard]] std::size_t sarif_index(finding::FaultKind kind);
[[nodiscard]] std::size_t sarif_index_of_unstable();
[[nodiscard]] std::size_t sarif_index_of_overlaps();

enum class SarifPrecision {
  VeryHigh,  // no false alarms: what is reported does occur in the model
  High,      // some results of this log take conditions as free (finding/assumed.h)
};

// SARIF's `reportingDescriptor`, as JSON.
[[nodiscard]] std::string sarif_json(const SarifRule& rule,
                                     SarifPrecision precision = SarifPrecision::VeryHigh);

}  // namespace poise::report
