#pragma once

// A ranking of cases that learns from verdicts, by either method.

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
  // A copy is where the ranking was: what it takes to go back.
  Ranking(std::span<const finding::Case> cases, const Evidence& evidence, const Options& options);

  void apply(std::uint32_t the_case, Verdict verdict);

  // All cases: confirmed ones, those without a verdict, best first, rejected ones. The paper's
  // method needs gains; the other one only has them where they are asked for, which takes time.
  enum class Gains { IfNeeded, Always };
  [[nodiscard]] std::vector<Ranked> ranked(Gains gains = Gains::IfNeeded) const;
  // The one to be inspected next; none if all are.
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

// What comes of a ranking if `truths` (by case) is what a person would say: of the ranking as it
// is, of one that learns after each verdict, of chance, and of the ideal one.
[[nodiscard]] std::vector<Quality> qualities(Ranking ranking, const std::vector<bool>& truths);

}  // namespace poise::rank
