#include "poise/verify/odds/part_probability.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "poise/base/infinity.h"
#include "poise/chance/nearest_point.h"

namespace poise::verify {

using Sign = Literal::Sign;

namespace {

constexpr std::size_t kMostConjunctions = 256;
constexpr std::size_t kMostStarts = 32;
constexpr std::size_t kMostDirections = 40;
constexpr Sampling kRoughSampling = {.samples = 400};
bool is_certain(const AffineRow& row) { return row.noise.empty(); }

}  // namespace

PartProbability::PartProbability(const IndependentPart& part) : part_(part) {
  for (const PartBranch& branch : part.branches) {
    certain_.push_back({{}, {}, {}});
    for (const PartStage& stage : branch.stages) {
      if (stage.is_certain()) certain_.back().stages.push_back(stage);
    }
  }
  const auto conjunctions = conjunctions_of(part, kMostConjunctions);
  if (!conjunctions) {
    sampler_ = std::make_unique<Sampler>(part);
    return;
  }
  for (const Conjunction& one : *conjunctions) {
    if (!by_chance()) add_product(one);
  }
}

void PartProbability::add_product(const Conjunction& one) {
  Product made{one.branch, one.certain, {}};
  for (const Rows& rows : one.factors) {
    made.factors.push_back(factor_of(rows));
    if (by_chance()) return;
  }
  const bool impossible = std::ranges::any_of(
      made.factors, [&](std::size_t factor) { return factors_[factor].impossible; });
  if (!impossible) products_.push_back(std::move(made));
}

std::size_t PartProbability::factor_of(const Rows& rows) {
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    if (factors_[i].rows == rows) return i;
  }
  Factor made{rows, {}, {}, nullptr};
  std::set<std::size_t> noise;
  for (const AffineRow* row : rows) {
    for (const AffineRow::Term& term : row->noise) noise.insert(term.index);
  }
  made.noise.assign(noise.begin(), noise.end());
  std::vector<chance::Law> laws;
  for (const std::size_t index : made.noise) laws.push_back(part_.noise[index].law);
  for (const AffineRow* row : rows) {
    chance::LinearConstraint constraint{std::vector<double>(made.noise.size())};
    bool whole = false;
    for (const AffineRow::Term& term : row->noise) {
      const auto at = std::ranges::lower_bound(made.noise, term.index);
      constraint.coefficients[static_cast<std::size_t>(at - made.noise.begin())] = term.factor;
      whole = whole || part_.noise[term.index].whole;
    }
    if (whole && row->noise.size() > 1) {
      sampler_ = std::make_unique<Sampler>(part_);
      return 0;
    }
    // allowed() gives the bounds of the whole noise itself, so its coefficient is 1.
    if (whole) {
      for (double& coefficient : constraint.coefficients) coefficient = coefficient != 0 ? 1 : 0;
    }
    if (!whole && row->sign == Sign::Equal) made.impossible = true;
    made.constraints.push_back(std::move(constraint));
  }
  made.event = std::make_unique<chance::RoughEvent>(made.constraints, laws);
  made.lower.resize(rows.size());
  made.upper.resize(rows.size());
  factors_.push_back(std::move(made));
  return factors_.size() - 1;
}

bool PartProbability::is_drawn() const {
  return by_chance() || std::ranges::any_of(factors_, [](const Factor& factor) {
           return !factor.event->is_exact();
         });
}

void PartProbability::set_sides(Factor& factor, const Environment& environment) const {
  for (std::size_t i = 0; i < factor.rows.size(); ++i) {
    const AffineRow& row = *factor.rows[i];
    const double rest = known(row, environment);
    if (part_.noise[row.noise.front().index].whole) {
      const Allowed values = allowed(row.noise.front().factor, rest, row.sign, true);
      factor.lower[i] = values.from;
      factor.upper[i] = values.to;
    } else {
      factor.lower[i] = -kInfinity;
      factor.upper[i] = -rest;
    }
  }
}

template <class Value>
std::vector<double> PartProbability::by_conjunction(const Environment& environment,
                                                    const Value& value) {
  std::vector<bool> possible;
  for (const PartBranch& branch : certain_) possible.push_back(missed(branch, environment) == 0);
  std::vector<double> of_factor(factors_.size(), -1);  // -1: not yet known
  std::vector<double> values;
  for (const Product& one : products_) {
    double product = possible[one.branch] ? 1 : 0;
    for (const AffineRow* row : one.certain) {
      if (missed(*row, environment) > 0) product = 0;
    }
    for (const std::size_t factor : one.factors) {
      if (product == 0) break;
      if (of_factor[factor] < 0) {
        set_sides(factors_[factor], environment);
        of_factor[factor] = value(factor);
      }
      product *= of_factor[factor];
    }
    values.push_back(product);
  }
  return values;
}

