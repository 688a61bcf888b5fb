#pragma once

// A ranking of cases by either method, which learns from verdicts. Both methods are kept up to
// date, because a report has figures of both.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/finding/case.h"
#include "poise/rank/afchecker.h"
#include "poise/rank/constraints.h"
#include "poise/rank/likelihood.h"
#include "poise/rank/result.h"

namespace poise::rank {

struct Options {
  Method method = Method::Likelihood;
  Thresholds thresholds;
  AfcheckerOptions paper;
};

class Ranking {
 public:
  // Copies are independent. To undo a verdict, keep a copy from before it.
  // `executed` says what happened, by case; it may be empty.
  Ranking(std::span<const finding::Case> cases, const Evidence& evidence, const Options& options,
          const Executed& executed = {});

  void apply(std::uint32_t the_case, Verdict verdict);

  // All cases: first confirmed ones, then those without a verdict, best first, then rejected ones.
  // The paper's method needs gains; for the other one they are extra, and take time.
  enum class Gains { IfNeeded, Always };
  [[nodiscard]] std::vector<Ranked> ranked(Gains gains = Gains::IfNeeded) const;
  // The case to be inspected next; none if all have a verdict.
  [[nodiscard]] std::optional<std::uint32_t> best() const;
  [[nodiscard]] Ranked place(std::uint32_t the_case) const;
  [[nodiscard]] const std::vector<Edge>& edges() const { return paper_.edges(); }

 private:
  void add_objections(Ranked& ranked) const;

  Options options_;
  AfcheckerRanking paper_;
  LikelihoodRanking likelihood_;
  std::vector<Verdict> verdicts_;
};

// Measures a ranking against `truths`, which says by case what is true. Four rows: "static", the
// ranking as it is; "dynamic", which learns from the true verdict on its first case, over and over;
// "random", the expectation of a random order; and "ideal".
[[nodiscard]] std::vector<Quality> qualities(Ranking ranking, const std::vector<bool>& truths);

}  // namespace poise::rank
