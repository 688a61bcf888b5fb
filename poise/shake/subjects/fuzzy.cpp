#include "poise/shake/subjects/fuzzy.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "poise/base/check.h"
#include "poise/base/infinity.h"
#include "poise/shake/grid/number.h"

namespace poise::shake {

using model::Shape;
using model::UtilityScale;

namespace {

double slope(double foot, double top) {
  double made = 1 / std::abs(top - foot);
  while (std::abs(top - foot) * made < 1) made = std::nextafter(made, kInfinity);
  return made;
}

// An upright side is a very steep one that begins just beside its place; there the degree is 1.
constexpr double kSteep = 1e300;
double beside(double place) { return std::abs(place) * 1e-15 + 1e-200; }

Trapezoid trapezoid(double a, double b, double c, double d) {
  Trapezoid made;
  made.start = a < b ? a : b - beside(b);
  made.rise = a < b ? slope(a, b) : kSteep;
  made.end = c < d ? d : c + beside(c);
  made.fall = c < d ? slope(d, c) : kSteep;
  return made;
}

double middle_of_table(std::span<const double> table) {
  double greatest = -kInfinity;
  for (std::size_t i = 1; i < table.size(); i += 2) greatest = std::max(greatest, table[i]);
  double first = kInfinity;
  double last = 0;
  for (std::size_t i = 1; i < table.size(); i += 2) {
    if (table[i] != greatest) continue;
    last = table[i - 1];
    first = std::min(first, last);
  }
  return (first + last) / 2;
}

}  // namespace

Membership membership_of(const Shape& shape) {
  std::vector<double> p;
  for (const Rational& number : shape.points) p.push_back(to_double(number));
  const auto has = [&](std::size_t count) { POISE_CHECK(p.size() >= count); };
  switch (shape.kind) {
    case Shape::Kind::Trapezoid:
      has(4);
      return {trapezoid(p[0], p[1], p[2], p[3]), {}, (p[1] + p[2]) / 2};
    case Shape::Kind::Triangle: has(3); return {trapezoid(p[0], p[1], p[1], p[2]), {}, p[1]};
    case Shape::Kind::Singleton: has(1); return {trapezoid(p[0], p[0], p[0], p[0]), {}, p[0]};
    case Shape::Kind::Ramp: {
      has(2);
      const bool rises = p[0] <= p[1];
      Trapezoid ramp =
          rises ? trapezoid(p[0], p[1], p[1], p[1]) : trapezoid(p[1], p[1], p[1], p[0]);
      (rises ? ramp.end : ramp.start) = rises ? kInfinity : -kInfinity;
      return {ramp, {}, p[1]};
    }
    case Shape::Kind::Table: {
      has(2);
      const double middle = middle_of_table(p);
      return {{}, std::move(p), middle};
    }
  }
  return {};
}

double degree_of_table(std::span<const double> table, double number) {
  if (std::isnan(number)) return 0;
  if (number <= table[0]) return table[1];
  for (std::size_t i = 2; i + 1 < table.size(); i += 2) {
    if (number > table[i]) continue;
    const double share = (number - table[i - 2]) / (table[i] - table[i - 2]);
    return table[i - 1] + share * (table[i + 1] - table[i - 1]);
  }
  return table[table.size() - 1];
}

Scale::Scale(const UtilityScale& scale)
    : method_(scale.method), otherwise_(to_double(scale.otherwise)), points_{} {
  const double low = to_double(scale.low);
  const double part = (to_double(scale.high) - low) / static_cast<double>(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) {
    points_[i] = low + (static_cast<double>(i) + 0.5) * part;
  }
  for (const model::Term& term : scale.terms) {
    const Membership shape = membership_of(term.shape);
    middles_.push_back(shape.middle);
    if (method_ != UtilityScale::Method::Mamdani) continue;
    TermCurve& row = rows_.emplace_back();
    row.first = kPoints;
    for (std::size_t i = 0; i < kPoints; ++i) {
      row.degrees[i] = degree_of(shape, points_[i]);
      if (row.degrees[i] <= 0) continue;
      row.first = std::min(row.first, i);
      row.end = i + 1;
    }
  }
}

std::vector<Vote> Scale::arranged(std::vector<Vote> votes) const {
  for (Vote& vote : votes) {
    POISE_CHECK(vote.term < middles_.size());
    vote.middle = middles_[vote.term];
  }
  // Cutting a term at several heights and taking the union is cutting it at the greatest height. So
  // votes for one term stand together.
  if (method_ == UtilityScale::Method::Mamdani) std::ranges::stable_sort(votes, {}, &Vote::term);
  return votes;
}

double Scale::centroid(std::span<const Vote> votes, const double* degrees) const {
  std::array<double, kPoints> heights = {};
  for (std::size_t i = 0; i < votes.size();) {
    const std::uint32_t term = votes[i].term;
    double cut = 0;
    for (; i < votes.size() && votes[i].term == term; ++i) {
      cut = std::max(cut, degrees[votes[i].place] * votes[i].weight);
    }
    if (cut <= 0) continue;
    const TermCurve& row = rows_[term];
    for (std::size_t point = row.first; point < row.end; ++point) {
      const double height = row.degrees[point] < cut ? row.degrees[point] : cut;
      heights[point] = heights[point] > height ? heights[point] : height;
    }
  }
  // Four sums at once, because each addition to a single sum would wait for the one before.
  std::array<double, 4> area = {};
  std::array<double, 4> moment = {};
  static_assert(kPoints % 4 == 0);
  for (std::size_t i = 0; i < kPoints; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) {
      area[k] += heights[i + k];
      moment[k] += heights[i + k] * points_[i + k];
    }
  }
  const double whole = (area[0] + area[1]) + (area[2] + area[3]);
  if (!(whole > 0)) return otherwise_;
  return ((moment[0] + moment[1]) + (moment[2] + moment[3])) / whole;
}

}  // namespace poise::shake
