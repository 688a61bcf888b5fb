#pragma once

// A case of a ranking, for those who print it.

#include <cstddef>
#include <string>
#include <vector>

#include "poise/finding/finding.h"
#include "poise/rank/result.h"

namespace poise::report {

// The fault in this one situation.
[[nodiscard]] finding::Fault as_fault(const rank::Report& report, std::uint32_t the_case);

// By place in the ranking: its group, which is a core that faults have in common
// (finding/groups.h). Groups are numbered from 1 in the order in which they come up.
[[nodiscard]] std::vector<std::size_t> groups_of_ranked(const rank::Report& report);

// "seen 14 times, 3.5 h in all, first in line 12, last on 2026-03-04 10:05"; "never seen".
[[nodiscard]] std::string seen_text(const rank::Seen& seen);

// "90 s", "3.5 h", "14.0 days".
[[nodiscard]] std::string duration_text(double seconds);

// "2.1 % (0.9 to 3.8)".
[[nodiscard]] std::string share_text(const rank::Estimate& estimate);

}  // namespace poise::report
