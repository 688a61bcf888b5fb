#pragma once

// Probabilistic constraints: what the log makes likely about pairs of atoms, as association rules
// with support and confidence (section 3.3 of the AFChecker paper). An edge "p is a, then q is b"
// is one of the paper's constraint graph.

#include <vector>

#include "poise/finding/finding.h"
#include "poise/model/model.h"
#include "poise/rank/evidence.h"
#include "poise/rank/result.h"

namespace poise::rank {

// How many entries have two atoms in each combination of truths; those in which one is not known
// say nothing.
struct PairCounts {
  std::size_t of[2][2] = {};
  [[nodiscard]] std::size_t known() const { return of[0][0] + of[0][1] + of[1][0] + of[1][1]; }
};
// By atom and atom: `counts[p * atoms + q].of[p holds][q holds]`.
[[nodiscard]] std::vector<PairCounts> pair_counts(const Evidence& evidence);

struct Thresholds {
  double support = 0.25;
  double confidence = 0.5;
};

// The share of entries in which a literal holds, of those in which its atom is known.
[[nodiscard]] double support(const Evidence& evidence, const finding::Literal& literal);

// All edges that reach both thresholds, by `from` and `to`. Where an atom is not known in an entry,
// the entry says nothing about its pairs.
[[nodiscard]] std::vector<Edge> constraints(const Evidence& evidence, const Thresholds& thresholds);

}  // namespace poise::rank
