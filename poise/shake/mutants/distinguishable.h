#pragma once

// Contexts that a policy can tell apart. A search through states needs only one instance of each
// kind: of the 2,310 valid instances of one grid, the paper's web server tells a few hundred apart.
//
// Two values of a property look the same if every read of it gives the same answer: the same degree
// of each term where terms are asked for, the same side of each constant that it is compared with.
// Where an expression reads the value in any other way, all values look different. Instances look
// the same if all their values do.

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

// Valid instances such that every other valid instance looks the same as one of them, to the
// original and to all mutants: also to those with permuted terms or faulty sensors. None if there
// are too many combinations to look at. All models must have the same variables.
[[nodiscard]] std::optional<std::vector<Instance>> distinguishable(
    const model::Model& original, std::span<const Mutant* const> mutants, const Grid& grid,
    const DistinguishableOptions& options = {});

// All valid instances: for a subject that may read values in any way.
[[nodiscard]] std::optional<std::vector<Instance>> all_valid(
    const Grid& grid, const DistinguishableOptions& options = {});

}  // namespace poise::shake
