#include "poise/rank/likelihood.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace poise::rank {

using finding::Case;
using finding::Conjunction;
using finding::Literal;

namespace {

// The posterior probability that something is possible, from even odds, if it was expected so many
// times and never seen. (The bound keeps exp() from overflowing.)
double can_be_after(double occasions) { return 1 / (1 + std::exp(std::min(occasions, 700.0))); }

// A log is short: half an occurrence more is to be expected than it gives reasons for.
constexpr double kUnforeseen = 0.5;

}  // namespace

LikelihoodRanking::LikelihoodRanking(std::span<const Case> cases, const Evidence& evidence,
                                     const Executed& executed)
    : seconds_(evidence.has_times() ? evidence.seconds() : 0),
      happened_(executed.happened),
      expected_(executed.expected),
      verdicts_(cases.size(), Verdict::None) {
  for (std::uint32_t i = 0; i < cases.size(); ++i) {
    fault_of_.push_back(cases[i].fault);
    if (faults_.size() <= cases[i].fault) faults_.resize(cases[i].fault + 1);
    if (happened_.empty()) continue;
    Fault& fault = faults_[cases[i].fault];
    fault.expected += static_cast<double>(happened_[i].times) + expected_[i];
    if (happened_[i].times > 0) ++fault.real;
  }
  std::map<Conjunction, std::uint32_t> known;
  std::vector<const Conjunction*> distinct;
  for (const Case& one : cases) {
    const auto [found, is_new] =
        known.try_emplace(one.situation, static_cast<std::uint32_t>(distinct.size()));
    if (is_new) distinct.push_back(&found->first);
    situation_of_.push_back(found->second);
  }
  seen_ = rank::seen(evidence, distinct);
  situations_.resize(distinct.size());
  if (evidence.moments().empty()) {
    for (Situation& situation : situations_) situation.can_be = can_be_after(0);
    return;
  }

  // Consecutive entries that say the same are one observation.
  effective_ = static_cast<double>(evidence.beginnings().size());
  for (const Evidence::Change& change : evidence.changes()) {
    effective_ += static_cast<double>(change.times);
  }
  unseen_ = interval(0, effective_);
  const std::size_t atoms = evidence.moments().front().truths.size();
  const std::vector<PairCounts> counts = pair_counts(evidence);
  const Tree tree(atoms, counts);
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    Situation& situation = situations_[i];
    situation.tree = tree.probability(*distinct[i]);
    if (seen_[i].entries > 0) continue;
    find_obstacles(*distinct[i], situation, counts, atoms);
    situation.can_be = can_be_after(effective_ * situation.tree);
  }
}

void LikelihoodRanking::find_obstacles(const Conjunction& literals, Situation& situation,
                                       const std::vector<PairCounts>& counts, std::size_t atoms) {
  const auto add = [&](Conjunction parts, double occasions) {
    const auto [found, is_new] =
        known_.try_emplace(std::move(parts), static_cast<std::uint32_t>(obstacles_.size()));
    if (is_new) obstacles_.push_back({found->first, can_be_after(occasions)});
    situation.obstacles.push_back(found->second);
  };
  const auto share = [&](const Literal& literal) {
    const PairCounts& alone = counts[literal.atom.index * atoms + literal.atom.index];
    return alone.known() == 0 ? 0.5
                              : static_cast<double>(alone.of[literal.holds][literal.holds]) /
                                    static_cast<double>(alone.known());
  };
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (share(literals[i]) == 0) {
      add({literals[i]}, 0);
      continue;
    }
    for (std::size_t j = i + 1; j < literals.size(); ++j) {
      const Literal& p = literals[i];
      const Literal& q = literals[j];
      const PairCounts& pair = counts[p.atom.index * atoms + q.atom.index];
      if (pair.of[p.holds][q.holds] > 0 || pair.known() == 0 || share(q) == 0) continue;
      add({p, q}, effective_ * share(p) * share(q));
    }
  }
}

double LikelihoodRanking::probability(const Situation& situation) const {
  double probability = situation.can_be;
  for (const std::uint32_t obstacle : situation.obstacles) {
    probability *= obstacles_[obstacle].can_be;
  }
  return probability;
}

double LikelihoodRanking::follows(std::size_t the_case) const {
  if (happened_.empty()) return 1;
  const Fault& fault = faults_[fault_of_[the_case]];
  const bool seen = seen_[situation_of_[the_case]].entries > 0;
  const double expected = kUnforeseen + (seen ? expected_[the_case] : fault.expected);
  const auto real = static_cast<double>(fault.real + 1);
  return (1 - std::exp(-expected)) * real / (real + static_cast<double>(fault.rejected));
}

