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
  std::map<AtomId, std::vector<std::uint32_t>> edges_from;
  for (std::uint32_t i = 0; i < edges_.size(); ++i) edges_from[edges_[i].from.atom].push_back(i);
  std::map<Conjunction, std::uint32_t> known;
  std::map<std::vector<std::uint32_t>, std::uint32_t> known_sets;
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::uint32_t> known_classes;
  for (const Case& one : cases) {
    const auto [found, is_new] = known.try_emplace(one.situation, 0);
    if (is_new) {
      std::vector<std::uint32_t> related;
      std::vector<std::uint32_t> violated;
      for (const Literal& p : one.situation) {
        const auto from_p = edges_from.find(p.atom);
        if (from_p == edges_from.end()) continue;
        for (const std::uint32_t edge : from_p->second) {
          const Literal& to = edges_[edge].to;
          const auto q = std::ranges::lower_bound(one.situation, to.atom, {}, &Literal::atom);
          if (q == one.situation.end() || q->atom != to.atom) continue;
          related.push_back(edge);
          if (edges_[edge].from == p && to != *q) violated.push_back(edge);
        }
      }
      std::ranges::sort(related);
      std::ranges::sort(violated);
      const auto [set, is_new_set] =
          known_sets.try_emplace(related, static_cast<std::uint32_t>(sets_.size()));
      if (is_new_set) {
        Set& added = sets_.emplace_back();
        added.relates.resize(edges_.size());
        for (const std::uint32_t edge : related) added.relates[edge] = true;
        added.related = std::move(related);
      }
      const auto [known_class, is_new_class] = known_classes.try_emplace(
          {set->second, violated}, static_cast<std::uint32_t>(classes_.size()));
      if (is_new_class) classes_.push_back({.set = set->second, .violated = std::move(violated)});
      found->second = known_class->second;
    }
    class_of_.push_back(found->second);
    ++classes_[found->second].open;
  }
  weigh();
}

// Sums are taken in the order of edges, so that equal inputs give equal figures to the last bit.
void PaperRanking::weigh() {
  for (Set& set : sets_) {
    set.weight = 0;
    for (const std::uint32_t edge : set.related) set.weight += edges_[edge].confidence;
  }
  for (Class& of_cases : classes_) {
    of_cases.conflict = 0;
    for (const std::uint32_t edge : of_cases.violated) {
      of_cases.conflict += edges_[edge].confidence;
    }
    of_cases.entropy = rank::entropy(probability(of_cases));
  }
}

void PaperRanking::apply(std::size_t the_case, Verdict verdict) {
  Class& of_cases = classes_[class_of_[the_case]];
  if (verdicts_[the_case] == Verdict::None && verdict != Verdict::None) --of_cases.open;
  verdicts_[the_case] = verdict;
  if (verdict == Verdict::None) return;
  for (const std::uint32_t edge : of_cases.violated) {
    double& confidence = edges_[edge].confidence;
    // What was refuted once stays refuted.
    if (verdict == Verdict::Confirmed) confidence = 0;
    if (verdict == Verdict::Rejected && confidence > 0) {
      confidence = std::min(1.0, confidence + options_.raise);
    }
  }
  weigh();
}

double PaperRanking::probability(const Class& of_cases) const {
  return probability_of(of_cases.conflict, sets_[of_cases.set].weight);
}

double PaperRanking::probability(std::size_t the_case) const {
  return probability(classes_[class_of_[the_case]]);
}

// `changes` is 0 for every edge, and is left so.
double PaperRanking::gain(std::uint32_t index, std::vector<Change>& changes) const {
  const Class& inspected = classes_[index];
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
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    const Class& other = classes_[i];
    const std::size_t others = other.open - (i == index && other.open > 0 ? 1 : 0);
    const Change& of_weight = of_sets[other.set];
    if (others == 0 || (of_weight.if_confirmed == 0 && of_weight.if_rejected == 0)) continue;
    Change of_conflict;
    for (const std::uint32_t edge : other.violated) of_conflict += changes[edge];
    const double weight = sets_[other.set].weight;
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
  return gain(class_of_[the_case], changes);
}

std::vector<std::uint32_t> PaperRanking::violated(std::size_t the_case) const {
  std::vector<std::uint32_t> edges = classes_[class_of_[the_case]].violated;
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
  std::vector<std::optional<double>> gains(classes_.size());
  std::vector<Change> changes(edges_.size());
  std::size_t pairs = 0;
  for (Place& place : places) {
    std::optional<double>& known = gains[class_of_[place.the_case]];
    if (!known && pairs < options_.most_pairs) {
      pairs += classes_.size();
      known = gain(class_of_[place.the_case], changes);
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
  std::vector<std::optional<double>> gains(classes_.size());
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
    std::optional<double>& known = gains[class_of_[place.the_case]];
    if (!known && pairs < options_.most_pairs) {
      pairs += classes_.size();
      known = gain(class_of_[place.the_case], changes);
    }
    place.gain = known;
    if (!best || precedes(place, *best)) best = place;
  }
  if (!best) return std::nullopt;
  return best->the_case;
}

}  // namespace poise::rank
