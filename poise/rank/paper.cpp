#include "poise/rank/paper.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace poise::rank {

using finding::Case;
using finding::Conjunction;
using finding::Literal;
using model::AtomId;

double entropy(double p) {
  if (p <= 0 || p >= 1) return 0;
  return -p * std::log2(p) - (1 - p) * std::log2(1 - p);
}

namespace {

// Within a tie. Where a gain was left open, others come first.
bool precedes(const PaperRanking::Place& a, const PaperRanking::Place& b) {
  constexpr double kOpen = -std::numeric_limits<double>::infinity();
  const double of_a = a.gain.value_or(kOpen);
  const double of_b = b.gain.value_or(kOpen);
  return of_a != of_b ? of_a > of_b : a.probability > b.probability;
}

double probability_of(double conflict, double weight) {
  return weight <= 0 ? 1 : std::clamp(1 - conflict / weight, 0.0, 1.0);
}

}  // namespace

PaperRanking::PaperRanking(std::span<const Case> cases, std::vector<Edge> edges,
                           PaperOptions options)
    : edges_(std::move(edges)), options_(options), verdicts_(cases.size(), Verdict::None) {
  // By the pair of atoms, so that what concerns a situation is found without looking at the rest.
  std::map<std::pair<AtomId, AtomId>, std::vector<std::uint32_t>> between;
  for (std::uint32_t i = 0; i < edges_.size(); ++i) {
    between[{edges_[i].from.atom, edges_[i].to.atom}].push_back(i);
  }
  std::map<std::vector<AtomId>, std::uint32_t> known_sets;
  std::map<Conjunction, std::uint32_t> known;
  for (const Case& one : cases) {
    const auto [found, is_new] =
        known.try_emplace(one.situation, static_cast<std::uint32_t>(situations_.size()));
    situation_of_.push_back(found->second);
    if (!is_new) {
      ++situations_[found->second].open;
      continue;
    }
    std::vector<AtomId> atoms;
    for (const Literal& literal : one.situation) atoms.push_back(literal.atom);
    const auto [set, is_new_set] =
        known_sets.try_emplace(atoms, static_cast<std::uint32_t>(sets_.size()));
    if (is_new_set) {
      AtomSet& added = sets_.emplace_back();
      added.relates.resize(edges_.size());
    }
    Situation situation{.atoms = set->second, .violated = {}, .open = 1};
    for (const Literal& p : one.situation) {
      for (const Literal& q : one.situation) {
        const auto edges_between = between.find({p.atom, q.atom});
        if (edges_between == between.end()) continue;
        for (const std::uint32_t edge : edges_between->second) {
          if (is_new_set) {
            sets_.back().related.push_back(edge);
            sets_.back().relates[edge] = true;
          }
          if (edges_[edge].from == p && edges_[edge].to != q) situation.violated.push_back(edge);
        }
      }
    }
    std::ranges::sort(situation.violated);
    situations_.push_back(std::move(situation));
  }
  for (AtomSet& set : sets_) std::ranges::sort(set.related);
  weigh();
}

// Sums are taken in the order of edges, so that equal inputs give equal figures to the last bit.
void PaperRanking::weigh() {
  for (AtomSet& set : sets_) {
    set.weight = 0;
    for (const std::uint32_t edge : set.related) set.weight += edges_[edge].confidence;
  }
  for (Situation& situation : situations_) {
    situation.conflict = 0;
    for (const std::uint32_t edge : situation.violated) {
      situation.conflict += edges_[edge].confidence;
    }
    situation.entropy = rank::entropy(probability(situation));
  }
}

void PaperRanking::apply(std::size_t the_case, Verdict verdict) {
  Situation& situation = situations_[situation_of_[the_case]];
  if (verdicts_[the_case] == Verdict::None && verdict != Verdict::None) --situation.open;
  verdicts_[the_case] = verdict;
  if (verdict == Verdict::None) return;
  for (const std::uint32_t edge : situation.violated) {
    double& confidence = edges_[edge].confidence;
    // What was refuted once stays refuted.
    if (verdict == Verdict::Confirmed) confidence = 0;
    if (verdict == Verdict::Rejected && confidence > 0) {
      confidence = std::min(1.0, confidence + options_.raise);
    }
  }
  weigh();
}

double PaperRanking::probability(const Situation& situation) const {
  return probability_of(situation.conflict, sets_[situation.atoms].weight);
}

double PaperRanking::probability(std::size_t the_case) const {
  return probability(situations_[situation_of_[the_case]]);
}

