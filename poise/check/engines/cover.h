#pragma once

// A short condition for a set of situations: two-level minimisation in the manner of Espresso, on
// explicit truth tables.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poise/finding/finding.h"
#include "poise/model/model.h"

namespace poise::check {

// The truth of some atoms in a fixed order, '0' or '1' each.
using TruthRow = std::string;

// How many single truths may still be compared.
struct Effort {
  std::size_t left = SIZE_MAX;
};

// A condition over `atoms` that holds in all of `on` and in none of `off`; what is in neither
// cannot be, and may go either way. Both are sorted and disjoint. No conjunction can lose a literal
// and no conjunction can be left out. Nothing once the effort is spent.
[[nodiscard]] std::optional<std::vector<finding::Conjunction>> condition_for(
    const std::vector<model::AtomId>& atoms, const std::vector<TruthRow>& on,
    const std::vector<TruthRow>& off, Effort& effort);

}  // namespace poise::check
