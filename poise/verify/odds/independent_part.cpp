#include "poise/verify/odds/independent_part.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "poise/base/infinity.h"

namespace poise::verify {

using Sign = Literal::Sign;

namespace {

constexpr double kNear = 1e-7;
constexpr double kRounding = 1e-9;

// Union-find.
class Partition {
 public:
  explicit Partition(std::size_t size) : leader_(size) {
    std::iota(leader_.begin(), leader_.end(), std::size_t{0});
  }
  std::size_t leader(std::size_t one) {
    while (leader_[one] != one) one = leader_[one] = leader_[leader_[one]];
    return one;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t first = std::min(leader(a), leader(b));
    leader_[std::max(leader(a), leader(b))] = first;
  }

 private:
  std::vector<std::size_t> leader_;
};

template <class Visit>
void each_number(const Stage& stage, const Visit& visit) {
  for (const Bounds& way : stage.ways) {
    for (const Bound& bound : way) {
      for (const Affine::Term& term : bound.value.terms) visit(term.number.index);
    }
  }
}

// The numbers of an event, by part.
class Parts {
 public:
  explicit Parts(const PathEvent& event) : event_(event), joined_(event.numbers.size()) {}

  std::vector<IndependentPart> made() {
    find_parts();
    for (const NumberId id : event_.numbers.ids()) {
      if (used_[id.index]) add(id);
    }
    for (const Branch& branch : event_.branches) add(branch);
    return std::move(parts_);
  }

 private:
  void find_parts() {
    used_.resize(event_.numbers.size());
    std::size_t first = SIZE_MAX;  // of all branches, if there are several
    for (const Branch& branch : event_.branches) {
      for (const Stage& stage : branch.stages) {
        if (event_.branches.size() == 1) first = SIZE_MAX;
        each_number(stage, [&](std::size_t number) {
          used_[number] = true;
          if (first == SIZE_MAX) first = number;
          joined_.join(first, number);
        });
      }
    }
  }

  void add(NumberId id) {
    const Number& number = event_.numbers[id];
    const std::size_t leader = joined_.leader(id.index);
    const auto known = std::ranges::find(leaders_, leader);
    const auto part = static_cast<std::size_t>(known - leaders_.begin());
    if (known == leaders_.end()) {
      leaders_.push_back(leader);
      parts_.emplace_back();
    }
    index_.resize(event_.numbers.size());
    if (number.is_noise()) {
      index_[id.index] = parts_[part].noise.size();
      parts_[part].noise.push_back(
          {id, *number.law, number.whole, number.role == Number::Role::SensingError});
    } else {
      index_[id.index] = parts_[part].environment.size();
      IndependentPart::Environment made{
          id, to_double(number.low), to_double(number.high), number.whole, {}};
      for (const Rational& gap : number.gaps) made.gaps.push_back(to_double(gap));
      made.open = number.role != Number::Role::Start;
      made.apart = number.role == Number::Role::Above || number.role == Number::Role::Below;
      made.beyond = number.searched;
      parts_[part].environment.push_back(std::move(made));
    }
  }

  void add(const Branch& branch) {
    for (IndependentPart& part : parts_)
      part.branches.push_back({branch.groups, branch.choices, {}, branch.fixed});
    for (const Stage& stage : branch.stages) {
      PartStage made{stage.origin, {}};
      std::size_t part = 0;
      for (const Bounds& way : stage.ways) {
        std::vector<AffineRow>& rows = made.ways.emplace_back();
        for (const Bound& bound : way) rows.push_back(row_of(bound));
      }
      each_number(stage, [&](std::size_t number) {
        const auto known = std::ranges::find(leaders_, joined_.leader(number));
        part = static_cast<std::size_t>(known - leaders_.begin());
      });
      parts_[part].branches.back().stages.push_back(std::move(made));
    }
  }