double LikelihoodRanking::probability(std::size_t the_case) const {
  const std::uint32_t index = situation_of_[the_case];
  if (verdicts_[the_case] != Verdict::None) {
    return verdicts_[the_case] == Verdict::Confirmed ? 1 : 0;
  }
  if (basis(the_case) == Basis::Happened) return 1;
  const bool possible = seen_[index].entries > 0 || situations_[index].confirmed;
  return (possible ? 1 : probability(situations_[index])) * follows(the_case);
}

std::optional<Happened> LikelihoodRanking::happened(std::size_t the_case) const {
  if (happened_.empty()) return std::nullopt;
  return happened_[the_case];
}

Basis LikelihoodRanking::basis(std::size_t the_case) const {
  if (!happened_.empty() && happened_[the_case].times > 0) return Basis::Happened;
  if (!happened_.empty() && happened_[the_case].at_most > 0) return Basis::Possible;
  return seen_[situation_of_[the_case]].entries > 0 ? Basis::Situation : Basis::Likeness;
}

void LikelihoodRanking::apply(std::size_t the_case, Verdict verdict) {
  Situation& situation = situations_[situation_of_[the_case]];
  const double follows = this->follows(the_case);
  verdicts_[the_case] = verdict;
  Fault& fault = faults_[fault_of_[the_case]];
  const bool happened = basis(the_case) == Basis::Happened;
  if (verdict == Verdict::Confirmed && !happened) ++fault.real;
  if (verdict == Verdict::Rejected && !happened) ++fault.rejected;
  if (verdict == Verdict::Confirmed) {
    situation.confirmed = true;
    for (const std::uint32_t obstacle : situation.obstacles) obstacles_[obstacle].proved = true;
  }
  if (verdict != Verdict::Rejected) return;
  // At least one obstacle is impossible. Bayes: with `all` the probability that all are possible,
  // P(this one possible | not all possible) = (can_be - all) / (1 - all).
  double all = situation.can_be * follows;
  for (const std::uint32_t obstacle : situation.obstacles) {
    if (!obstacles_[obstacle].proved) all *= obstacles_[obstacle].can_be;
  }
  for (const std::uint32_t obstacle : situation.obstacles) {
    double& can_be = obstacles_[obstacle].can_be;
    if (!obstacles_[obstacle].proved && all < 1) {
      can_be = std::max(0.0, (can_be - all) / (1 - all));
    }
  }
  if (happened_.empty()) {
    situation.can_be = 0;
  } else if (all < 1) {
    situation.can_be = std::max(0.0, (situation.can_be - all) / (1 - all));
  }
}

Estimate LikelihoodRanking::estimate(std::size_t the_case) const {
  const std::uint32_t index = situation_of_[the_case];
  const Seen& seen = seen_[index];
  const double share =
      seconds_ > 0
          ? seen.seconds / seconds_
          : (seen.known == 0 ? 0
                             : static_cast<double>(seen.entries) / static_cast<double>(seen.known));
  const double prior = situations_[index].tree;
  const auto [low, high] = share > 0 ? interval(share * effective_, effective_) : unseen_;
  return {(share * effective_ + prior) / (effective_ + 1), low, high};
}

bool LikelihoodRanking::precedes(const Place& a, const Place& b) {
  return std::tuple(a.basis, -a.first, -a.second) < std::tuple(b.basis, -b.first, -b.second);
}

std::vector<LikelihoodRanking::Place> LikelihoodRanking::places() const {
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < verdicts_.size(); ++i) {
    if (verdicts_[i] != Verdict::None) continue;
    const std::uint32_t index = situation_of_[i];
    const Seen& seen = seen_[index];
    const double held = seconds_ > 0 ? seen.seconds : static_cast<double>(seen.entries);
    const Basis basis = this->basis(i);
    places.push_back(
        {i, basis,
         basis == Basis::Happened ? static_cast<double>(happened_[i].times) : probability(i),
         basis == Basis::Likeness ? situations_[index].tree : held});
  }
  return places;
}

std::vector<std::uint32_t> LikelihoodRanking::ranking() const {
  std::vector<Place> all = places();
  std::ranges::stable_sort(all, precedes);
  std::vector<std::uint32_t> order;
  for (const Place& place : all) order.push_back(place.the_case);
  return order;
}

std::optional<std::uint32_t> LikelihoodRanking::best() const {
  const std::vector<Place> all = places();
  if (all.empty()) return std::nullopt;
  return std::ranges::min_element(all, precedes)->the_case;
}

std::vector<LikelihoodRanking::Obstacle> LikelihoodRanking::obstacles(std::size_t the_case) const {
  std::vector<Obstacle> found;
  for (const std::uint32_t obstacle : situations_[situation_of_[the_case]].obstacles) {
    found.push_back(obstacles_[obstacle]);
  }
  std::ranges::stable_sort(found, {}, &Obstacle::can_be);
  return found;
}

}  // namespace poise::rank
