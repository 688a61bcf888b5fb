#pragma once

// Helpers for reports of `poise rank`, whatever their format. A case is a fault in one situation.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "poise/finding/finding.h"
#include "poise/rank/result.h"

namespace poise::report {

// The fault of a case, with that one situation as its condition and the case's witness.
[[nodiscard]] finding::Fault as_fault(const rank::Report& report, std::uint32_t the_case);

// The group of each place in the ranking. Faults of a group have a common core (finding/groups.h).
// Groups are numbered from 1, in the order of their best places.
[[nodiscard]] std::vector<std::size_t> groups_of_ranked(const rank::Report& report);

// "happened once, at t = 900, line 3"; "may have happened, once at most: ..."; "did not happen";
// "not replayed".
[[nodiscard]] std::string happened_text(const std::optional<rank::Happened>& happened);

// "152 rules fired, faults happened 87 times"; "none: rules ask about streams, ...".
[[nodiscard]] std::string replay_text(const rank::ReplaySummary& replay);
// Why not the whole log was replayed.
[[nodiscard]] std::string not_replayed_text(const rank::ReplaySummary& replay);

// "its situation 14 times, 3.5 h in all, last on 2026-03-04 10:05, first line 12"; "its situation
// never".
[[nodiscard]] std::string seen_text(const rank::Seen& seen);

// "90 s", "3.5 h", "14.0 days".
[[nodiscard]] std::string duration_text(double seconds);

// "2.1 % of the time (0.9 to 3.8)": the estimate, and its interval in percent.
[[nodiscard]] std::string share_text(const rank::Estimate& estimate);

}  // namespace poise::report
