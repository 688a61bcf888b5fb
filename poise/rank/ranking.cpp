#include "poise/rank/ranking.h"

#include <algorithm>
#include <functional>

#include "poise/rank/quality.h"

namespace poise::rank {

using finding::Case;

Ranking::Ranking(std::span<const Case> cases, const Evidence& evidence, const Options& options,
                 const Executed& executed)
    : options_(options),
      paper_(cases, constraints(evidence, options.thresholds), options.paper),
      likelihood_(cases, evidence, executed),
      verdicts_(cases.size(), Verdict::None) {}

void Ranking::apply(std::uint32_t the_case, Verdict verdict) {
  verdicts_[the_case] = verdict;
  paper_.apply(the_case, verdict);
  likelihood_.apply(the_case, verdict);
}

void Ranking::add_objections(Ranked& ranked) const {
  constexpr std::size_t kMost = 3;
  if (options_.method == Method::Paper) {
    ranked.violated = paper_.violated(ranked.the_case, kMost);
    return;
  }
  for (const LikelihoodRanking::Obstacle& obstacle : likelihood_.obstacles(ranked.the_case)) {
    if (ranked.never.size() == kMost || obstacle.can_be >= 1) break;
    ranked.never.push_back(obstacle.literals);
  }
}

Ranked Ranking::place(std::uint32_t the_case) const {
  Ranked ranked;
  ranked.the_case = the_case;
  ranked.verdict = verdicts_[the_case];
  ranked.probability = options_.method == Method::Paper ? paper_.probability(the_case)
                                                        : likelihood_.probability(the_case);
  if (ranked.verdict != Verdict::None) {
    ranked.probability = ranked.verdict == Verdict::Confirmed ? 1 : 0;
  }
  ranked.basis = likelihood_.basis(the_case);
  ranked.happened = likelihood_.happened(the_case);
  ranked.seen = likelihood_.seen(the_case);
  ranked.likelihood = likelihood_.estimate(the_case);
  add_objections(ranked);
  return ranked;
}

std::vector<Ranked> Ranking::ranked(Gains wanted) const {
  std::vector<Ranked> all;
  const auto add_with = [&](Verdict verdict) {
    for (std::uint32_t i = 0; i < verdicts_.size(); ++i) {
      if (verdicts_[i] == verdict) all.push_back(place(i));
    }
  };
  add_with(Verdict::Confirmed);
  const bool by_paper = options_.method == Method::Paper;
  std::vector<std::optional<double>> gains(verdicts_.size());
  if (by_paper || wanted == Gains::Always) {
    for (const AfcheckerRanking::Place& open : paper_.ranking()) {
      gains[open.the_case] = open.gain;
      if (!by_paper) continue;
      all.push_back(place(open.the_case));
      all.back().gain = open.gain;
    }
  }
  if (!by_paper) {
    for (const std::uint32_t the_case : likelihood_.ranking()) {
      all.push_back(place(the_case));
      all.back().gain = gains[the_case];
    }
  }
  add_with(Verdict::Rejected);
  return all;
}

std::optional<std::uint32_t> Ranking::best() const {
  return options_.method == Method::Paper ? paper_.best() : likelihood_.best();
}

std::vector<Quality> qualities(Ranking ranking, const std::vector<bool>& truths) {
  const auto true_count = static_cast<std::size_t>(std::ranges::count(truths, true));
  const std::size_t tenth = (truths.size() + 9) / 10;
  std::vector<bool> fixed;
  for (const Ranked& ranked : ranking.ranked()) fixed.push_back(truths[ranked.the_case]);
  std::vector<bool> dynamic;
  while (const std::optional<std::uint32_t> next = ranking.best()) {
    dynamic.push_back(truths[*next]);
    ranking.apply(*next, truths[*next] ? Verdict::Confirmed : Verdict::Rejected);
  }
  const auto quality = [&](std::string name, const std::vector<bool>& ranked) {
    return Quality{std::move(name), normalized_dcg(ranked), precision(ranked, true_count),
                   precision(ranked, tenth)};
  };
  std::vector<bool> ideal = truths;
  std::sort(ideal.begin(), ideal.end(), std::greater{});
  const double share =
      truths.empty() ? 0 : static_cast<double>(true_count) / static_cast<double>(truths.size());
  return {quality("static", fixed), quality("dynamic", dynamic),
          Quality{"random", random_dcg(truths.size(), true_count), share, share},
          quality("ideal", ideal)};
}

}  // namespace poise::rank
