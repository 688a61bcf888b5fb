#include "poise/chance/triangular.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "poise/base/check.h"
#include "poise/chance/law.h"
#include "poise/chance/normal.h"

namespace poise::chance {
namespace {

// A Cholesky decomposition with pivots, one noise at a time. The row of each component grows by one
// coefficient, and the covariances that are left are those given the noise so far.
class Decomposition {
 public:
  Decomposition(const NormalVector& vector, const Box& box)
      : size_(vector.mean.size()), rest_(vector.covariance), left_(size_) {
    std::iota(left_.begin(), left_.end(), std::size_t{0});
    for (std::size_t i = 0; i < size_; ++i) {
      largest_ = std::max(largest_, rest_[i * size_ + i]);
      constraints_.push_back({std::vector<double>(size_), box.lower[i] - vector.mean[i],
                              box.upper[i] - vector.mean[i]});
    }
  }

  std::vector<LinearConstraint> take_apart() && {
    for (std::size_t noise = 0; noise < size_; ++noise) {
      const auto next = std::ranges::min_element(
          left_, {}, [this](std::size_t component) { return conditional_mass(component); });
      const std::size_t component = *next;
      if (is_settled(component)) break;  // so are all others
      left_.erase(next);
      take(component, noise);
    }
    return std::move(constraints_);
  }

 private:
  [[nodiscard]] double variance(std::size_t i) const { return rest_[i * size_ + i]; }
  [[nodiscard]] bool is_settled(std::size_t i) const { return variance(i) <= 1e-12 * largest_; }

  struct Sides {
    double low;
    double high;
  };
  // The bounds of the next noise, if component i comes next and the noise so far has its expected
  // values.
  [[nodiscard]] Sides sides(std::size_t i) const {
    const LinearConstraint& row = constraints_[i];
    const double known =
        std::inner_product(expected_.begin(), expected_.end(), row.coefficients.begin(), 0.0);
    const double deviation = std::sqrt(variance(i));
    return {(row.lower - known) / deviation, (row.upper - known) / deviation};
  }

  // 2, more than any mass, for a component that the noise so far determines: nothing is left to
  // draw for it, so it comes last.
  [[nodiscard]] double conditional_mass(std::size_t i) const {
    if (is_settled(i)) return 2;
    const auto [low, high] = sides(i);
    return Law::standard_normal().mass(low, high);
  }

  void take(std::size_t i, std::size_t noise) {
    const auto [low, high] = sides(i);
    const double deviation = std::sqrt(variance(i));
    constraints_[i].coefficients[noise] = deviation;
    for (const std::size_t other : left_) {
      const double coefficient = rest_[other * size_ + i] / deviation;
      // A coefficient that is only rounding would make independent components look dependent.
      const bool rounding = std::abs(coefficient) < 1e-12 * std::sqrt(std::max(largest_, 0.0));
      constraints_[other].coefficients[noise] = rounding ? 0 : coefficient;
    }
    for (const std::size_t a : left_) {
      for (const std::size_t b : left_) {
        rest_[a * size_ + b] -=
            constraints_[a].coefficients[noise] * constraints_[b].coefficients[noise];
      }
    }
    expected_.push_back(expected_between(low, high));
  }

  // The mean of standard normal noise, given that it is between the two.
  static double expected_between(double low, double high) {
    const double mass = low <= high ? Law::standard_normal().mass(low, high) : 0;
    const bool whole = std::isinf(low) && std::isinf(high);
    if (whole) return 0;
    if (mass > 1e-200) {
      const double mean = (normal_density(low) - normal_density(high)) / mass;
      return std::clamp(mean, low, high);
    }
    return std::abs(low) < std::abs(high) ? low : high;  // nearly all of it is at the near end
  }

  std::size_t size_;
  std::vector<double> rest_;       // covariance given the noise so far
  std::vector<std::size_t> left_;  // components to come
  std::vector<double> expected_;   // of the noise so far
  std::vector<LinearConstraint> constraints_;
  double largest_ = 0;
};

}  // namespace

std::vector<LinearConstraint> triangular(const NormalVector& vector, const Box& box) {
  const std::size_t size = vector.mean.size();
  POISE_CHECK(vector.covariance.size() == size * size);
  POISE_CHECK(box.lower.size() == size && box.upper.size() == size);
  return Decomposition(vector, box).take_apart();
}

}  // namespace poise::chance
