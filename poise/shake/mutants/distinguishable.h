#pragma once

// Contexts that a policy can tell apart. On a grid of 2,310 valid instances the paper's web server
// sees a few hundred situations: where a property is only asked for its terms, or compared with
// constants, all values with the same degrees and the same answers are one. Searching through
// states needs one instance of each.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "poise/model/model.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/mutants/mutants.h"

namespace poise::shake {

struct DistinguishableOptions {
  std::size_t most = 2'000'000;  // combinations of values to look at
};

// Valid instances such that every other valid instance looks the same as one of them to the
// original and to all mutants: their policies and rules, terms in any order, sensors as they are
// wired. None if there are too many combinations to look at. All models have the same variables.
[[nodiscard]] std::optional<std::vector<Instance>> distinguishable(
    const model::Model& original, std::span<const Mutant* const> mutants, const Grid& grid,
    const DistinguishableOptions& options = {});

// All valid instances, for who looks at values in ways that are not known.
[[nodiscard]] std::optional<std::vector<Instance>> all_valid(
    const Grid& grid, const DistinguishableOptions& options = {});

}  // namespace poise::shake
