#include "poise/rank/evidence.h"

#include <algorithm>
#include <functional>

namespace poise::rank {

using finding::Conjunction;
using finding::Literal;

std::uint32_t Evidence::moment_of(std::span<const Truth> truths) {
  key_.assign(truths.size(), '\0');
  std::ranges::transform(truths, key_.begin(),
                         [](Truth truth) { return static_cast<char>(truth); });
  const auto [found, is_new] =
      known_.try_emplace(key_, static_cast<std::uint32_t>(moments_.size()));
  if (is_new) {
    Moment moment;
    moment.truths.assign(truths.begin(), truths.end());
    moments_.push_back(std::move(moment));
  }
  return found->second;
}

void Evidence::add(std::span<const Truth> truths, std::size_t line, std::optional<double> time,
                   std::string_view app) {
  const std::uint32_t id = moment_of(truths);
  ++entries_;
  timed_ = timed_ && time;
  auto found = instances_.find(app);
  if (found == instances_.end()) {
    found = instances_.emplace(std::string(app), Instance{}).first;
    beginnings_.push_back(id);
  } else {
    Instance& instance = found->second;
    if (instance.time && time) {
      const double gap = *time - *instance.time;
      moments_[instance.moment].seconds += gap;
      instance.seconds += gap;
      ++instance.gaps;
      seconds_ += gap;
    }
    if (instance.moment != id) {
      ++changes_[(std::uint64_t{instance.moment} << 32U) | id];
    }
  }
  found->second.moment = id;
  found->second.time = time;
  Moment& moment = moments_[id];
  if (moment.entries++ == 0) {
    moment.first_line = line;
    moment.first_time = time;
  }
  if (time) moment.last_time = std::max(moment.last_time.value_or(*time), *time);
}

void Evidence::finish() {
  for (auto& [app, instance] : instances_) {
    if (instance.gaps == 0) continue;
    const double mean = instance.seconds / static_cast<double>(instance.gaps);
    moments_[instance.moment].seconds += mean;
    seconds_ += mean;
  }
}

std::vector<Evidence::Change> Evidence::changes() const {
  std::vector<Change> all;
  for (const auto& [pair, times] : changes_) {
    all.push_back({static_cast<std::uint32_t>(pair >> 32U),
                   static_cast<std::uint32_t>(pair & 0xFFFFFFFFU), times});
  }
  std::ranges::sort(all, {},
                    [](const Change& change) { return std::pair(change.from, change.to); });
  return all;
}

namespace {

// Truths as bits, one per atom, so that a situation is compared with a moment a word at a time.
// `mask`: the atoms that are known, or that the situation mentions; `value`: those that hold.
struct TruthBits {
  std::vector<std::uint64_t> mask;
  std::vector<std::uint64_t> value;
};

void set_truth_bit(std::vector<std::uint64_t>& bits, std::size_t i) {
  bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

enum class Match { No, Yes, Unknown };

// One truth that differs is enough for No, even if others are unknown.
Match match(const TruthBits& situation, const TruthBits& moment) {
  bool all_known = true;
  for (std::size_t i = 0; i < situation.mask.size(); ++i) {
    const std::uint64_t both = situation.mask[i] & moment.mask[i];
    if (((situation.value[i] ^ moment.value[i]) & both) != 0) return Match::No;
    all_known = all_known && both == situation.mask[i];
  }
  return all_known ? Match::Yes : Match::Unknown;
}

}  // namespace

std::vector<Seen> seen(const Evidence& evidence, std::span<const Conjunction* const> situations) {
  const std::vector<Moment>& moments = evidence.moments();
  std::vector<Seen> all(situations.size());
  if (moments.empty()) return all;
  const std::size_t atoms = moments.front().truths.size();
  const std::size_t words = atoms / 64 + 1;
  const TruthBits none{std::vector<std::uint64_t>(words), std::vector<std::uint64_t>(words)};
  std::vector<TruthBits> bits(moments.size(), none);
  for (std::size_t i = 0; i < moments.size(); ++i) {
    for (std::size_t atom = 0; atom < atoms; ++atom) {
      if (moments[i].truths[atom] != Truth::Unknown) set_truth_bit(bits[i].mask, atom);
      if (moments[i].truths[atom] == Truth::True) set_truth_bit(bits[i].value, atom);
    }
  }
  const std::vector<Evidence::Change> changes = evidence.changes();
  std::vector<bool> matches(moments.size());
  for (std::size_t i = 0; i < situations.size(); ++i) {
    TruthBits situation = none;
    for (const Literal& literal : *situations[i]) {
      set_truth_bit(situation.mask, literal.atom.index);
      if (literal.holds) set_truth_bit(situation.value, literal.atom.index);
    }
    Seen& result = all[i];
    for (std::size_t m = 0; m < moments.size(); ++m) {
      const Match outcome = match(situation, bits[m]);
      matches[m] = outcome == Match::Yes;
      if (outcome != Match::Unknown) result.known += moments[m].entries;
      if (!matches[m]) continue;
      const Moment& moment = moments[m];
      if (result.entries == 0 || moment.first_line < result.first_line) {
        result.first_line = moment.first_line;
        result.first_time = moment.first_time;
      }
      result.entries += moment.entries;
      result.seconds += moment.seconds;
      if (moment.last_time) {
        result.last_time =
            std::max(result.last_time.value_or(*moment.last_time), *moment.last_time);
      }
    }
    if (result.entries == 0) continue;
    for (const std::uint32_t beginning : evidence.beginnings()) {
      if (matches[beginning]) ++result.times;
    }
    for (const Evidence::Change& change : changes) {
      if (matches[change.to] && !matches[change.from]) result.times += change.times;
    }
  }
  return all;
}

}  // namespace poise::rank
