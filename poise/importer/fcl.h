#pragma once

// The Fuzzy Control Language (FCL, IEC 61131-7), a part of it, becomes a policy.
//
//   const importer::Imported imported = importer::from_fcl(file);
//
// One FUNCTION_BLOCK: VAR_INPUT and VAR_OUTPUT of REAL; FUZZIFY with terms as points `(x, y) (x,
// y)` (or `trian`, `trape`, as jFuzzyLogic has them) and RANGE, else from the first to the last
// point; DEFUZZIFY with METHOD COG (points) or COGS (singletons), ACCU MAX, DEFAULT, RANGE;
// RULEBLOCK with AND MIN, OR MAX, ACT MIN, ACCU MAX, and rules with AND, OR, NOT, WITH. Case does
// not matter. Linear in time and memory.

#include <string_view>

#include "poise/importer/imported.h"

namespace poise::importer {

[[nodiscard]] Imported from_fcl(std::string_view text);

}  // namespace poise::importer
