#pragma once

// A short condition for a set of situations: two-level minimisation in the manner of Espresso, on
// explicit truth tables. Only the reference engine uses it; the others have decision diagrams
// (boolean/cover.h).
//
// Example: over atoms a, b with on = {10, 11} and off = {01}, the condition is `a`; 00 is
// infeasible and may go either way.

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

// The number of comparisons of single truths that are still allowed; shared by all calls.
struct Effort {
  std::size_t left = SIZE_MAX;
};

// A condition over `atoms` that holds in all of `on` and in none of `off`. Situations in neither
// are infeasible: don't-cares. `on` and `off` are sorted and disjoint. The condition is
// irredundant: no conjunction can lose a literal and no conjunction can be left out. Nothing once
// the effort is spent.
[[nodiscard]] std::optional<std::vector<finding::Conjunction>> condition_for(
    const std::vector<model::AtomId>& atoms, const std::vector<TruthRow>& on,
    const std::vector<TruthRow>& off, Effort& effort);

}  // namespace poise::check
