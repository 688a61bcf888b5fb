#pragma once

// Translates a part of the Fuzzy Control Language (FCL, IEC 61131-7) to a policy.
//
//   const importer::Imported imported = importer::from_fcl(file);
//
// Supported is one FUNCTION_BLOCK with
//   VAR_INPUT, VAR_OUTPUT  of type REAL
//   FUZZIFY                terms by points `(x, y) (x, y)`, or as jFuzzyLogic has them: `trian`,
//                          `trape`; RANGE, by default that of the terms
//   DEFUZZIFY              METHOD COG (terms by points) or COGS (singletons), ACCU MAX, DEFAULT,
//                          RANGE
//   RULEBLOCK              AND MIN, OR MAX, ACT MIN, ACCU MAX; rules with AND, OR, NOT, WITH
// Case does not matter. Linear in time and memory.

#include <string_view>

#include "poise/importer/imported.h"

namespace poise::importer {

[[nodiscard]] Imported from_fcl(std::string_view text);

}  // namespace poise::importer
