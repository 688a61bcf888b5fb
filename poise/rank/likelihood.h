#pragma once

// A ranking by what is likely in the logged environment. A case whose situation occurred in the log
// is real, and comes the earlier the longer it held. One that never occurred may still occur; the
// more often its parts had an occasion to come together and did not, the less likely.
//
// A case that was never seen has *obstacles*: literals that never held, pairs of literals that
// never held together, and the situation as a whole. For each, e is the number of times that it
// would be expected in the log if nothing prevented it: for a pair from the shares of its literals,
// for the whole from the Chow-Liu tree (tree.h). With even prior odds that it is possible, and a
// Poisson probability exp(-e) of never seeing it then, the posterior that it is possible is
// 1 / (1 + exp(e)). A case is real if all its obstacles are possible, which are taken as
// independent.
//
// Verdicts change these probabilities. A rejected case lowers them by Bayes' rule, since at least
// one of its obstacles must be impossible. A confirmed one proves its obstacles possible, so that
// later rejections no longer lower them.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "poise/finding/case.h"
#include "poise/rank/evidence.h"
#include "poise/rank/result.h"
#include "poise/rank/tree.h"

namespace poise::rank {

class LikelihoodRanking {
 public:
  LikelihoodRanking(std::span<const finding::Case> cases, const Evidence& evidence);

  void apply(std::size_t the_case, Verdict verdict);

  // The probability that the case ever happens.
  [[nodiscard]] double probability(std::size_t the_case) const;
  [[nodiscard]] const Seen& seen(std::size_t the_case) const {
    return seen_[situation_of_[the_case]];
  }
  [[nodiscard]] Estimate estimate(std::size_t the_case) const;

  // The cases without a verdict, best first.
  [[nodiscard]] std::vector<std::uint32_t> ranking() const;
  [[nodiscard]] std::optional<std::uint32_t> best() const;

  struct Obstacle {
    finding::Conjunction literals;  // one or two
    double can_be = 1;              // the probability that they can hold together
    // A confirmed case has them. Rejected cases then no longer lower can_be, but it is not raised
    // either: possible or not, they are rare.
    bool proved = false;
  };
  // The obstacles of a case, the least likely to be possible first.
  [[nodiscard]] std::vector<Obstacle> obstacles(std::size_t the_case) const;

 private:
  struct Situation {
    std::vector<std::uint32_t> obstacles;  // indices into obstacles_
    double tree = 0;                       // its probability by the Chow-Liu tree
    double can_be = 1;                     // that the whole is possible if all obstacles are
    bool confirmed = false;
  };
  // The keys by which cases are sorted.
  struct Place {
    std::uint32_t the_case;
    bool seen;
    double first;   // if seen, how long it held; else its probability
    double second;  // its probability by the tree
  };
  static bool precedes(const Place& a, const Place& b);
  [[nodiscard]] std::vector<Place> places() const;  // of the cases without a verdict
  [[nodiscard]] double probability(const Situation& situation) const;
  void find_obstacles(const finding::Conjunction& literals, Situation& situation,
                      const std::vector<PairCounts>& counts, std::size_t atoms);

  double effective_ = 0;      // number of independent observations: runs of equal entries
  double seconds_ = 0;        // that the log covers; 0 if it has no times
  Interval unseen_ = {0, 1};  // of the share of time, for every situation that was never seen
  std::vector<Obstacle> obstacles_;
  std::map<finding::Conjunction, std::uint32_t> known_;
  std::vector<Situation> situations_;
  std::vector<Seen> seen_;                   // by situation
  std::vector<std::uint32_t> situation_of_;  // by case
  std::vector<Verdict> verdicts_;            // by case
};

}  // namespace poise::rank
