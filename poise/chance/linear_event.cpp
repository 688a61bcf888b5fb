#include "poise/chance/linear_event.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "poise/base/check.h"
#include "poise/base/random.h"
#include "poise/chance/interval.h"
#include "poise/chance/nearest_point.h"
#include "poise/chance/quasi_random.h"
#include "poise/chance/rotate_gauss.h"

namespace poise::chance {
namespace {

// One noise in one constraint, and the range of what later noise can still add there.
struct Term {
  std::size_t row;  // number of the constraint
  double coefficient;
  double rest_low;
  double rest_high;
};

// One noise, as one factor of the product.
struct Factor {
  std::size_t noise;  // its number
  Law law;
  Law moved;  // the law to draw (noise - shift) from; the same as `law` if shift is 0
  double shift;
  bool drawn;  // a later factor depends on its value, so its mass alone is not enough
  std::vector<Term> terms;
};

// Facts about a constraint that do not depend on its bounds.
struct ConstraintFacts {
  double known = 0;  // the sum over noise with a single possible value
  double size = 0;   // the same sum of absolute values: the scale of its rounding error
  double least = 0;  // the range of the sum over all other noise
  double most = 0;
};

// In which order noise is drawn, and from which laws. One plan serves many bounds (set_sides).
struct DrawingPlan {
  std::vector<ConstraintFacts> rows;
  std::vector<double> lower;  // by row, after `known` was subtracted
  std::vector<double> upper;
  std::vector<Factor> factors;  // in the order of drawing
  std::size_t dimensions = 0;   // how many factors are drawn
  bool possible = true;         // false: some constraint cannot hold, whatever the noise
  double scale = 1;             // multiplies the mean: Rotated::factor
};

// Noise in many constraints comes first. The last noise of a constraint is integrated exactly, and
// along a path every step depends on the early moves, while each sensing is in one constraint only.
std::vector<std::size_t> drawing_order(std::span<const LinearConstraint> constraints,
                                       std::span<const Law> noise) {
  std::vector<std::size_t> uses(noise.size());
  for (const LinearConstraint& constraint : constraints) {
    POISE_CHECK(constraint.coefficients.size() == noise.size());
    for (std::size_t i = 0; i < noise.size(); ++i) {
      if (constraint.coefficients[i] != 0) ++uses[i];
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (uses[i] > 0 && !noise[i].is_point()) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return uses[a] > uses[b]; });
  return order;
}

DrawingPlan plan_of(std::span<const LinearConstraint> constraints, std::span<const Law> noise) {
  DrawingPlan plan;
  plan.rows.resize(constraints.size());
  for (std::size_t row = 0; row < constraints.size(); ++row) {
    for (std::size_t i = 0; i < noise.size(); ++i) {
      const double coefficient = constraints[row].coefficients[i];
      if (coefficient == 0 || !noise[i].is_point()) continue;
      plan.rows[row].known += coefficient * noise[i].low();
      plan.rows[row].size += std::abs(coefficient * noise[i].low());
    }
  }
  for (const std::size_t i : drawing_order(constraints, noise)) {
    Factor factor = {i, noise[i], noise[i], 0, false, {}};
    for (std::size_t row = 0; row < constraints.size(); ++row) {
      const double coefficient = constraints[row].coefficients[i];
      if (coefficient != 0) factor.terms.push_back({row, coefficient, 0, 0});
    }
    plan.factors.push_back(std::move(factor));
  }
  std::vector<bool> goes_on(constraints.size());
  for (auto factor = plan.factors.rbegin(); factor != plan.factors.rend(); ++factor) {
    for (Term& term : factor->terms) {
      ConstraintFacts& row = plan.rows[term.row];
      term.rest_low = row.least;
      term.rest_high = row.most;
      if (goes_on[term.row]) factor->drawn = true;
      goes_on[term.row] = true;
      const double a = term.coefficient * factor->law.low();
      const double b = term.coefficient * factor->law.high();
      row.least += std::min(a, b);
      row.most += std::max(a, b);
    }
    if (factor->drawn) ++plan.dimensions;
  }
  return plan;
}

// Sets the bounds of the first rows. The others, ranges that rotated() made rows of, keep theirs.
void set_sides(DrawingPlan& plan, std::span<const double> lower, std::span<const double> upper) {
  plan.lower.resize(plan.rows.size());
  plan.upper.resize(plan.rows.size());
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const ConstraintFacts& row = plan.rows[i];
    const auto slack = [&](double end) {
      return std::isinf(end) ? 0 : 1e-12 * (std::abs(end) + row.size);
    };
    plan.lower[i] = lower[i] - row.known - slack(lower[i]);
    plan.upper[i] = upper[i] - row.known + slack(upper[i]);
  }
  plan.possible = true;
  for (std::size_t i = 0; i < plan.rows.size(); ++i) {
    const bool empty = i < lower.size() && lower[i] > upper[i];
    if (empty || plan.rows[i].least > plan.upper[i] || plan.rows[i].most < plan.lower[i]) {
      plan.possible = false;
    }
  }
}

DrawingPlan plan_with_sides(std::span<const LinearConstraint> constraints,
                            std::span<const Law> noise) {
  DrawingPlan plan = plan_of(constraints, noise);
  std::vector<double> lower;
  std::vector<double> upper;
  for (const LinearConstraint& constraint : constraints) {
    lower.push_back(constraint.lower);
    upper.push_back(constraint.upper);
  }
  set_sides(plan, lower, upper);
  return plan;
}

// The product of the masses for one point of the unit cube. `sums` is scratch space, one number per
// row: what the noise drawn so far adds up to.
double weight(const DrawingPlan& plan, std::span<const double> point, std::span<double> sums) {
  std::ranges::fill(sums, 0.0);
  double product = 1;
  std::size_t dimension = 0;
  for (const Factor& factor : plan.factors) {
    double low = factor.law.low();
    double high = factor.law.high();
    for (const Term& term : factor.terms) {
      const double least = plan.lower[term.row] - sums[term.row] - term.rest_high;
      const double most = plan.upper[term.row] - sums[term.row] - term.rest_low;
      const bool up = term.coefficient > 0;
      low = std::max(low, (up ? least : most) / term.coefficient);
      high = std::min(high, (up ? most : least) / term.coefficient);
    }
    if (!(low <= high)) return 0;
    product *= factor.moved.mass(low - factor.shift, high - factor.shift);
    if (product == 0) return 0;
    if (!factor.drawn) continue;
    const double drawn =
        factor.moved.quantile_within(low - factor.shift, high - factor.shift, point[dimension++]);
    if (factor.shift != 0) {
      product *= factor.law.density(drawn + factor.shift) / factor.moved.density(drawn);
    }
    for (const Term& term : factor.terms) {
      sums[term.row] += term.coefficient * (drawn + factor.shift);
    }
  }
  return product;
}

// Means over the quasi-random points, one for each shift; extend() adds more points.
class Average {
 public:
  Average(const DrawingPlan& plan, const QuasiRandomPoints& lattice)
      : plan_(plan), lattice_(lattice), sums_(kShifts), room_(plan.lower.size()) {}

