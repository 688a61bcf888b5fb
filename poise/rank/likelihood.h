#pragma once

// A ranking by what a log says about each case, of the fault itself first. Four sorts of cases:
//
// 1. The fault happened when the log was replayed: it is real, and comes the earlier the more often
//    it happened.
// 2. It happened if the application was in a certain state when the log began, which is not known.
// 3. It did not, but its situation was there. How often the fault was to be expected in such a log
//    is known from the occasions that it had (occasions.h). With n that number, and half an
//    occurrence more for what a short log does not show, the chance that it ever happens is
//    1 - exp(-n).
// 4. Not even its situation was there. The more often its parts had an occasion to come together
//    and did not, the less likely.
//
// A situation that was never seen has *obstacles*: literals that never held, pairs of literals that
// never held together, and the situation as a whole. For each, e is the number of times that it
// would be expected in the log if nothing prevented it: for a pair from the shares of its literals,
// for the whole from the Chow-Liu tree (tree.h). With even prior odds that it is possible, and a
// Poisson probability exp(-e) of never seeing it then, the posterior that it is possible is
// 1 / (1 + exp(e)). The situation is possible if all its obstacles are, which are taken as
// independent. That its fault follows has the chance 1 - exp(-n) again, with n the sum over all
// situations of the fault of what happened and what was to be expected, and half an occurrence
// more.
//
// Verdicts change these probabilities. A rejected case lowers those of its obstacles by Bayes'
// rule, since at least one of them must be impossible. A confirmed one proves its obstacles
// possible, so that later rejections no longer lower them. And where r situations of a fault were
// rejected, and h happened or were confirmed, the chances of its others are multiplied by (h + 1) /
// (h + 1 + r).
//
// Without a replay (of rules that ask about streams, say) a case is as likely as its situation.

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
  // `executed` says what happened, by case; it may be empty.
  LikelihoodRanking(std::span<const finding::Case> cases, const Evidence& evidence,
                    const Executed& executed = {});

  void apply(std::size_t the_case, Verdict verdict);

  // The probability that the case ever happens.
  [[nodiscard]] double probability(std::size_t the_case) const;
  [[nodiscard]] const Seen& seen(std::size_t the_case) const {
    return seen_[situation_of_[the_case]];
  }
  [[nodiscard]] std::optional<Happened> happened(std::size_t the_case) const;
  [[nodiscard]] Basis basis(std::size_t the_case) const;
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
  // What all cases of a fault have in common.
  struct Fault {
    double expected = 0;   // the sum over its cases of what happened and what was to be expected
    std::size_t real = 0;  // cases that happened or were confirmed
    std::size_t rejected = 0;
  };
  // The keys by which cases are sorted.
  struct Place {
    std::uint32_t the_case;
    Basis basis;
    double first;   // if it happened, how often; else its probability
    double second;  // if the situation was seen, how long it held; else its share by the tree
  };
  static bool precedes(const Place& a, const Place& b);
  [[nodiscard]] std::vector<Place> places() const;  // of the cases without a verdict
  [[nodiscard]] double probability(const Situation& situation) const;
  // That the fault follows where the situation is there.
  [[nodiscard]] double follows(std::size_t the_case) const;
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
  std::vector<std::uint32_t> fault_of_;      // by case
  std::vector<Fault> faults_;
  std::vector<Happened> happened_;  // by case; empty without a replay
  std::vector<double> expected_;    // likewise
  std::vector<Verdict> verdicts_;   // by case
};

}  // namespace poise::rank
