#pragma once

// Translates the FuzzyLite Language (FLL), as fuzzylite 5 to 7 write it, to a policy.
//
//   const importer::Imported imported = importer::from_fll(file);
//
// Supported are
//   terms    Triangle, Trapezoid, Rectangle, Ramp, Discrete, Constant, all of height 1
//   outputs  Centroid (aggregation Maximum, implication Minimum; always with 100 points) and
//            WeightedAverage
//   rules    `and` as Minimum, `or` as Maximum, `not` but no other hedge, weights
// An output whose default is `nan` starts at the low end of its range, and is there whenever no
// rule holds; a comment in the text says so. Linear in time and memory.

#include <string_view>

#include "poise/importer/imported.h"

namespace poise::importer {

[[nodiscard]] Imported from_fll(std::string_view text);

}  // namespace poise::importer
