#pragma once

// A ranking by what is likely in the logged environment. What happened in the log is real, and
// matters the more the longer it held. What never happened may still happen: the less so the more
// often its parts had the occasion to come together and did not. Verdicts teach which parts can.
//
// A case that was never seen has *obstacles*: literals that never held, pairs of literals that
// never held together, and itself as a whole. For each, the log had some expected number of
// occasions e if nothing kept the parts apart; that it never happened leaves 1 / (1 + exp(e)) for
// "it can", from even odds. A case is real if none of its obstacles is one in truth.

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

  // That the case happens at all.
  [[nodiscard]] double probability(std::size_t the_case) const;
  [[nodiscard]] const Seen& seen(std::size_t the_case) const {
    return seen_[situation_of_[the_case]];
  }
  [[nodiscard]] Estimate estimate(std::size_t the_case) const;

  // The cases without a verdict, best first.
  [[nodiscard]] std::vector<std::uint32_t> ranking() const;
  [[nodiscard]] std::optional<std::uint32_t> best() const;

  // What keeps a case from happening, most likely first: one literal or two.
  struct Obstacle {
    finding::Conjunction literals;
    double can_be = 1;    // the probability that they can hold together
    bool proved = false;  // that they can, by a confirmed case; they stay rare
  };
  [[nodiscard]] std::vector<Obstacle> obstacles(std::size_t the_case) const;

 private:
  struct Situation {
    std::vector<std::uint32_t> obstacles;
    double tree = 0;    // its probability by the tree
    double can_be = 1;  // as a whole, all obstacles aside
    bool confirmed = false;
  };
  struct Place {
    std::uint32_t the_case;
    bool seen;
    double first;   // seen: how long; else whether it can be
    double second;  // then the tree
  };
  static bool precedes(const Place& a, const Place& b);
  [[nodiscard]] std::vector<Place> places() const;  // of the cases without a verdict
  [[nodiscard]] double probability(const Situation& situation) const;
  void find_obstacles(const finding::Conjunction& literals, Situation& situation,
                      const std::vector<PairCounts>& counts, std::size_t atoms);

  double effective_ = 0;  // entries, as many as are worth that much: neighbours are alike
  double seconds_ = 0;
  Interval unseen_ = {0, 1};  // of what never happened: the same for all
  std::vector<Obstacle> obstacles_;
  std::map<finding::Conjunction, std::uint32_t> known_;
  std::vector<Situation> situations_;
  std::vector<Seen> seen_;                   // by situation
  std::vector<std::uint32_t> situation_of_;  // by case
  std::vector<Verdict> verdicts_;            // by case
};

}  // namespace poise::rank
