#pragma once

// The fuzzy engine: degrees of terms, and utilities, in doubles, from flat tables and without
// branches where possible. Degrees agree with the definitions of model::Shape up to rounding.
// Utilities agree with libfuzzylite (WeightedAverage, Centroid of 100 points) up to 1e-12 for
// everything that both support. A degree costs 2 ns, a weighted average 1 ns for each preference, a
// centroid some 150 ns.
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

// The minimum of two straight lines, one that rises from `start` on and one that falls to `end`,
// clamped to 0..1. All shapes but tables are of this form: a ramp has one side only, and an upright
// side is a very steep one.
struct Trapezoid {
  double start = 0;
  double rise = 1;  // slope
  double end = 0;
  double fall = 1;  // slope
  // Always 1 and 0. As fields, because with constants the compiler makes branches instead of
  // minimum and maximum instructions.
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
  std::vector<double> table = {};  // x0 y0 x1 y1 …; if empty, the trapezoid counts
  // The number that stands for the term in a weighted average: the middle of where its degree is
  // greatest; of a ramp, where it reaches 1.
  double middle = 0;
};

[[nodiscard]] Membership membership_of(const model::Shape& shape);
[[nodiscard]] double degree_of_table(std::span<const double> table, double number);
[[nodiscard]] inline double degree_of(const Membership& shape, double number) {
  return shape.table.empty() ? degree_of(shape.trapezoid, number)
                             : degree_of_table(shape.table, number);
}

// A preference, seen from its option.
struct Vote {
  std::uint32_t place = 0;  // of the degree to which it holds, among `degrees`
  std::uint32_t term = 0;
  double weight = 1;
  double middle = 0;  // of the term; arranged() fills it in
};

// The utility of an option, from its votes.
class Scale {
 public:
  static constexpr std::size_t kPoints = 100;  // of a centroid: the middles of 100 equal parts

  explicit Scale(const model::UtilityScale& scale);

  // The votes with their middles, in the order that utility() needs.
  [[nodiscard]] std::vector<Vote> arranged(std::vector<Vote> votes) const;

  // Sugeno: the mean of the terms' middles, weighted by degree times weight. Mamdani: the centroid
  // of the union of the terms, each cut off at its degree times weight. If all weights or the area
  // are 0, the scale's default; so a singleton, which has no area, does not count in a centroid.
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
  struct TermCurve {        // a term's degrees at the points
    std::size_t first = 0;  // outside of first..end they are 0
    std::size_t end = 0;
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
