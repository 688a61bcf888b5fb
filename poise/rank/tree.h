#pragma once

// The joint distribution of atoms, as far as a tree of pairs can tell it (Chow and Liu 1968): of
// all trees the one that keeps most of what pairs say about each other. Probabilities of truths
// that never occurred are small, not zero.

#include <cstdint>
#include <vector>

#include "poise/finding/finding.h"
#include "poise/rank/constraints.h"

namespace poise::rank {

class Tree {
 public:
  // `counts` as pair_counts() gives them.
  Tree(std::size_t atoms, const std::vector<PairCounts>& counts);

  // The probability that these literals hold together, whatever the other atoms do.
  [[nodiscard]] double probability(const finding::Conjunction& situation) const;

 private:
  struct Branch {
    std::uint32_t atom;
    std::uint32_t parent;  // the atom itself at a root
    double given[2][2];    // [parent holds][atom holds]; at a root the first row
  };
  std::vector<Branch> branches_;  // parents first
};

// The shares between which the true one lies with 95 %, after `hits` of `trials` (Jeffreys).
struct Interval {
  double low;
  double high;
};
[[nodiscard]] Interval interval(double hits, double trials);

}  // namespace poise::rank
