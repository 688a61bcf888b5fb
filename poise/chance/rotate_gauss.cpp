#include "poise/chance/rotate_gauss.h"

#include <algorithm>
#include <cmath>

#include "poise/chance/triangular.h"

namespace poise::chance {
namespace {

bool is_turned(std::span<const std::size_t> numbers, std::size_t noise) {
  return std::ranges::find(numbers, noise) != numbers.end();
}

// The bounds for the rotated part of a constraint, if the other noise helps as much as it can.
void widen(LinearConstraint& constraint, std::span<const Law> noise,
           std::span<const std::size_t> numbers) {
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (constraint.coefficients[i] == 0 || is_turned(numbers, i)) continue;
    const double a = constraint.coefficients[i] * noise[i].low();
    const double b = constraint.coefficients[i] * noise[i].high();
    constraint.lower -= std::max(a, b);
    constraint.upper -= std::min(a, b);
  }
}

}  // namespace

std::optional<Rotated> rotated(std::span<const LinearConstraint> constraints,
                               std::span<const Law> noise, std::span<const std::size_t> numbers) {
  if (numbers.size() < 2) return std::nullopt;
  Rotated result;
  // First the constraints, then the ranges, each a linear combination of the noise to rotate.
  std::vector<LinearConstraint> rows(constraints.begin(), constraints.end());
  for (const std::size_t number : numbers) {
    LinearConstraint range = {.coefficients = std::vector<double>(noise.size()),
                              .lower = noise[number].low(),
                              .upper = noise[number].high()};
    range.coefficients[number] = 1;
    rows.push_back(std::move(range));
    const double uncut = noise[number].paper_mass(noise[number].low(), noise[number].high());
    if (uncut < 0.01) return std::nullopt;
    result.factor /= uncut;
  }
  NormalVector vector = {std::vector<double>(rows.size()),
                         std::vector<double>(rows.size() * rows.size())};
  Box box;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    LinearConstraint wide = rows[a];
    widen(wide, noise, numbers);
    box.lower.push_back(wide.lower);
    box.upper.push_back(wide.upper);
    for (std::size_t b = 0; b < rows.size(); ++b) {
      for (const std::size_t number : numbers) {
        const double deviation = noise[number].deviation();
        vector.covariance[a * rows.size() + b] +=
            rows[a].coefficients[number] * rows[b].coefficients[number] * deviation * deviation;
      }
    }
  }
  const std::vector<LinearConstraint> turned_rows = triangular(vector, box);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    LinearConstraint constraint = {.coefficients = turned_rows[row].coefficients,
                                   .lower = rows[row].lower,
                                   .upper = rows[row].upper};
    constraint.coefficients.resize(numbers.size());  // the rank is no more than that
    for (std::size_t i = 0; i < noise.size(); ++i) {
      const bool done = is_turned(numbers, i);
      if (!done) constraint.coefficients.push_back(rows[row].coefficients[i]);
    }
    result.constraints.push_back(std::move(constraint));
  }
  result.noise.assign(numbers.size(), Law::standard_normal());
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (!is_turned(numbers, i)) result.noise.push_back(noise[i]);
  }
  return result;
}

}  // namespace poise::chance
