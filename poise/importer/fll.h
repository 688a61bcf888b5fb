#pragma once

// The FuzzyLite Language (FLL), as fuzzylite 5 to 7 writes it, becomes a policy.
//
//   const importer::Imported imported = importer::from_fll(file);
//
// Terms: Triangle, Trapezoid, Rectangle, Ramp, Discrete, Constant, of height 1. Outputs: Centroid
// (Maximum, Minimum as implication; always 100 points) and WeightedAverage. Rules: `and` as
// Minimum, `or` as Maximum, `not` but no other hedge, weights. An output without a default starts,
// and stays where no rule holds, at the low end of its range; a comment says so. Linear in time and
// memory.

#include <string_view>

#include "poise/importer/imported.h"

namespace poise::importer {

[[nodiscard]] Imported from_fll(std::string_view text);

}  // namespace poise::importer
