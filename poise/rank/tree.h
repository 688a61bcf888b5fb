#pragma once

// The joint distribution of atoms, approximated by a tree (Chow and Liu 1968): each atom depends on
// its parent only. Of all trees the one with the most mutual information along its branches is
// taken, a maximum spanning tree, which is the tree closest to the data. Counts are smoothed, so
// that truths that never occurred have small probabilities, not 0.

#include <cstdint>
#include <vector>

#include "poise/finding/finding.h"
#include "poise/rank/constraints.h"

namespace poise::rank {

class Tree {
 public:
  // `counts` as pair_counts() gives them.
  Tree(std::size_t atoms, const std::vector<PairCounts>& counts);

  // The probability that these literals hold together; the other atoms are summed out.
  [[nodiscard]] double probability(const finding::Conjunction& situation) const;

 private:
  struct Branch {
    std::uint32_t atom;
    std::uint32_t parent;  // of a root: the atom itself
    double given[2][2];    // probability by [parent holds][atom holds]; of a root: row 0 only
  };
  std::vector<Branch> branches_;  // parents first
};

// The 95 % interval of a share of which `hits` of `trials` were observed, by Jeffreys' prior.
struct Interval {
  double low;
  double high;
};
[[nodiscard]] Interval interval(double hits, double trials);

}  // namespace poise::rank