std::vector<bool> PartProbability::counting_conjunctions(const std::vector<double>& values) const {
  std::vector<double> of_branch(part_.branches.size());
  for (std::size_t i = 0; i < values.size(); ++i) of_branch[products_[i].branch] += values[i];
  const std::vector<bool> branches = counting(part_.branches, of_branch);
  std::vector<bool> counts;
  for (const Product& one : products_) counts.push_back(branches[one.branch]);
  return counts;
}

void PartProbability::aim(const Environment& environment) {
  for (Factor& factor : factors_) {
    if (factor.event->is_exact()) continue;
    set_sides(factor, environment);
    factor.event->aim(factor.lower, factor.upper);
  }
}

double PartProbability::rough(const Environment& environment) {
  if (by_chance()) return sampler_->sampled(environment, kRoughSampling).mean;
  const std::vector<double> values = by_conjunction(environment, [&](std::size_t index) {
    const Factor& factor = factors_[index];
    return factor.event->probability(factor.lower, factor.upper);
  });
  const std::vector<bool> counts = counting_conjunctions(values);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += counts[i] ? values[i] : 0;
  return std::min(sum, 1.0);
}

double PartProbability::score(const Environment& environment) {
  const double value = rough(environment);
  if (value > 0) return std::log(value);
  // How far even the most favourable noise is from the event, in the conjunction that is nearest.
  double least = kInfinity;
  const auto consider = [&](std::size_t branch, double more) {
    least = std::min(least, missed(certain_[branch], environment) + more);
  };
  for (const Product& one : products_) {
    double total = 0;
    for (const AffineRow* row : one.certain) total += missed(*row, environment);
    for (const std::size_t factor : one.factors) {
      for (const AffineRow* row : factors_[factor].rows) {
        double lowest = known(*row, environment);
        for (const AffineRow::Term& term : row->noise) {
          const chance::Law& law = part_.noise[term.index].law;
          lowest += std::min(term.factor * law.low(), term.factor * law.high());
        }
        total += std::max(0.0, lowest);
      }
    }
    consider(one.branch, total);
  }
  for (std::size_t i = 0; by_chance() && i < certain_.size(); ++i) consider(i, 0);
  return -1000 - std::min(least, 1e9);
}

Likelihood PartProbability::precise(const Environment& environment,
                                    const chance::Precision& precision) {
  if (by_chance()) {
    const Sampled sampled = sampler_->sampled(environment, {.seed = precision.seed});
    const double error =
        std::max(sampled.interval.high - sampled.mean, sampled.mean - sampled.interval.low);
    return {sampled.mean, error, error > 0 ? "sampling" : "exact"};
  }
  std::vector<double> errors(factors_.size());  // relative
  const std::vector<double> values = by_conjunction(environment, [&](std::size_t index) {
    Factor& factor = factors_[index];
    if (factor.event->is_exact()) return factor.event->probability(factor.lower, factor.upper);
    std::vector<chance::Law> laws;
    for (const std::size_t noise : factor.noise) laws.push_back(part_.noise[noise].law);
    std::vector<chance::LinearConstraint> constraints = factor.constraints;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      constraints[i].lower = factor.lower[i];
      constraints[i].upper = factor.upper[i];
    }
    const chance::Estimate estimate = probability(constraints, laws, precision);
    if (estimate.value > 0) errors[index] = estimate.error / estimate.value;
    return estimate.value;
  });
  const std::vector<bool> counts = counting_conjunctions(values);
  Likelihood result{0, 0, "exact"};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!counts[i]) continue;
    double squares = 0;
    for (const std::size_t factor : products_[i].factors) {
      squares += errors[factor] * errors[factor];
    }
    result.value += values[i];
    result.error += values[i] * std::sqrt(squares);
  }
  result.value = std::min(result.value, 1.0);  // a sum of estimates may exceed it
  // From three standard deviations to a 95 % interval: 2.2, by Student's t law for 12 means.
  result.error *= 2.2 / 3;
  if (result.error > 0) result.method = "lattice rule";
  return result;
}

bool PartProbability::is_possible(const Environment& environment) const {
  return std::ranges::any_of(
      certain_, [&](const PartBranch& branch) { return missed(branch, environment) == 0; });
}

// ---- For the search for the worst environment ----

std::vector<Rows> PartProbability::ways_through(std::size_t most) const {
  std::vector<Rows> all;
  for (const PartBranch& branch : part_.branches) {
    std::vector<Rows> ways = {{}};
    for (const PartStage& stage : branch.stages) {
      std::vector<Rows> longer;
      for (const Rows& one : ways) {
        for (const std::vector<AffineRow>& way : stage.ways) {
          if (longer.size() == most) break;
          longer.push_back(one);
          for (const AffineRow& row : way) longer.back().push_back(&row);
        }
      }
      ways = std::move(longer);
    }
    all.insert(all.end(), ways.begin(), ways.end());
  }
  if (all.size() > most) all.resize(most);
  return all;
}

