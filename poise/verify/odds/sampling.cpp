#include "poise/verify/odds/sampling.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "poise/base/random.h"

namespace poise::verify {

namespace {

// The branches that count, among those with the same groups and choices at the first `depth` acts,
// and the sum of their probabilities.
struct Counted {
  double probability = 0;
  std::vector<std::size_t> branches;
};

Counted counted(const std::vector<PartBranch>& branches, const std::vector<double>& probabilities,
                const std::vector<std::size_t>& among, std::size_t depth) {
  Counted result;
  std::map<std::size_t, std::map<std::size_t, std::vector<std::size_t>>> deeper;
  for (const std::size_t branch : among) {
    if (branches[branch].groups.size() > depth) {
      deeper[branches[branch].groups[depth]][branches[branch].choices[depth]].push_back(branch);
    } else {
      result.probability += probabilities[branch];
      result.branches.push_back(branch);
    }
  }
  for (const auto& [group, choices] : deeper) {
    Counted best{-1, {}};
    for (const auto& [choice, members] : choices) {
      Counted one = counted(branches, probabilities, members, depth + 1);
      if (one.probability > best.probability) best = std::move(one);
    }
    result.probability += best.probability;
    result.branches.insert(result.branches.end(), best.branches.begin(), best.branches.end());
  }
  return result;
}

}  // namespace

std::vector<bool> counting(const std::vector<PartBranch>& branches,
                           const std::vector<double>& probabilities) {
  std::vector<std::size_t> all(branches.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<bool> counts(branches.size());
  for (const std::size_t branch : counted(branches, probabilities, all, 0).branches) {
    counts[branch] = true;
  }
  return counts;
}

namespace {

template <class Condition>
std::set<std::size_t> noise_of(const Condition& condition) {
  std::set<std::size_t> noise;
  for (const std::vector<AffineRow>& way : condition.ways) {
    for (const AffineRow& row : way) {
      for (const AffineRow::Term& term : row.noise) noise.insert(term.index);
    }
  }
  return noise;
}

}  // namespace

Sampler::Sampler(const IndependentPart& part) : part_(part) {
  for (std::size_t i = 0; i < part.branches.size(); ++i) {
    Branch branch;
    std::map<std::size_t, Condition> by_origin;
    for (const PartStage& stage : part.branches[i].stages) {
      Condition& condition = by_origin[stage.origin];
      if (condition.ways.empty()) condition.ways.emplace_back();
      std::vector<std::vector<AffineRow>> ways;
      for (const std::vector<AffineRow>& one : condition.ways) {
        for (const std::vector<AffineRow>& other : stage.ways) {
          ways.push_back(one);
          ways.back().insert(ways.back().end(), other.begin(), other.end());
        }
      }
      condition.ways = std::move(ways);
    }
    std::vector<std::size_t> uses(part.noise.size());
    for (const auto& [origin, condition] : by_origin) {
      for (const std::size_t noise : noise_of(condition)) ++uses[noise];
    }
    std::vector<bool> drawn(part.noise.size());
    for (auto& [origin, condition] : by_origin) {
      std::set<std::size_t> exact;
      for (const std::size_t noise : noise_of(condition)) {
        if (uses[noise] == 1) exact.insert(noise);
      }
      // At most one for each bound; the others are drawn.
      for (const std::vector<AffineRow>& way : condition.ways) {
        for (const AffineRow& row : way) {
          bool found = false;
          for (auto term = row.noise.rbegin(); term != row.noise.rend(); ++term) {
            if (found) exact.erase(term->index);
            found = found || exact.contains(term->index);
          }
        }
      }
      for (const std::size_t noise : noise_of(condition)) {
        if (!exact.contains(noise)) drawn[noise] = true;
      }
      condition.exact.assign(exact.begin(), exact.end());
      branch.conditions.push_back(std::move(condition));
    }
    for (std::size_t noise = 0; noise < drawn.size(); ++noise) {
      if (drawn[noise]) branch.drawn.push_back(noise);
    }
    branches_.push_back(std::move(branch));
  }
}

double Sampler::probability(const Condition& condition, const std::vector<AffineRow>& way,
                            const std::vector<double>& environment,
                            const std::vector<double>& noise) const {
  std::vector<Allowed> ranges;
  for (const std::size_t exact : condition.exact) {
    ranges.push_back({part_.noise[exact].law.low(), part_.noise[exact].law.high()});
  }
  for (const AffineRow& row : way) {
    if (row.noise.empty()) {
      if (missed(row, environment) > 0) return 0;
      continue;
    }
    double rest = known(row, environment);
    const AffineRow::Term* left = nullptr;
    for (const AffineRow::Term& term : row.noise) {
      if (std::ranges::binary_search(condition.exact, term.index)) {
        left = &term;
      } else {
        rest += term.factor * noise[term.index];
      }
    }
    if (left == nullptr) {
      const bool holds = row.sign == Literal::Sign::Less     ? rest < 0
                         : row.sign == Literal::Sign::AtMost ? rest <= 1e-9
                                                             : std::abs(rest) <= 1e-9;
      if (!holds) return 0;
      continue;
    }
    const bool whole = part_.noise[left->index].whole;
    if (row.sign == Literal::Sign::Equal && !whole) return 0;
    const Allowed values = allowed(left->factor, rest, row.sign, whole);
    const auto at = std::ranges::lower_bound(condition.exact, left->index);
    Allowed& range = ranges[static_cast<std::size_t>(at - condition.exact.begin())];
    range = {std::max(range.from, values.from), std::min(range.to, values.to)};
  }
  double product = 1;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (!(ranges[i].from <= ranges[i].to)) return 0;
    product *= part_.noise[condition.exact[i]].law.mass(ranges[i].from, ranges[i].to);
  }
  return product;
}

double Sampler::sample(const Branch& branch, const std::vector<double>& environment,
                       const std::vector<double>& noise) const {
  double product = 1;
  for (const Condition& condition : branch.conditions) {
    double sum = 0;
    for (const std::vector<AffineRow>& way : condition.ways) {
      sum += probability(condition, way, environment, noise);
    }
    product *= std::min(sum, 1.0);
    if (product == 0) return 0;
  }
  return product;
}

Sampled Sampler::sampled(const std::vector<double>& environment, const Sampling& sampling) const {
  std::vector<chance::Samples> all;
  std::vector<double> means;
  for (const Branch& branch : branches_) {
    chance::Samples samples;
    if (branch.drawn.empty()) {
      samples.add(sample(branch, environment, {}));
    } else {
      Random random(sampling.seed);
      std::vector<double> noise(part_.noise.size());
      for (std::size_t i = 0; i < sampling.samples; ++i) {
        for (const std::size_t drawn : branch.drawn) {
          const IndependentPart::Noise& one = part_.noise[drawn];
          noise[drawn] = one.whole ? one.law.sample_whole(random) : one.law.sample(random);
        }
        samples.add(sample(branch, environment, noise));
      }
    }
    all.push_back(samples);
    means.push_back(samples.mean);
  }
  // So all intervals hold at once with the confidence asked for (Bonferroni).
  const double confidence = 1 - (1 - sampling.confidence) / static_cast<double>(all.size());
  Sampled result{0, {0, 0}};
  const std::vector<bool> counts = counting(part_.branches, means);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!counts[i]) continue;
    const bool exact = branches_[i].drawn.empty();
    const chance::Interval interval = exact ? chance::Interval{all[i].mean, all[i].mean}
                                            : chance::empirical_bernstein(all[i], confidence);
    result.mean = std::min(1.0, result.mean + all[i].mean);
    result.interval.low += interval.low;
    result.interval.high = std::min(1.0, result.interval.high + interval.high);
  }
  return result;
}

}  // namespace poise::verify
