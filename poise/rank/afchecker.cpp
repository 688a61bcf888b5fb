#include "poise/rank/afchecker.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace poise::rank {

using finding::Case;
using finding::Conjunction;
using finding::Literal;
using model::AtomId;

namespace {

void set_bit(Bits& bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

template <class Visit>
void for_each(const Bits& bits, Visit visit) {
  for (std::size_t word = 0; word < bits.size(); ++word) {
    for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
      visit(static_cast<std::uint32_t>(64 * word) +
            static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
}

// The order within a tie: by gain, those with an open gain last.
bool precedes(const AfcheckerRanking::Place& a, const AfcheckerRanking::Place& b) {
  constexpr double kOpen = -std::numeric_limits<double>::infinity();
  const double of_a = a.gain.value_or(kOpen);
  const double of_b = b.gain.value_or(kOpen);
  return of_a != of_b ? of_a > of_b : a.probability > b.probability;
}

}  // namespace

AfcheckerRanking::AfcheckerRanking(std::span<const Case> cases, std::vector<Edge> edges,
                                   AfcheckerOptions options)
    : edges_(std::move(edges)), options_(options), verdicts_(cases.size(), Verdict::None) {
  std::map<AtomId, std::vector<std::uint32_t>> edges_from;
  for (std::uint32_t i = 0; i < edges_.size(); ++i) edges_from[edges_[i].from.atom].push_back(i);
  const Bits none(edges_.size() / 64 + 1);
  std::map<Conjunction, std::uint32_t> known;
  std::map<Bits, std::uint32_t> known_sets;
  std::map<std::pair<std::uint32_t, Bits>, std::uint32_t> known_classes;
  for (const Case& one : cases) {
    const auto [found, is_new] = known.try_emplace(one.situation, 0);
    if (is_new) {
      Bits related = none;
      Bits violated = none;
      for (const Literal& p : one.situation) {
        const auto from_p = edges_from.find(p.atom);
        if (from_p == edges_from.end()) continue;
        for (const std::uint32_t edge : from_p->second) {
          const Literal& to = edges_[edge].to;
          const auto q = std::ranges::lower_bound(one.situation, to.atom, {}, &Literal::atom);
          if (q == one.situation.end() || q->atom != to.atom) continue;
          set_bit(related, edge);
          if (edges_[edge].from == p && to != *q) set_bit(violated, edge);
        }
      }
      const auto [in_set, is_new_set] =
          known_sets.try_emplace(related, static_cast<std::uint32_t>(sets_.size()));
      if (is_new_set) sets_.push_back({std::move(related), 0});
      const auto [in_class, is_new_class] = known_classes.try_emplace(
          {in_set->second, violated}, static_cast<std::uint32_t>(classes_.size()));
      if (is_new_class) classes_.push_back({in_set->second, std::move(violated), 0, 0});
      found->second = in_class->second;
    }
    class_of_.push_back(found->second);
    ++classes_[found->second].open;
  }
  weigh();
}

double AfcheckerRanking::confidence(const Bits& edges) const {
  double sum = 0;
  for_each(edges, [&](std::uint32_t edge) { sum += edges_[edge].confidence; });
  return sum;
}

void AfcheckerRanking::weigh() {
  for (Gains::Set& set : sets_) set.weight = confidence(set.related);
  for (Gains::Class& one : classes_) one.conflict = confidence(one.violated);
}

void AfcheckerRanking::apply(std::size_t the_case, Verdict verdict) {
  Gains::Class& of_case = classes_[class_of_[the_case]];
  if (verdicts_[the_case] == Verdict::None && verdict != Verdict::None) --of_case.open;
  verdicts_[the_case] = verdict;
  if (verdict == Verdict::None) return;
  for_each(of_case.violated, [&](std::uint32_t edge) {
    double& confidence = edges_[edge].confidence;
    // Confidence 0 means refuted by a confirmed case, and stays so.
    if (verdict == Verdict::Confirmed) confidence = 0;
    if (verdict == Verdict::Rejected && confidence > 0) {
      confidence = std::min(1.0, confidence + options_.raise);
    }
  });
  weigh();
}

double AfcheckerRanking::probability(const Gains::Class& of_cases) const {
  return probability_of(of_cases.conflict, sets_[of_cases.set].weight);
}

double AfcheckerRanking::probability(std::size_t the_case) const {
  return probability(classes_[class_of_[the_case]]);
}

std::vector<Gains::Change> AfcheckerRanking::changes() const {
  std::vector<Gains::Change> changes;
  for (const Edge& edge : edges_) {
    const double raised = std::min(1.0, edge.confidence + options_.raise);
    changes.push_back({-edge.confidence, edge.confidence > 0 ? raised - edge.confidence : 0});
  }
  return changes;
}

void AfcheckerRanking::add_gains(std::vector<Place>& places) const {
  const std::vector<Gains::Change> changed = changes();
  Gains gains(changed, sets_, classes_, options_.most_steps);
  std::vector<std::optional<double>> known(classes_.size());
  for (Place& place : places) {
    std::optional<double>& of_class = known[class_of_[place.the_case]];
    if (!of_class) of_class = gains.of(class_of_[place.the_case]);
    place.gain = of_class;
  }
}

double AfcheckerRanking::gain(std::size_t the_case) const {
  const std::vector<Gains::Change> changed = changes();
  return *Gains(changed, sets_, classes_, SIZE_MAX).of(class_of_[the_case]);
}

std::vector<Edge> AfcheckerRanking::violated(std::size_t the_case, std::size_t most) const {
  std::vector<Edge> edges;
  for_each(classes_[class_of_[the_case]].violated, [&](std::uint32_t edge) {
    if (edges_[edge].confidence <= 0) return;
    const auto weaker = std::ranges::find_if(
        edges, [&](const Edge& other) { return other.confidence < edges_[edge].confidence; });
    if (weaker == edges.end() && edges.size() == most) return;
    edges.insert(weaker, edges_[edge]);
    if (edges.size() > most) edges.pop_back();
  });
  return edges;
}

std::vector<AfcheckerRanking::Place> AfcheckerRanking::ranking() const {
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < verdicts_.size(); ++i) {
    if (verdicts_[i] == Verdict::None) places.push_back({i, probability(i), std::nullopt});
  }
  std::ranges::stable_sort(places, std::ranges::greater{}, &Place::probability);
  add_gains(places);
  // From the top: all cases that are close to the first form a tie; the next tie begins behind it.
  for (auto first = places.begin(); first != places.end();) {
    const auto last = std::find_if(first, places.end(), [&](const Place& place) {
      return first->probability - place.probability >= options_.tie;
    });
    std::stable_sort(first, last, precedes);
    first = last;
  }
  return places;
}

std::optional<std::uint32_t> AfcheckerRanking::best() const {
  double highest = -1;
  for (std::uint32_t i = 0; i < verdicts_.size(); ++i) {
    if (verdicts_[i] == Verdict::None) highest = std::max(highest, probability(i));
  }
  std::vector<Place> tie;
  for (std::uint32_t i = 0; i < verdicts_.size(); ++i) {
    if (verdicts_[i] != Verdict::None || highest - probability(i) >= options_.tie) continue;
    tie.push_back({i, probability(i), std::nullopt});
  }
  if (tie.empty()) return std::nullopt;
  std::ranges::stable_sort(tie, std::ranges::greater{}, &Place::probability);
  add_gains(tie);
  return std::ranges::min_element(tie, precedes)->the_case;
}

}  // namespace poise::rank
