#include "poise/rank/gains.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace poise::rank {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

std::size_t hash_of(const std::uint64_t* words, std::size_t count) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (std::size_t i = 0; i < count; ++i) {
    hash = (hash ^ words[i]) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32U;
  }
  return hash;
}

}  // namespace

double entropy(double p) {
  if (p <= 0 || p >= 1) return 0;
  return -p * std::log2(p) - (1 - p) * std::log2(1 - p);
}

double probability_of(double conflict, double weight) {
  return weight <= 0 ? 1 : std::clamp(1 - conflict / weight, 0.0, 1.0);
}

Gains::Gains(const std::vector<Change>& changes, const std::vector<Set>& sets,
             const std::vector<Class>& classes, std::size_t most_steps)
    : changes_(changes),
      sets_(sets),
      classes_(classes),
      steps_left_(most_steps),
      members_(sets.size()),
      now_(sets.size(), 0),
      known_(sets.size()) {
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    const Class& one = classes[i];
    if (one.open == 0) continue;
    members_[one.set].push_back(i);
    now_[one.set] +=
        static_cast<double>(one.open) * entropy(probability_of(one.conflict, sets[one.set].weight));
  }
}

Gains::Change Gains::change_of(const Bits& a, const Bits& b) const {
  Change sum;
  for (std::size_t word = 0; word < a.size(); ++word) {
    for (std::uint64_t bits = a[word] & b[word]; bits != 0; bits &= bits - 1) {
      sum += changes_[64 * word + static_cast<std::size_t>(std::countr_zero(bits))];
    }
  }
  return sum;
}

Gains::Entropies Gains::entropies_of(const Class& one, const Bits& violated,
                                     const Change& of_weight) const {
  const Change of_conflict = change_of(one.violated, violated);
  const double weight = sets_[one.set].weight;
  return {entropy(probability_of(one.conflict + of_conflict.if_confirmed,
                                 weight + of_weight.if_confirmed)),
          entropy(probability_of(one.conflict + of_conflict.if_rejected,
                                 weight + of_weight.if_rejected))};
}

void Gains::grow(Known& known, std::size_t words) {
  const std::size_t size = std::max<std::size_t>(16, known.table.size() * 2);
  known.table.assign(size, kNone);
  for (std::uint32_t i = 0; i < known.entropies.size(); ++i) {
    std::size_t at = hash_of(&known.keys[i * words], words) & (size - 1);
    while (known.table[at] != kNone) at = (at + 1) & (size - 1);
    known.table[at] = i;
  }
}

const Gains::Entropies& Gains::entropies(std::uint32_t set, const Bits& violated) {
  Known& known = known_[set];
  const std::size_t words = violated.size();
  if (2 * (known.entropies.size() + 1) > known.table.size()) grow(known, words);
  std::size_t at = hash_of(violated.data(), words) & (known.table.size() - 1);
  for (; known.table[at] != kNone; at = (at + 1) & (known.table.size() - 1)) {
    const std::uint32_t index = known.table[at];
    if (std::equal(violated.begin(), violated.end(), &known.keys[index * words])) {
      return known.entropies[index];
    }
  }
  const Change of_weight = change_of(violated, violated);
  Entropies sum;
  for (const std::uint32_t member : members_[set]) {
    const Entropies one = entropies_of(classes_[member], violated, of_weight);
    const auto open = static_cast<double>(classes_[member].open);
    sum += {open * one.if_confirmed, open * one.if_rejected};
  }
  steps_left_ -= std::min(steps_left_, members_[set].size());
  known.table[at] = static_cast<std::uint32_t>(known.entropies.size());
  known.keys.insert(known.keys.end(), violated.begin(), violated.end());
  known.entropies.push_back(sum);
  return known.entropies.back();
}

std::optional<double> Gains::of(std::uint32_t the_class) {
  if (steps_left_ == 0) return std::nullopt;
  const Class& inspected = classes_[the_class];
  const double p = probability_of(inspected.conflict, sets_[inspected.set].weight);
  const auto gained = [p](double now, const Entropies& after) {
    return p * (now - after.if_confirmed) + (1 - p) * (now - after.if_rejected);
  };
  double sum = 0;
  key_.resize(inspected.violated.size());
  for (std::uint32_t set = 0; set < sets_.size(); ++set) {
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < key_.size(); ++word) {
      key_[word] = inspected.violated[word] & sets_[set].related[word];
      any |= key_[word];
    }
    if (any == 0 || members_[set].empty()) continue;
    sum += gained(now_[set], entropies(set, key_));
  }
  if (inspected.open == 0) return sum;
  // The sums include the inspected case itself: take it out.
  const Change of_weight = change_of(inspected.violated, inspected.violated);
  return sum - gained(entropy(p), entropies_of(inspected, inspected.violated, of_weight));
}

}  // namespace poise::rank
