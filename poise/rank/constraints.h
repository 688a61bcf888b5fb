#pragma once

// Probabilistic constraints: association rules between pairs of literals, mined from the log with
// support and confidence (section 3.3 of the AFChecker paper). Each is an edge of the paper's
// constraint graph. Example: `gps.place == office -> gps.on` with support 0.3 and confidence 0.97.

#include <vector>

#include "poise/finding/finding.h"
#include "poise/model/model.h"
#include "poise/rank/evidence.h"
#include "poise/rank/result.h"

namespace poise::rank {

// How many entries of the log show two atoms in each combination of truths. Entries in which one of
// them is unknown are not counted.
struct PairCounts {
  std::size_t of[2][2] = {};
  [[nodiscard]] std::size_t known() const { return of[0][0] + of[0][1] + of[1][0] + of[1][1]; }
};
// A square matrix by atoms p and q: `counts[p * atoms + q].of[p holds][q holds]`.
[[nodiscard]] std::vector<PairCounts> pair_counts(const Evidence& evidence);

struct Thresholds {
  double support = 0.25;
  double confidence = 0.5;
};

// The share of entries in which a literal holds, among those in which its atom is known.
[[nodiscard]] double support(const Evidence& evidence, const finding::Literal& literal);

// All edges that reach both thresholds, sorted by `from` and `to`.
[[nodiscard]] std::vector<Edge> constraints(const Evidence& evidence, const Thresholds& thresholds);

}  // namespace poise::rank