// `changes` is 0 for every edge, and is left so.
double PaperRanking::gain(std::uint32_t index, std::vector<Change>& changes) const {
  const Situation& inspected = situations_[index];
  if (inspected.violated.empty()) return 0;
  for (const std::uint32_t edge : inspected.violated) {
    const double confidence = edges_[edge].confidence;
    changes[edge].if_confirmed = -confidence;
    changes[edge].if_rejected =
        confidence > 0 ? std::min(1.0, confidence + options_.raise) - confidence : 0;
  }
  std::vector<Change> of_sets(sets_.size());
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    for (const std::uint32_t edge : inspected.violated) {
      if (sets_[i].relates[edge]) of_sets[i] += changes[edge];
    }
  }
  const double p = probability(inspected);
  double sum = 0;
  for (std::uint32_t i = 0; i < situations_.size(); ++i) {
    const Situation& other = situations_[i];
    const std::size_t others = other.open - (i == index && other.open > 0 ? 1 : 0);
    const Change& of_weight = of_sets[other.atoms];
    if (others == 0 || (of_weight.if_confirmed == 0 && of_weight.if_rejected == 0)) continue;
    Change of_conflict;
    for (const std::uint32_t edge : other.violated) of_conflict += changes[edge];
    const double weight = sets_[other.atoms].weight;
    const double if_confirmed = rank::entropy(
        probability_of(other.conflict + of_conflict.if_confirmed, weight + of_weight.if_confirmed));
    const double if_rejected = rank::entropy(
        probability_of(other.conflict + of_conflict.if_rejected, weight + of_weight.if_rejected));
    sum += static_cast<double>(others) *
           (p * (other.entropy - if_confirmed) + (1 - p) * (other.entropy - if_rejected));
  }
  for (const std::uint32_t edge : inspected.violated) changes[edge] = {};
  return sum;
}

double PaperRanking::gain(std::size_t the_case) const {
  std::vector<Change> changes(edges_.size());
  return gain(situation_of_[the_case], changes);
}

std::vector<std::uint32_t> PaperRanking::violated(std::size_t the_case) const {
  std::vector<std::uint32_t> edges = situations_[situation_of_[the_case]].violated;
  std::ranges::stable_sort(edges, std::ranges::greater{},
                           [&](std::uint32_t edge) { return edges_[edge].confidence; });
  return edges;
}

std::vector<PaperRanking::Place> PaperRanking::ranking() const {
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < verdicts_.size(); ++i) {
    if (verdicts_[i] == Verdict::None) places.push_back({i, probability(i), std::nullopt});
  }
  std::ranges::stable_sort(places, std::ranges::greater{}, &Place::probability);
  std::vector<std::optional<double>> gains(situations_.size());
  std::vector<Change> changes(edges_.size());
  std::size_t pairs = 0;
  for (Place& place : places) {
    std::optional<double>& known = gains[situation_of_[place.the_case]];
    if (!known && pairs < options_.most_pairs) {
      pairs += situations_.size();
      known = gain(situation_of_[place.the_case], changes);
    }
    place.gain = known;
  }
  // From the top: all that are close to the first form a tie, then it goes on behind them.
  for (auto first = places.begin(); first != places.end();) {
    const auto last = std::find_if(first, places.end(), [&](const Place& place) {
      return first->probability - place.probability >= options_.tie;
    });
    std::stable_sort(first, last, precedes);
    first = last;
  }
  return places;
}

std::optional<std::uint32_t> PaperRanking::best() const {
  double highest = -1;
  for (std::uint32_t i = 0; i < verdicts_.size(); ++i) {
    if (verdicts_[i] == Verdict::None) highest = std::max(highest, probability(i));
  }
  std::vector<std::optional<double>> gains(situations_.size());
  std::vector<Change> changes(edges_.size());
  std::size_t pairs = 0;
  std::optional<Place> best;
  std::vector<Place> close;
  for (std::uint32_t i = 0; i < verdicts_.size(); ++i) {
    if (verdicts_[i] != Verdict::None || highest - probability(i) >= options_.tie) continue;
    close.push_back({i, probability(i), std::nullopt});
  }
  std::ranges::stable_sort(close, std::ranges::greater{}, &Place::probability);
  for (Place& place : close) {
    std::optional<double>& known = gains[situation_of_[place.the_case]];
    if (!known && pairs < options_.most_pairs) {
      pairs += situations_.size();
      known = gain(situation_of_[place.the_case], changes);
    }
    place.gain = known;
    if (!best || precedes(place, *best)) best = place;
  }
  if (!best) return std::nullopt;
  return best->the_case;
}

}  // namespace poise::rank
