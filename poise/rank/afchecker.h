#pragma once

// The ranking of the AFChecker paper. The more a case conflicts with the probabilistic constraints
// that the log supports, the less probable it is (Eqs. 2 and 3). Cases whose probabilities are
// close are ordered by information gain: first the one whose verdict would tell most about the
// others (Eq. 5). A verdict changes the confidence of constraints (the paper's observations 1 and
// 2): a confirmed case refutes every constraint that it violates, a rejected one raises their
// confidence.
//
// A case *relates to* a constraint if it has both of its atoms, and *violates* it if the first
// literal holds and the second does not. Nothing else about a case matters here. So cases that
// relate to and violate the same constraints form a class, and everything is worked out once per
// class (gains.h).

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/finding/case.h"
#include "poise/rank/constraints.h"
#include "poise/rank/gains.h"
#include "poise/rank/result.h"

namespace poise::rank {

struct AfcheckerOptions {
  double raise = 0.05;  // what a rejected case adds to the confidence of constraints it violates
  double tie = 0.01;    // cases closer than this in probability are ordered by information gain
  // How many entropies Eq. 5 may evaluate. Gains are worked out from the best rank on; beyond this
  // number the remaining ones are left open.
  std::size_t most_steps = 4'000'000;
};
// The value of most_steps while a person waits for the next question.
inline constexpr std::size_t kStepsBetweenAnswers = 50'000;

class AfcheckerRanking {
 public:
  AfcheckerRanking(std::span<const finding::Case> cases, std::vector<Edge> edges,
                   AfcheckerOptions options = {});

  // A case with a verdict counts as inspected and takes no part in Eq. 5 any more.
  void apply(std::size_t the_case, Verdict verdict);

  [[nodiscard]] double probability(std::size_t the_case) const;  // Eq. 3
  [[nodiscard]] double gain(std::size_t the_case) const;         // Eq. 5
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  // The edges that the case violates, by confidence, at most `most`; refuted ones are left out.
  [[nodiscard]] std::vector<Edge> violated(std::size_t the_case, std::size_t most) const;

  struct Place {
    std::uint32_t the_case;
    double probability;
    std::optional<double> gain;  // none if most_steps was reached before
  };
  // The cases without a verdict, best first.
  [[nodiscard]] std::vector<Place> ranking() const;
  // The first of them. Cheaper, because only those that tie for the first place need a gain.
  [[nodiscard]] std::optional<std::uint32_t> best() const;

 private:
  void weigh();  // brings weights and conflicts up to date with the confidences of edges
  [[nodiscard]] double confidence(const Bits& edges) const;
  [[nodiscard]] double probability(const Gains::Class& of_cases) const;
  [[nodiscard]] std::vector<Gains::Change> changes() const;
  void add_gains(std::vector<Place>& places) const;

  std::vector<Edge> edges_;
  AfcheckerOptions options_;
  std::vector<Gains::Set> sets_;
  std::vector<Gains::Class> classes_;
  std::vector<std::uint32_t> class_of_;  // by case
  std::vector<Verdict> verdicts_;        // by case
};

}  // namespace poise::rank