// The likeliest numbers that satisfy the rows: environment (taken for uniform in its ranges) and
// noise, or, in a given environment, noise alone.
std::vector<double> PartProbability::likeliest_numbers(const Rows& rows,
                                                       const Environment* environment,
                                                       double margin) const {
  const std::size_t before = environment == nullptr ? part_.environment.size() : 0;
  std::vector<chance::Law> laws;
  if (environment == nullptr) {
    for (const IndependentPart::Environment& number : part_.environment) {
      laws.push_back(number.low < number.high ? chance::Law::uniform(number.low, number.high)
                                              : chance::Law::point(number.low));
    }
  }
  for (const IndependentPart::Noise& noise : part_.noise) laws.push_back(noise.law);
  std::vector<chance::Slab> slabs;
  for (const AffineRow* row : rows) {
    chance::Slab slab{std::vector<double>(laws.size()), -kInfinity, -row->constant};
    if (environment != nullptr) {
      slab.upper = -known(*row, *environment);
    } else {
      for (const AffineRow::Term& term : row->environment) slab.normal[term.index] = term.factor;
    }
    for (const AffineRow::Term& term : row->noise) slab.normal[before + term.index] = term.factor;
    if (row->sign == Sign::Equal) {
      slab.lower = slab.upper;
    } else {
      slab.upper -= margin;
    }
    slabs.push_back(std::move(slab));
  }
  return chance::nearest_point(slabs, laws);
}

std::vector<PartProbability::Environment> PartProbability::starts() const {
  std::vector<Environment> result;
  for (const Rows& rows : ways_through(kMostStarts)) {
    Environment start = likeliest_numbers(rows, nullptr, 0);
    start.resize(part_.environment.size());
    for (std::size_t i = 0; i < start.size(); ++i) {
      const IndependentPart::Environment& number = part_.environment[i];
      if (number.whole) start[i] = std::round(start[i]);
      start[i] = std::clamp(start[i], std::min(number.low, number.high), number.high);
    }
    result.push_back(std::move(start));
  }
  return result;
}

std::vector<double> PartProbability::likeliest_noise(const Environment& environment,
                                                     double margin) {
  std::vector<double> best;
  double most = -kInfinity;
  for (const Rows& rows : ways_through(kMostConjunctions)) {
    const bool possible = std::ranges::all_of(rows, [&](const AffineRow* row) {
      return !is_certain(*row) || missed(*row, environment) == 0;
    });
    if (!possible) continue;
    std::vector<double> noise = likeliest_numbers(rows, &environment, margin);
    double likelihood = 0;
    for (std::size_t i = 0; i < noise.size(); ++i) {
      const chance::Law& law = part_.noise[i].law;
      const double away = noise[i] - law.mean();
      likelihood -= away * away / law.variance();
    }
    // nearest_point() is an approximation: punish rows that it misses.
    for (const AffineRow* row : rows) {
      double value = known(*row, environment);
      for (const AffineRow::Term& term : row->noise) value += term.factor * noise[term.index];
      const double miss = row->sign == Sign::Equal ? std::abs(value) : std::max(0.0, value);
      if (miss > 1e-3) likelihood -= 1e6 * miss;
    }
    if (likelihood <= most) continue;
    most = likelihood;
    best = std::move(noise);
  }
  return best;
}

std::vector<double> PartProbability::scales() const {
  std::vector<double> scales(part_.environment.size(), kInfinity);
  for (const PartBranch& branch : part_.branches) {
    for (const PartStage& stage : branch.stages) {
      for (const std::vector<AffineRow>& way : stage.ways) {
        for (const AffineRow& row : way) {
          double variance = 0;
          for (const AffineRow::Term& term : row.noise) {
            variance += term.factor * term.factor * part_.noise[term.index].law.variance();
          }
          if (variance == 0) continue;
          for (const AffineRow::Term& term : row.environment) {
            scales[term.index] =
                std::min(scales[term.index], std::sqrt(variance) / std::abs(term.factor));
          }
        }
      }
    }
  }
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const IndependentPart::Environment& number = part_.environment[i];
    scales[i] = std::min(scales[i], (number.high - number.low) / 4);
    if (number.whole) scales[i] = std::max(1.0, std::round(scales[i]));
  }
  return scales;
}

std::vector<std::vector<double>> PartProbability::directions() const {
  std::vector<std::vector<double>> directions;
  for (const PartBranch& branch : part_.branches) {
    for (const PartStage& stage : branch.stages) {
      for (const std::vector<AffineRow>& way : stage.ways) {
        for (const AffineRow& row : way) {
          for (std::size_t a = 0; a < row.environment.size(); ++a) {
            for (std::size_t b = a + 1; b < row.environment.size(); ++b) {
              std::vector<double> made(part_.environment.size());
              const AffineRow::Term& one = row.environment[a];
              const AffineRow::Term& other = row.environment[b];
              made[one.index] = 1;
              made[other.index] = -one.factor / other.factor;
              if (directions.size() == kMostDirections) return directions;
              const bool known = std::ranges::find(directions, made) != directions.end();
              if (!known) directions.push_back(std::move(made));
            }
          }
        }
      }
    }
  }
  return directions;
}

}  // namespace poise::verify
