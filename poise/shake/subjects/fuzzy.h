#pragma once

// Words for numbers, and utilities, in doubles: flat tables that are evaluated without a choice
// where there is none. Degrees agree with the definitions of model::Shape up to rounding; utilities
// agree with libfuzzylite (WeightedAverage, Centroid of 100 points) up to 1e-12, where that has
// what we have. A degree costs 2 ns, a weighted average 1 ns for each preference, a centroid some
// 150 ns.
//
//   const Membership low = membership_of(term.shape);
//   const double degree = degree_of(low, 0.3);
//
//   const Scale scale(option.scale);
//   const std::vector<Vote> votes = scale.arranged({{.place = 0, .term = 2, .weight = 1}, …});
//   const double utility = scale.utility(votes, degrees.data());   // degrees by place

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "poise/model/policy.h"

namespace poise::shake {

// The smaller of two straight lines, one that rises from `start` on and one that falls to `end`,
// between 0 and 1. All shapes but tables are one: a ramp has one side only, and a side that is
// upright is very steep.
struct Trapezoid {
  double start = 0;
  double rise = 1;  // by how much, for each 1
  double end = 0;
  double fall = 1;
  // If the compiler knew these it would jump, instead of taking the smaller number and the greater.
  double height = 1;
  double bottom = 0;
};

// 0 for NaN.
[[nodiscard]] inline double degree_of(const Trapezoid& shape, double number) {
  const double rising = (number - shape.start) * shape.rise;
  const double falling = (shape.end - number) * shape.fall;
  const double least = rising < falling ? rising : falling;
  const double cut = shape.height < least ? shape.height : least;
  return cut > shape.bottom ? cut : shape.bottom;
}

struct Membership {
  Trapezoid trapezoid = {};
  std::vector<double> table = {};  // x0 y0 x1 y1 …; if it is empty it is the trapezoid
  // What it stands for in a weighted average: the middle of where it is greatest; of a ramp, where
  // it gets there.
  double middle = 0;
};

[[nodiscard]] Membership membership_of(const model::Shape& shape);
[[nodiscard]] double degree_of_table(std::span<const double> table, double number);
[[nodiscard]] inline double degree_of(const Membership& shape, double number) {
  return shape.table.empty() ? degree_of(shape.trapezoid, number)
                             : degree_of_table(shape.table, number);
}

// A preference, seen from its option: the degree to which it holds is found at `place`.
struct Vote {
  std::uint32_t place = 0;
  std::uint32_t term = 0;
  double weight = 1;
  double middle = 0;  // of the term; arranged() fills it in
};

class Scale {
 public:
  static constexpr std::size_t kPoints = 100;  // of a centroid: the middles of as many equal parts

  explicit Scale(const model::UtilityScale& scale);

  // In the order in which utility() wants them, with their middles.
  [[nodiscard]] std::vector<Vote> arranged(std::vector<Vote> votes) const;

  // Sugeno: the mean of the middles, weighted by degree times weight. Mamdani: the centroid of what
  // is below the terms and below degree times weight. `otherwise` where there is nothing to weigh;
  // so a singleton, which has no area, says nothing in a centroid.
  [[nodiscard]] double utility(std::span<const Vote> votes, const double* degrees) const {
    if (method_ == model::UtilityScale::Method::Mamdani) return centroid(votes, degrees);
    double sum = 0;
    double weights = 0;
    for (const Vote& vote : votes) {
      const double weight = degrees[vote.place] * vote.weight;
      sum += weight * vote.middle;
      weights += weight;
    }
    return weights > 0 ? sum / weights : otherwise_;
  }

 private:
  struct TermCurve {        // a term at the points
    std::size_t first = 0;  // only from here on it is more than 0
    std::size_t end = 0;    // and before this
    std::array<double, kPoints> degrees = {};
  };

  [[nodiscard]] double centroid(std::span<const Vote> votes, const double* degrees) const;

  model::UtilityScale::Method method_;
  double otherwise_;
  std::vector<double> middles_;         // by term
  std::array<double, kPoints> points_;  // Mamdani
  std::vector<TermCurve> rows_;         // Mamdani: by term
};

}  // namespace poise::shake