  [[nodiscard]] AffineRow row_of(const Bound& bound) const {
    AffineRow row{{}, {}, to_double(bound.value.constant), bound.sign};
    for (const Affine::Term& term : bound.value.terms) {
      const bool noise = event_.numbers[term.number].is_noise();
      (noise ? row.noise : row.environment)
          .push_back({index_[term.number.index], to_double(term.factor)});
    }
    return row;
  }

  const PathEvent& event_;
  Partition joined_;
  std::vector<bool> used_;
  std::vector<std::size_t> leaders_;  // by part
  std::vector<std::size_t> index_;    // by number, in its part
  std::vector<IndependentPart> parts_;
};

// Narrows the range of a number of the environment by a row about it alone.
void narrow(const AffineRow& row, IndependentPart::Environment& number) {
  const double factor = row.environment.front().factor;
  const double limit = -row.constant / factor;
  if (row.sign == Sign::Equal || factor > 0) number.high = std::min(number.high, limit);
  if (row.sign == Sign::Equal || factor < 0) number.low = std::max(number.low, limit);
}

}  // namespace

bool PartStage::is_certain() const {
  return std::ranges::all_of(ways, [](const std::vector<AffineRow>& way) {
    return std::ranges::all_of(way, [](const AffineRow& row) { return row.noise.empty(); });
  });
}

std::vector<IndependentPart> parts_of(const PathEvent& event) {
  std::vector<IndependentPart> parts = Parts(event).made();
  for (IndependentPart& part : parts) {
    if (part.branches.size() > 1) continue;
    for (const PartStage& stage : part.branches.front().stages) {
      if (stage.ways.size() > 1) continue;
      for (const AffineRow& row : stage.ways.front()) {
        const bool one = row.noise.empty() && row.environment.size() == 1;
        if (one) narrow(row, part.environment[row.environment.front().index]);
      }
    }
  }
  return parts;
}

double known(const AffineRow& row, const std::vector<double>& environment) {
  double sum = row.constant;
  for (const AffineRow::Term& term : row.environment) sum += term.factor * environment[term.index];
  return sum;
}

Allowed allowed(double factor, double rest, Sign sign, bool whole) {
  const double limit = -rest / factor;
  const bool above = sign != Sign::Equal && factor < 0;
  const bool below = sign != Sign::Equal && factor > 0;
  if (!whole) return {below ? -kInfinity : limit, above ? kInfinity : limit};
  if (sign == Sign::Equal) {
    const double nearest = std::round(limit);
    if (std::abs(nearest - limit) > kRounding) return {1, 0};
    return {nearest - 0.5, nearest + 0.5};
  }
  const bool strict = sign == Sign::Less;
  if (below) {
    const double most = strict ? std::ceil(limit - kRounding) - 1 : std::floor(limit + kRounding);
    return {-kInfinity, most + 0.5};
  }
  const double least = strict ? std::floor(limit + kRounding) + 1 : std::ceil(limit - kRounding);
  return {least - 0.5, kInfinity};
}

double missed(const AffineRow& row, const std::vector<double>& environment) {
  const double value = known(row, environment);
  double size = std::abs(row.constant);
  for (const AffineRow::Term& term : row.environment) {
    size = std::max(size, std::abs(term.factor * environment[term.index]));
  }
  const double slack = kRounding * (1 + size);
  switch (row.sign) {
    case Sign::Less: return std::max(0.0, value + kNear * (1 + size));
    case Sign::AtMost: return value > slack ? value : 0;
    case Sign::Equal: return std::abs(value) > slack ? std::abs(value) : 0;
  }
  return 0;
}

double missed(const PartBranch& branch, const std::vector<double>& environment) {
  double total = 0;
  for (const PartStage& stage : branch.stages) {
    if (!stage.is_certain()) continue;
    double least = kInfinity;
    for (const std::vector<AffineRow>& way : stage.ways) {
      double sum = 0;
      for (const AffineRow& row : way) sum += missed(row, environment);
      least = std::min(least, sum);
    }
    total += least;
  }
  return total;
}

}  // namespace poise::verify