  void extend(std::size_t points_per_shift) {
    std::vector<double> point(plan_.dimensions);
    for (; done_ < points_per_shift; ++done_) {
      for (std::size_t shift = 0; shift < kShifts; ++shift) {
        lattice_.fill(point, done_, shift);
        sums_[shift] += weight(plan_, point, room_);
      }
    }
  }

  [[nodiscard]] Estimate estimate() const {
    Samples means;
    for (const double sum : sums_) means.add(plan_.scale * sum / static_cast<double>(done_));
    const double deviation = std::sqrt(means.variance() / static_cast<double>(kShifts));
    // The second term is for rounding, so that a sampled value never claims to be exact.
    return {means.mean, 3 * deviation + 1e-15 * means.mean, done_ * kShifts};
  }

  static constexpr std::size_t kShifts = 12;

 private:
  const DrawingPlan& plan_;
  const QuasiRandomPoints& lattice_;
  std::vector<double> sums_;
  std::vector<double> room_;
  std::size_t done_ = 0;
};

// Importance sampling: moves the means of the Gauss laws that are drawn a share of the way towards
// the likeliest noise.
DrawingPlan moved(DrawingPlan plan, std::span<const double> nearest_point, double share) {
  for (std::size_t i = 0; i < plan.factors.size(); ++i) {
    Factor& factor = plan.factors[i];
    if (factor.law.kind() != Law::Kind::Gauss || !factor.drawn) continue;
    factor.shift = share * nearest_point[i];
    factor.moved = factor.law.around(factor.shift);
  }
  return plan;
}

std::vector<double> likeliest_of(const DrawingPlan& plan) {
  std::vector<Slab> slabs(plan.lower.size());
  for (std::size_t row = 0; row < slabs.size(); ++row) {
    slabs[row] = {std::vector<double>(plan.factors.size()), plan.lower[row], plan.upper[row]};
  }
  std::vector<Law> laws;
  for (std::size_t i = 0; i < plan.factors.size(); ++i) {
    for (const Term& term : plan.factors[i].terms) slabs[term.row].normal[i] = term.coefficient;
    laws.push_back(plan.factors[i].law);
  }
  return nearest_point(slabs, laws);
}

// As given; moved half way and all the way; and, where it can be rotated, rotated with and without
// a move.
std::vector<DrawingPlan> candidates_of(const DrawingPlan& plan,
                                       std::span<const LinearConstraint> constraints,
                                       std::span<const Law> noise) {
  const std::vector<double> towards = likeliest_of(plan);
  std::vector<DrawingPlan> candidates = {plan, moved(plan, towards, 0.5), moved(plan, towards, 1)};
  std::vector<std::size_t> to_turn;
  for (const Factor& factor : plan.factors) {
    if (factor.law.kind() == Law::Kind::Gauss && factor.drawn) to_turn.push_back(factor.noise);
  }
  if (const std::optional<Rotated> other = rotated(constraints, noise, to_turn)) {
    DrawingPlan turned_plan = plan_with_sides(other->constraints, other->noise);
    turned_plan.scale = other->factor;
    const std::vector<double> turned_towards = likeliest_of(turned_plan);
    candidates.push_back(moved(turned_plan, turned_towards, 1));
    candidates.push_back(std::move(turned_plan));
  }
  return candidates;
}

DrawingPlan best_of(std::vector<DrawingPlan> candidates, std::uint64_t seed, std::size_t trial) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    // The trial has random shifts of its own. With those of the final estimate, to choose the plan
    // that looks best on them would bias it.
    const QuasiRandomPoints lattice(candidates[i].dimensions, Average::kShifts, Random(seed, 1));
    Average average(candidates[i], lattice);
    average.extend(trial);
    const Estimate estimate = average.estimate();
    // A plan that missed the event on every point says nothing about its variance.
    if (estimate.value == 0 || estimate.error / estimate.value >= least) continue;
    least = estimate.error / estimate.value;
    best = i;
  }
  return std::move(candidates[best]);
}

}  // namespace

