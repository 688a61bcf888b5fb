#pragma once

// The ranking of the AFChecker paper: a case is the less probable the more it conflicts with what
// the log makes likely (Eqs. 2 and 3); where probabilities are close, the case comes first whose
// inspection tells most about the others (Eq. 5). Verdicts change how much constraints are believed
// (its observations 1 and 2).
//
// A case counts only by which constraints it relates to and which it violates: cases that are alike
// in both form a class, and everything is worked out once per class (gains.h).

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
  double raise = 0.05;  // what a rejected case adds to the confidence of what it violates
  double tie = 0.01;    // probabilities that are closer than this are broken by information gain
  // How many entropies Eq. 5 may take; beyond that gains are left open, last ranks first.
  std::size_t most_steps = 4'000'000;
};
// While a person waits for the next question.
inline constexpr std::size_t kStepsBetweenAnswers = 50'000;

class AfcheckerRanking {
 public:
  AfcheckerRanking(std::span<const finding::Case> cases, std::vector<Edge> edges,
                   AfcheckerOptions options = {});

  // Cases with a verdict are inspected: they are no part of Eq. 5 any more.
  void apply(std::size_t the_case, Verdict verdict);

  [[nodiscard]] double probability(std::size_t the_case) const;  // Eq. 3
  [[nodiscard]] double gain(std::size_t the_case) const;         // Eq. 5
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  // The edges that it violates, strongest first, at most so many; none that is not believed.
  [[nodiscard]] std::vector<Edge> violated(std::size_t the_case, std::size_t most) const;

  struct Place {
    std::uint32_t the_case;
    double probability;
    std::optional<double> gain;  // none where it would take too long
  };
  // The cases without a verdict, best first.
  [[nodiscard]] std::vector<Place> ranking() const;
  // The first of them, for less than all: the others need no gain.
  [[nodiscard]] std::optional<std::uint32_t> best() const;

 private:
  void weigh();
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
