#pragma once

// A part of an event as a union of conjunctions that exclude each other: one for every combination
// of ways through the stages that depend on noise.

#include <cstddef>
#include <optional>
#include <vector>

#include "poise/verify/odds/independent_part.h"

namespace poise::verify {

using Rows = std::vector<const AffineRow*>;

struct Conjunction {
  std::size_t branch;
  Rows certain;               // without noise
  std::vector<Rows> factors;  // the others, by noise: no noise occurs in two factors
};

// None if there are more than `most`. Rows refer to the part, which must outlive them.
[[nodiscard]] std::optional<std::vector<Conjunction>> conjunctions_of(const IndependentPart& part,
                                                                      std::size_t most);

}  // namespace poise::verify