Estimate probability(std::span<const LinearConstraint> constraints, std::span<const Law> noise,
                     const Precision& precision) {
  const DrawingPlan plan = plan_with_sides(constraints, noise);
  if (!plan.possible) return {};
  if (plan.dimensions == 0) {
    std::vector<double> room(constraints.size());
    return {.value = weight(plan, {}, room)};
  }
  constexpr std::size_t kTrial = 64;
  const DrawingPlan best = best_of(candidates_of(plan, constraints, noise), precision.seed, kTrial);
  const QuasiRandomPoints lattice(best.dimensions, Average::kShifts, Random(precision.seed, 0));
  Average average(best, lattice);
  std::size_t points = 128;
  while (true) {
    average.extend(points);
    const Estimate estimate = average.estimate();
    const double wanted = std::max(precision.absolute, precision.relative * estimate.value);
    const bool accurate = estimate.value > 0 && estimate.error <= wanted;
    if (accurate || 2 * points * Average::kShifts > precision.most_points) return estimate;
    points *= 2;
  }
}

// ---- Rough ----

namespace {

constexpr std::size_t kRoughPoints = 8;  // for each shift
constexpr std::uint64_t kRoughSeed = 1;

}  // namespace

struct RoughEvent::State {
  std::vector<LinearConstraint> constraints;
  std::vector<Law> noise;
  DrawingPlan plan;
  QuasiRandomPoints lattice;
};

RoughEvent::RoughEvent(std::vector<LinearConstraint> constraints, std::vector<Law> noise) {
  DrawingPlan plan = plan_of(constraints, noise);
  QuasiRandomPoints lattice(plan.dimensions, Average::kShifts, Random(kRoughSeed, 0));
  state_ = std::make_unique<State>(
      State{std::move(constraints), std::move(noise), std::move(plan), std::move(lattice)});
}
RoughEvent::~RoughEvent() = default;
RoughEvent::RoughEvent(RoughEvent&&) noexcept = default;
RoughEvent& RoughEvent::operator=(RoughEvent&&) noexcept = default;

bool RoughEvent::is_exact() const { return state_->plan.dimensions == 0; }

void RoughEvent::aim(std::span<const double> lower, std::span<const double> upper) {
  if (is_exact()) return;
  for (std::size_t i = 0; i < state_->constraints.size(); ++i) {
    state_->constraints[i].lower = lower[i];
    state_->constraints[i].upper = upper[i];
  }
  DrawingPlan plan = plan_with_sides(state_->constraints, state_->noise);
  if (!plan.possible) return;
  state_->plan =
      best_of(candidates_of(plan, state_->constraints, state_->noise), kRoughSeed, kRoughPoints);
  state_->lattice =
      QuasiRandomPoints(state_->plan.dimensions, Average::kShifts, Random(kRoughSeed, 0));
}

double RoughEvent::probability(std::span<const double> lower, std::span<const double> upper) {
  DrawingPlan& plan = state_->plan;
  set_sides(plan, lower, upper);
  if (!plan.possible) return 0;
  if (plan.dimensions == 0) {
    std::vector<double> room(plan.rows.size());
    return weight(plan, {}, room);
  }
  Average average(plan, state_->lattice);
  average.extend(kRoughPoints);
  return average.estimate().value;
}

}  // namespace poise::chance
