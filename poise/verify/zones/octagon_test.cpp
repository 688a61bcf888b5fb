#include "poise/verify/zones/octagon.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "tests/support/size.h"

namespace poise::verify {
namespace {

using Constraint = Octagon::Constraint;
using Moved = Octagon::Moved;
using Shape = Octagon::Shape;
using Source = Octagon::Source;
using Point = std::vector<Rational>;

Constraint at_most(std::uint32_t x, Limit most) { return {.x = x, .x_sign = 1, .most = most}; }
Constraint at_least(std::uint32_t x, std::int64_t least, bool strict = false) {
  return {.x = x, .x_sign = -1, .most = {.value = -least, .strict = strict}};
}
Constraint pair(int x_sign, std::uint32_t x, int y_sign, std::uint32_t y, Limit most) {
  return {.x = x, .x_sign = x_sign, .y = y, .y_sign = y_sign, .most = most};
}

bool holds(const Constraint& constraint, const Point& point) {
  Rational left = point[constraint.x] * constraint.x_sign;
  if (constraint.y_sign != 0) left = left + point[constraint.y] * constraint.y_sign;
  const Rational most = ticks(constraint.most);
  return constraint.most.strict ? left < most : left <= most;
}

bool hold(const std::vector<Constraint>& constraints, const Point& point) {
  return std::ranges::all_of(constraints, [&](const Constraint& c) { return holds(c, point); });
}

// All points with coordinates low, low + step, .. high.
std::vector<Point> grid(std::size_t dimensions, const Rational& low, const Rational& high,
                        const Rational& step) {
  std::vector<Point> points{{}};
  for (std::size_t i = 0; i < dimensions; ++i) {
    std::vector<Point> longer;
    for (const Point& point : points) {
      for (Rational value = low; value <= high; value = value + step) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

// Any linear inequalities, exactly: the second opinion. Of those with the same left side, the
// tightest is kept.
class Inequalities {
 public:
  explicit Inequalities(std::size_t variables) : variables_(variables) {}

  void add(std::vector<std::int64_t> factors, Rational most, bool strict) {
    std::int64_t common = 0;
    for (const std::int64_t factor : factors) common = std::gcd(common, factor);
    if (common == 0) {
      if (strict ? most <= 0 : most < 0) contradictory_ = true;
      return;
    }
    for (std::int64_t& factor : factors) factor /= common;
    most = most / common;
    const auto [found, is_new] = rows_.try_emplace(std::move(factors), most, strict);
    if (is_new) return;
    auto& [known, known_strict] = found->second;
    if (most < known) {
      found->second = {most, strict};
    } else if (most == known) {
      known_strict = known_strict || strict;
    }
  }

  // Dimension i of the constraint is variable first + i.
  void add(const Constraint& constraint, std::size_t first = 0) {
    std::vector<std::int64_t> factors(variables_);
    factors[first + constraint.x] += constraint.x_sign;
    if (constraint.y_sign != 0) factors[first + constraint.y] += constraint.y_sign;
    add(std::move(factors), ticks(constraint.most), constraint.most.strict);
  }

  // Fourier and Motzkin.
  [[nodiscard]] Inequalities without(std::size_t variable) const {
    Inequalities result(variables_);
    result.contradictory_ = contradictory_;
    for (const auto& [factors, bound] : rows_) {
      if (factors[variable] == 0) result.add(factors, bound.first, bound.second);
      if (factors[variable] <= 0) continue;
      for (const auto& [other, other_bound] : rows_) {
        if (other[variable] >= 0) continue;
        const std::int64_t times = -other[variable];
        const std::int64_t other_times = factors[variable];
        std::vector<std::int64_t> both(variables_);
        for (std::size_t i = 0; i < variables_; ++i) {
          both[i] = times * factors[i] + other_times * other[i];
        }
        result.add(std::move(both), bound.first * times + other_bound.first * other_times,
                   bound.second || other_bound.second);
      }
    }
    return result;
  }

  [[nodiscard]] bool is_feasible() const {
    Inequalities rest = *this;
    for (std::size_t i = 0; i < variables_ && !rest.contradictory_; ++i) rest = rest.without(i);
    return !rest.contradictory_;
  }

  [[nodiscard]] bool imply(const std::vector<std::int64_t>& factors, const Rational& most,
                           bool strict) const {
    Inequalities against = *this;
    std::vector<std::int64_t> negated = factors;
    for (std::int64_t& factor : negated) factor = -factor;
    against.add(negated, -most, !strict);
    return !against.is_feasible();
  }
  [[nodiscard]] bool imply(const Constraint& constraint) const {
    Inequalities one(variables_);
    one.add(constraint);
    return imply(one);
  }
  [[nodiscard]] bool imply(const Inequalities& other) const {
    if (other.contradictory_) return !is_feasible();
    return std::ranges::all_of(other.rows_, [&](const auto& row) {
      return imply(row.first, row.second.first, row.second.second);
    });
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }

  // The same with variables at other places: i at places[i].
  [[nodiscard]] Inequalities renamed(std::size_t variables,
                                     const std::vector<std::size_t>& places) const {
    Inequalities result(variables);
    result.contradictory_ = contradictory_;
    for (const auto& [factors, bound] : rows_) {
      std::vector<std::int64_t> moved(variables);
      for (std::size_t i = 0; i < places.size(); ++i) moved[places[i]] = factors[i];
      result.add(std::move(moved), bound.first, bound.second);
    }
    return result;
  }

  // For p - e * direction, e being a further, last variable.
  [[nodiscard]] Inequalities moved_back(const std::vector<int>& direction) const {
    Inequalities result(variables_ + 1);
    result.contradictory_ = contradictory_;
    for (const auto& [factors, bound] : rows_) {
      std::vector<std::int64_t> moved = factors;
      moved.push_back(0);
      for (std::size_t i = 0; i < direction.size(); ++i) moved.back() -= direction[i] * factors[i];
      result.add(std::move(moved), bound.first, bound.second);
    }
    return result;
  }

  // The last variable is not there any more; nothing asks for it.
  [[nodiscard]] Inequalities shorter(std::size_t variables) const {
    Inequalities result(variables);
    result.contradictory_ = contradictory_;
    for (const auto& [factors, bound] : rows_) {
      result.add({factors.begin(), factors.begin() + static_cast<std::ptrdiff_t>(variables)},
                 bound.first, bound.second);
    }
    return result;
  }

 private:
  std::size_t variables_;
  std::map<std::vector<std::int64_t>, std::pair<Rational, bool>> rows_;
  bool contradictory_ = false;
};

Inequalities inequalities(std::size_t dimensions, const std::vector<Constraint>& constraints) {
  Inequalities result(dimensions);
  for (const Constraint& constraint : constraints) result.add(constraint);
  return result;
}

Inequalities inequalities(const Octagon& octagon) {
  const std::size_t dimensions = octagon.shape().dimensions;
  if (!octagon.is_empty()) return inequalities(dimensions, octagon.constraints());
  Inequalities nothing(dimensions);
  nothing.add(std::vector<std::int64_t>(dimensions), -1, false);
  return nothing;
}

Octagon octagon_of(const Shape& shape, const std::vector<Constraint>& constraints) {
  Octagon octagon(shape);
  for (const Constraint& constraint : constraints) octagon.add(constraint);
  return octagon;
}

// A sum or difference of two dimensions, or of one.
struct Direction {
  std::uint32_t x;
  int x_sign;
  std::uint32_t y;
  int y_sign;
};

std::vector<Direction> directions(std::uint32_t dimensions) {
  std::vector<Direction> result;
  for (std::uint32_t x = 0; x < dimensions; ++x) {
    for (const int x_sign : {1, -1}) {
      result.push_back({x, x_sign, x, 0});
      for (std::uint32_t y = x + 1; y < dimensions; ++y) {
        for (const int y_sign : {1, -1}) result.push_back({x, x_sign, y, y_sign});
      }
    }
  }
  return result;
}

std::optional<Limit> most_of(const Octagon& octagon, const Direction& d) {
  if (d.y_sign != 0) return octagon.most(d.x, d.x_sign, d.y, d.y_sign);
  if (d.x_sign > 0) return octagon.most(d.x);
  std::optional<Limit> least = octagon.least(d.x);
  if (least) least->value = -least->value;
  return least;
}

Constraint constraint_of(const Direction& d, const Limit& most) {
  return {.x = d.x, .x_sign = d.x_sign, .y = d.y, .y_sign = d.y_sign, .most = most};
}

struct Chance {
  explicit Chance(std::uint64_t seed) : random(seed) {}

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low +
           static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
  }
  int sign() { return random.coin() ? 1 : -1; }
  std::uint32_t dimension(std::uint32_t dimensions) {
    return static_cast<std::uint32_t>(random.below(dimensions));
  }

  Constraint constraint(std::uint32_t dimensions) {
    Constraint result{
        .x = dimension(dimensions), .x_sign = sign(), .y = 0, .y_sign = 0, .most = {}};
    if (dimensions > 1 && random.below(3) > 0) {
      do {
        result.y = dimension(dimensions);
      } while (result.y == result.x);
      result.y_sign = sign();
    }
    result.most = {.value = between(-3, 8),
                   .strict = random.below(3) == 0,
                   .halvings = static_cast<std::uint8_t>(random.below(6) == 0 ? 1 : 0)};
    return result;
  }

  std::vector<Constraint> constraints(std::uint32_t dimensions) {
    std::vector<Constraint> result;
    const std::uint64_t count = 1 + random.below(5 * std::uint64_t{dimensions});
    for (std::uint64_t i = 0; i < count; ++i) result.push_back(constraint(dimensions));
    return result;
  }

  Random random;
};

std::string text(const Constraint& c) {
  const auto term = [](int sign, std::uint32_t x) {
    return std::string(sign > 0 ? "+x" : "-x") + std::to_string(x);
  };
  return term(c.x_sign, c.x) + (c.y_sign == 0 ? "" : " " + term(c.y_sign, c.y)) +
         (c.most.strict ? " < " : " <= ") + ticks(c.most).to_string();
}

std::string text(const std::vector<Constraint>& constraints) {
  std::string result;
  for (const Constraint& c : constraints) result += text(c) + "; ";
  return result;
}

std::string text(const Octagon& octagon) {
  return octagon.is_empty() ? "empty" : text(octagon.constraints());
}

// The properties that every octagon has.
void expect_consistent(const Octagon& octagon) {
  ASSERT_FALSE(octagon.overflowed());
  const auto point = octagon.point();
  ASSERT_EQ(point.has_value(), !octagon.is_empty());
  EXPECT_TRUE(octagon.includes(octagon));
  EXPECT_EQ(octagon, octagon);
  if (!point) return;
  EXPECT_TRUE(octagon.contains(*point)) << text(octagon);

  const std::vector<Constraint> constraints = octagon.constraints();
  EXPECT_TRUE(hold(constraints, *point));
  const Octagon again = octagon_of(octagon.shape(), constraints);
  EXPECT_EQ(again, octagon) << text(octagon);
  EXPECT_EQ(again.hash(), octagon.hash());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    std::vector<Constraint> others = constraints;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const Octagon larger = octagon_of(octagon.shape(), others);
    EXPECT_NE(larger, octagon) << text(constraints[i]) << " of " << text(octagon);
    EXPECT_TRUE(larger.includes(octagon));
    EXPECT_FALSE(octagon.includes(larger));
  }
  for (const Direction& direction : directions(octagon.shape().dimensions)) {
    const std::optional<Limit> most = most_of(octagon, direction);
    if (!most) continue;
    Octagon same = octagon;
    same.add(constraint_of(direction, *most));
    EXPECT_EQ(same, octagon) << text(octagon);
  }
}

void expect_same_set(const Octagon& octagon, const Inequalities& set) {
  ASSERT_EQ(octagon.is_empty(), !set.is_feasible());
  if (octagon.is_empty()) return;
  const Inequalities own = inequalities(octagon);
  EXPECT_TRUE(set.imply(own)) << "too small: " << text(octagon);
  EXPECT_TRUE(own.imply(set)) << "too large: " << text(octagon);
}

TEST(Octagon, HoldsEveryPointAtFirst) {
  const Shape shape{.dimensions = 3};
  const Octagon octagon(shape);
  EXPECT_FALSE(octagon.is_empty());
  EXPECT_TRUE(octagon.is_exact());
  EXPECT_FALSE(octagon.overflowed());
  EXPECT_EQ(octagon.most(1), std::nullopt);
  EXPECT_EQ(octagon.least(2), std::nullopt);
  EXPECT_EQ(octagon.most(0, 1, 1, -1), std::nullopt);
  EXPECT_TRUE(octagon.constraints().empty());
  EXPECT_EQ(octagon.point(), (Point{0, 0, 0}));
  EXPECT_TRUE(octagon.contains(Point{1000000, Rational(1, 3), -5}));
}

TEST(Octagon, OfNoDimensionsHasOnePoint) {
  const Shape shape{};
  const Octagon octagon(shape);
  EXPECT_FALSE(octagon.is_empty());
  EXPECT_EQ(octagon.point(), Point{});
  EXPECT_TRUE(octagon.contains(Point{}));
}

TEST(Octagon, KeepsHalvesOfTicks) {
  const Shape shape{.dimensions = 2};
  const Octagon octagon = octagon_of(shape, {pair(1, 0, 1, 1, {2}), pair(1, 0, -1, 1, {1, true})});
  EXPECT_EQ(octagon.most(0), (Limit{.value = 3, .strict = true, .halvings = 1}));
  EXPECT_TRUE(octagon.contains(Point{Rational(149, 100), Rational(1, 2)}));
  EXPECT_FALSE(octagon.contains(Point{Rational(3, 2), Rational(1, 2)}));
}

TEST(Octagon, TellsStrictBoundsFromOthers) {
  const Shape shape{.dimensions = 1};
  EXPECT_FALSE(octagon_of(shape, {at_most(0, {5}), at_least(0, 5)}).is_empty());
  EXPECT_TRUE(octagon_of(shape, {at_most(0, {5, true}), at_least(0, 5)}).is_empty());
  EXPECT_TRUE(octagon_of(shape, {at_most(0, {5}), at_least(0, 5, true)}).is_empty());
  const Octagon open = octagon_of(shape, {at_most(0, {1, true}), at_least(0, 0, true)});
  const Octagon closed = octagon_of(shape, {at_most(0, {1}), at_least(0, 0)});
  EXPECT_EQ(open.point(), Point{Rational(1, 2)});
  EXPECT_TRUE(closed.includes(open));
  EXPECT_FALSE(open.includes(closed));
}

TEST(Octagon, RelatesADimensionToItself) {
  const Shape shape{.dimensions = 2};
  EXPECT_EQ(octagon_of(shape, {pair(1, 0, 1, 0, {5})}).most(0), (Limit{5, false, 1}));
  EXPECT_EQ(octagon_of(shape, {pair(1, 0, -1, 0, {0})}), Octagon(shape));
  EXPECT_TRUE(octagon_of(shape, {pair(1, 0, -1, 0, {0, true})}).is_empty());
  EXPECT_TRUE(octagon_of(shape, {pair(-1, 1, 1, 1, {-1})}).is_empty());
}

TEST(Octagon, ConstraintsAreShort) {
  const Shape shape{.dimensions = 2};
  const std::vector<Constraint> constraints{at_most(0, {10}), at_least(0, 0),
                                            pair(1, 0, 1, 1, {10}), pair(-1, 0, -1, 1, {-10})};
  Octagon octagon = octagon_of(shape, constraints);
  octagon.add(at_most(1, {10}));
  octagon.add(at_least(1, 0));
  EXPECT_EQ(octagon.constraints(), constraints);
}

TEST(Octagon, PointsAreRoundNumbersAboutTheMiddle) {
  const Shape shape{.dimensions = 1};
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return *octagon_of(shape, {at_least(0, low), at_most(0, {high})}).point();
  };
  EXPECT_EQ(between(3, 398), Point{200});
  EXPECT_EQ(between(-15, 395), Point{200});
  EXPECT_EQ(between(14, 17), Point{16});
  EXPECT_EQ(between(7, 8), Point{7});
  EXPECT_EQ(between(-300, 310), Point{0});
  EXPECT_EQ(between(37, 37), Point{37});
  EXPECT_EQ(octagon_of(shape, {at_least(0, 20, true)}).point(), Point{21});
  EXPECT_EQ(octagon_of(shape, {at_most(0, {-20})}).point(), Point{-21});
  EXPECT_EQ(octagon_of(shape, {at_most(0, {20})}).point(), Point{0});
}

TEST(Octagon, HoldsThePointsForWhichItsConstraintsHold) {
  Chance chance(1);
  for (const std::uint32_t dimensions : {1U, 2U, 3U}) {
    const Shape shape{.dimensions = dimensions};
    const std::vector<Point> points = grid(dimensions, -4, 4, Rational(1, dimensions == 3 ? 1 : 2));
    for (int round = 0; round < 60; ++round) {
      const std::vector<Constraint> constraints = chance.constraints(dimensions);
      const Octagon octagon = octagon_of(shape, constraints);
      expect_consistent(octagon);
      for (const Point& point : points) {
        ASSERT_EQ(octagon.contains(point), hold(constraints, point)) << text(constraints);
      }
    }
  }
}

TEST(Octagon, KnowsTheTightestBounds) {
  Chance chance(2);
  const Rational little(1, 100000);
  int empty = 0;
  for (int round = 0; round < 150; ++round) {
    const std::uint32_t dimensions = 2 + static_cast<std::uint32_t>(round % 2);
    const Shape shape{.dimensions = dimensions};
    const std::vector<Constraint> constraints = chance.constraints(dimensions);
    const Inequalities set = inequalities(dimensions, constraints);
    const Octagon octagon = octagon_of(shape, constraints);
    ASSERT_EQ(octagon.is_empty(), !set.is_feasible()) << text(constraints);
    if (octagon.is_empty()) {
      ++empty;
      continue;
    }
    for (const Direction& d : directions(dimensions)) {
      std::vector<std::int64_t> factors(dimensions);
      factors[d.x] += d.x_sign;
      factors[d.y] += d.y_sign;
      const std::optional<Limit> most = most_of(octagon, d);
      if (!most) {
        EXPECT_FALSE(set.imply(factors, 1000000, false));
        continue;
      }
      EXPECT_TRUE(set.imply(factors, ticks(*most), most->strict)) << text(constraints);
      EXPECT_FALSE(set.imply(factors, ticks(*most) - little, false)) << text(constraints);
      if (!most->strict) {
        EXPECT_FALSE(set.imply(factors, ticks(*most), true));
      }
    }
  }
  EXPECT_GT(empty, 20);
  EXPECT_LT(empty, 100);
}

TEST(Octagon, EqualSetsAreEqualOctagons) {
  Chance chance(3);
  const Shape shape{.dimensions = 3};
  for (int round = 0; round < 100; ++round) {
    std::vector<Constraint> constraints = chance.constraints(3);
    const Octagon octagon = octagon_of(shape, constraints);
    for (int more = 0; more < 4; ++more) {
      const Constraint candidate = chance.constraint(3);
      if (inequalities(3, constraints).imply(candidate)) constraints.push_back(candidate);
    }
    chance.random.shuffle(std::span(constraints));
    const Octagon again = octagon_of(shape, constraints);
    EXPECT_EQ(again, octagon) << text(constraints);
    EXPECT_EQ(again.hash(), octagon.hash());
  }
}

TEST(Octagon, IncludesWhatItImplies) {
  Chance chance(4);
  const Shape shape{.dimensions = 2};
  int included = 0;
  for (int round = 0; round < 400; ++round) {
    const std::vector<Constraint> large{chance.constraint(2), chance.constraint(2)};
    const std::vector<Constraint> small = chance.constraints(2);
    const Octagon outer = octagon_of(shape, large);
    const Octagon inner = octagon_of(shape, small);
    const bool includes = inequalities(2, small).imply(inequalities(2, large));
    EXPECT_EQ(outer.includes(inner), includes || inner.is_empty());
    EXPECT_EQ(outer == inner, outer.includes(inner) && inner.includes(outer));
    if (includes && !inner.is_empty()) ++included;
  }
  EXPECT_GT(included, 15);
}

std::string written(const Octagon& octagon) {
  PackedWriter bytes;
  octagon.write(bytes);
  return bytes.bytes();
}

TEST(Octagon, IsReadAsItWasWritten) {
  Chance chance(16);
  std::size_t longest = 0;
  for (int round = 0; round < 400; ++round) {
    const Shape shape{
        .dimensions = 3, .whole = std::vector<bool>(round % 2 == 0 ? 0 : 3, true), .unit = 2};
    Octagon octagon = octagon_of(shape, chance.constraints(3));
    if (octagon.is_empty()) continue;
    const std::string bytes = written(octagon);
    PackedReader reader(bytes.data());
    const Octagon again = Octagon::read(shape, reader);
    EXPECT_EQ(again, octagon);
    EXPECT_EQ(again.is_exact(), octagon.is_exact());
    EXPECT_EQ(written(again), bytes);
    longest = std::max(longest, bytes.size());

    const Octagon before = octagon;
    octagon.add(chance.constraint(3));
    if (octagon.is_empty()) continue;
    EXPECT_EQ(written(octagon) == bytes, octagon == before);
  }
  EXPECT_LT(longest, 60U);
}

TEST(Octagon, IsReadAsItWasWrittenIfItOverflowedOrIsFarAway) {
  const Shape shape{.dimensions = 2};
  constexpr std::int64_t kFar = std::int64_t{1} << 43;
  const Octagon far = octagon_of(shape, {at_least(0, kFar, true), at_most(1, {-kFar})});
  Octagon overflowed(shape);
  overflowed.add(at_most(0, {std::numeric_limits<std::int64_t>::max()}));
  ASSERT_TRUE(overflowed.overflowed());
  ASSERT_FALSE(far.overflowed());
  for (const Octagon& octagon : {far, overflowed}) {
    const std::string bytes = written(octagon);
    PackedReader reader(bytes.data());
    const Octagon again = Octagon::read(shape, reader);
    EXPECT_EQ(again, octagon);
    EXPECT_EQ(again.overflowed(), octagon.overflowed());
    EXPECT_EQ(again.is_exact(), octagon.is_exact());
  }
}

TEST(Octagon, ExcludesWhatWouldLeaveNothing) {
  Chance chance(15);
  int excluded = 0;
  for (int round = 0; round < 400; ++round) {
    const Shape shape{
        .dimensions = 3, .whole = std::vector<bool>(round % 2 == 0 ? 0 : 3, true), .unit = 2};
    const Octagon octagon = octagon_of(shape, chance.constraints(3));
    const Constraint constraint = chance.constraint(3);
    Octagon rest = octagon;
    rest.add(constraint);
    EXPECT_EQ(octagon.excludes(constraint), rest.is_empty()) << text(constraint);
    if (rest.is_empty() && !octagon.is_empty()) ++excluded;
  }
  EXPECT_GT(excluded, 20);
}

// Eliminates the old values from "old ones satisfy this, and new ones come from them".
Inequalities after_assigning(const Inequalities& before, const std::vector<Source>& sources) {
  const std::size_t dimensions = sources.size();
  std::vector<std::size_t> places(dimensions);
  std::iota(places.begin(), places.end(), dimensions);
  Inequalities both = before.renamed(2 * dimensions, places);
  for (std::size_t i = 0; i < dimensions; ++i) {
    if (!sources[i].from) continue;
    std::vector<std::int64_t> factors(2 * dimensions);
    factors[i] = 1;
    factors[dimensions + *sources[i].from] = sources[i].negated ? 1 : -1;
    both.add(factors, 0, false);
    for (std::int64_t& factor : factors) factor = -factor;
    both.add(factors, 0, false);
  }
  for (std::size_t i = 0; i < dimensions; ++i) both = both.without(dimensions + i);
  return both.shorter(dimensions);
}

Inequalities after_shifting(const Inequalities& before, const std::vector<int>& direction,
                            std::int64_t low, std::int64_t high) {
  const std::size_t dimensions = direction.size();
  Inequalities result = before.moved_back(direction);
  std::vector<std::int64_t> only_e(dimensions + 1);
  only_e.back() = 1;
  result.add(only_e, high, false);
  only_e.back() = -1;
  result.add(only_e, -low, false);
  return result.without(dimensions).shorter(dimensions);
}

std::vector<Source> random_sources(Chance& chance, std::uint32_t dimensions) {
  std::vector<Source> sources(dimensions);
  for (Source& source : sources) {
    if (chance.random.below(4) > 0) source.from = chance.dimension(dimensions);
    source.negated = chance.random.coin();
  }
  return sources;
}

struct Together {
  std::vector<Moved> moved;
  std::vector<int> direction;
};

Together random_move(Chance& chance, std::uint32_t dimensions, std::size_t count) {
  std::vector<std::uint32_t> order(dimensions);
  std::iota(order.begin(), order.end(), 0U);
  chance.random.shuffle(std::span(order));
  Together result{.moved = {}, .direction = std::vector<int>(dimensions)};
  for (std::size_t i = 0; i < count; ++i) {
    result.moved.push_back({.x = order[i], .sign = chance.sign()});
    result.direction[order[i]] = result.moved.back().sign;
  }
  return result;
}

// The least octagon around a shifted one.
Inequalities hull_after_shifting(const Octagon& before, const std::vector<int>& direction,
                                 std::int64_t low, std::int64_t high) {
  Inequalities result(direction.size());
  for (const Direction& d : directions(before.shape().dimensions)) {
    const std::optional<Limit> most = most_of(before, d);
    if (!most) continue;
    const std::int64_t rate = direction[d.x] * d.x_sign + direction[d.y] * d.y_sign;
    std::vector<std::int64_t> factors(direction.size());
    factors[d.x] += d.x_sign;
    factors[d.y] += d.y_sign;
    result.add(factors, ticks(*most) + std::max(rate * low, rate * high), most->strict);
  }
  return result;
}

TEST(Octagon, AssignsAllAtOnce) {
  const Shape shape{.dimensions = 4};
  Octagon octagon(shape);  // F, B, L, R
  for (std::uint32_t x = 0; x < 4; ++x) {
    octagon.add(at_least(x, x));
    octagon.add(at_most(x, {10 + x, true}));
  }
  octagon.add(pair(1, 0, 1, 1, {7}));
  const std::array turn{Source{.from = 2}, Source{.from = 3}, Source{.from = 1}, Source{.from = 0}};
  octagon.assign(turn);
  EXPECT_EQ(octagon.most(0), (Limit{12, true}));
  EXPECT_EQ(octagon.least(1), Limit{3});
  EXPECT_EQ(octagon.most(2, 1, 3, 1), Limit{7});
}

TEST(Octagon, CopiesAreEqualAndNegationsOpposite) {
  const Shape shape{.dimensions = 3};
  Octagon octagon = octagon_of(shape, {at_least(0, 2), at_most(0, {5})});
  octagon.assign(std::array{Source{.from = 0}, Source{.from = 0, .negated = true}, Source{}});
  EXPECT_EQ(octagon, octagon_of(shape, {at_least(0, 2), at_most(0, {5}), pair(1, 0, 1, 1, {0}),
                                        pair(-1, 0, -1, 1, {0})}));
}

TEST(Octagon, AssignAndForgetAreExact) {
  Chance chance(5);
  for (int round = 0; round < 120; ++round) {
    const std::uint32_t dimensions = 2 + static_cast<std::uint32_t>(round % 2);
    const Shape shape{.dimensions = dimensions};
    const std::vector<Constraint> constraints = chance.constraints(dimensions);
    const Inequalities set = inequalities(dimensions, constraints);
    const Octagon octagon = octagon_of(shape, constraints);

    Octagon assigned = octagon;
    const std::vector<Source> sources = random_sources(chance, dimensions);
    assigned.assign(sources);
    expect_consistent(assigned);
    expect_same_set(assigned, after_assigning(set, sources));

    Octagon forgetful = octagon;
    const std::uint32_t x = chance.dimension(dimensions);
    forgetful.forget(x);
    expect_consistent(forgetful);
    expect_same_set(forgetful, set.without(x));
  }
}

TEST(Octagon, ShiftIsExact) {
  Chance chance(6);
  for (int round = 0; round < 100; ++round) {
    const std::uint32_t dimensions = 2 + static_cast<std::uint32_t>(round % 2);
    const Shape shape{.dimensions = dimensions};
    const std::vector<Constraint> constraints = chance.constraints(dimensions);
    Octagon octagon = octagon_of(shape, constraints);
    const std::uint32_t x = chance.dimension(dimensions);
    const std::int64_t low = chance.between(-3, 3);
    const std::int64_t high = low + chance.between(0, 3);
    std::vector<int> direction(dimensions);
    direction[x] = 1;
    octagon.shift(x, low, high);
    expect_consistent(octagon);
    expect_same_set(octagon,
                    after_shifting(inequalities(dimensions, constraints), direction, low, high));
  }
}

TEST(Octagon, WalkingKeepsTheSumOfWhatIsInFrontAndBehind) {
  const Shape shape{.dimensions = 2};
  Octagon octagon = octagon_of(
      shape, {at_least(0, 0), at_most(0, {10}), pair(1, 0, 1, 1, {10}), pair(-1, 0, -1, 1, {-10})});
  EXPECT_TRUE(octagon.shift_together(std::array{Moved{0, -1}, Moved{1, 1}}, 2, 5));
  EXPECT_EQ(octagon.least(0), Limit{-5});
  EXPECT_EQ(octagon.most(0), Limit{8});
  EXPECT_EQ(octagon.least(1), Limit{2});
  EXPECT_EQ(octagon.most(1), Limit{15});
  EXPECT_EQ(octagon.most(0, 1, 1, 1), Limit{10});
  EXPECT_EQ(octagon.most(0, -1, 1, -1), Limit{-10});
  EXPECT_EQ(octagon.most(0, 1, 1, -1), Limit{6});
}

TEST(Octagon, TwoDimensionsShiftTogetherExactly) {
  Chance chance(7);
  const Shape shape{.dimensions = 2};
  const std::vector<Point> points = grid(2, -5, 5, Rational(1, 2));
  int nonempty = 0;
  for (int round = 0; round < 150; ++round) {
    const std::vector<Constraint> constraints = chance.constraints(2);
    const Together together = random_move(chance, 2, 2);
    const std::int64_t low = chance.between(-2, 2);
    const std::int64_t high = low + chance.between(0, 3);
    Octagon octagon = octagon_of(shape, constraints);
    if (octagon.is_empty() && round % 8 > 0) continue;
    if (!octagon.is_empty()) ++nonempty;
    ASSERT_TRUE(octagon.shift_together(together.moved, low, high));
    expect_consistent(octagon);
    expect_same_set(octagon,
                    after_shifting(inequalities(2, constraints), together.direction, low, high));
    if (round % 4 > 0) continue;
    // The ends of what e can be are quarters of ticks, so if there is an e, there is an eighth.
    for (const Point& point : points) {
      bool found = false;
      for (Rational e = low; e <= high && !found; e = e + Rational(1, 8)) {
        found = hold(constraints,
                     {point[0] - e * together.direction[0], point[1] - e * together.direction[1]});
      }
      ASSERT_EQ(octagon.contains(point), found) << text(constraints);
    }
  }
  EXPECT_GT(nonempty, 60);
}

TEST(Octagon, ShiftsTogetherExactlyIfThatIsAnOctagon) {
  Chance chance(8);
  int refused = 0;
  int done_with_relations = 0;
  for (int round = 0; round < 250; ++round) {
    const std::uint32_t dimensions = round % 5 == 0 ? 4 : 3;
    const Shape shape{.dimensions = dimensions};
    std::vector<Constraint> constraints;
    const std::int64_t count = chance.between(2, 5);
    for (std::int64_t i = 0; i < count; ++i) constraints.push_back(chance.constraint(dimensions));
    const Octagon before = octagon_of(shape, constraints);
    const Inequalities set = inequalities(dimensions, constraints);
    const Together together =
        random_move(chance, dimensions, 2 + chance.random.below(dimensions - 1));
    const std::int64_t low = chance.between(-2, 2);
    const std::int64_t high = low + chance.between(0, 3);
    if (before.is_empty()) continue;
    const Inequalities expected = after_shifting(set, together.direction, low, high);
    Octagon octagon = before;
    if (octagon.shift_together(together.moved, low, high)) {
      if (low < high) ++done_with_relations;
      expect_consistent(octagon);
      expect_same_set(octagon, expected);
    } else {
      ++refused;
      EXPECT_EQ(octagon, before);
      EXPECT_NE(low, high);
      const Inequalities hull = hull_after_shifting(before, together.direction, low, high);
      EXPECT_TRUE(expected.imply(hull));
      EXPECT_FALSE(hull.imply(expected)) << text(before);
    }
  }
  EXPECT_GT(refused, 10);
  EXPECT_GT(done_with_relations, 40);
}

TEST(Octagon, AnyNumberOfUnrelatedDimensionsShiftTogether) {
  const Shape shape{.dimensions = 5};
  Octagon octagon(shape);
  std::vector<Moved> moved;
  for (std::uint32_t x = 0; x < 5; ++x) {
    octagon.add(at_least(x, x));
    octagon.add(at_most(x, {10}));
    if (x < 4) moved.push_back({.x = x, .sign = x % 2 == 0 ? 1 : -1});
  }
  EXPECT_TRUE(octagon.shift_together(moved, 0, 100));
  EXPECT_EQ(octagon.most(0), Limit{110});
  EXPECT_EQ(octagon.most(0, 1, 2, -1), Limit{8});
  EXPECT_EQ(octagon.most(0, 1, 1, 1), Limit{20});
  EXPECT_EQ(octagon.most(0, 1, 4, 1), Limit{120});
}

TEST(Octagon, StaysExactOverManySteps) {
  Chance chance(9);
  for (int round = 0; round < 60; ++round) {
    const Shape shape{.dimensions = 3};
    std::vector<Constraint> constraints = chance.constraints(3);
    Octagon octagon = octagon_of(shape, constraints);
    Inequalities set = inequalities(3, constraints);
    for (int step = 0; step < 8 && !octagon.is_empty(); ++step) {
      const std::int64_t low = chance.between(-3, 3);
      const std::int64_t high = low + chance.between(0, 3);
      switch (chance.random.below(4)) {
        case 0: {
          const Constraint constraint = chance.constraint(3);
          octagon.add(constraint);
          set.add(constraint);
          break;
        }
        case 1: {
          const std::vector<Source> sources = random_sources(chance, 3);
          octagon.assign(sources);
          set = after_assigning(set, sources);
          break;
        }
        case 2: {
          const std::uint32_t x = chance.dimension(3);
          octagon.forget(x);
          set = set.without(x);
          break;
        }
        default: {
          const Together together = random_move(chance, 3, 2);
          if (octagon.shift_together(together.moved, low, high)) {
            set = after_shifting(set, together.direction, low, high);
          }
        }
      }
      expect_consistent(octagon);
      expect_same_set(octagon, set);
      // Otherwise the second opinion takes too long.
      set = inequalities(octagon);
    }
  }
}

// Whole dimensions, by listing all points.
using Points = std::set<std::vector<std::int64_t>>;
constexpr std::int64_t kBox = 4;    // what octagons start with, in units
constexpr std::int64_t kFrame = 9;  // no point leaves this

void for_each_whole_point(std::uint32_t dimensions, std::int64_t most,
                          const std::function<void(const std::vector<std::int64_t>&)>& use) {
  std::vector<std::int64_t> point(dimensions, -most);
  while (true) {
    use(point);
    std::size_t i = 0;
    while (i < dimensions && point[i] == most) point[i++] = -most;
    if (i == dimensions) return;
    ++point[i];
  }
}

Point in_ticks(const std::vector<std::int64_t>& point, std::int64_t unit) {
  Point result;
  for (const std::int64_t value : point) result.emplace_back(value * unit);
  return result;
}

Points points_of(const Octagon& octagon) {
  Points points;
  for_each_whole_point(octagon.shape().dimensions, kFrame, [&](const auto& point) {
    if (octagon.contains(in_ticks(point, octagon.shape().unit))) points.insert(point);
  });
  return points;
}

// The tightest bounds that points leave.
Octagon octagon_around(const Shape& shape, const Points& points) {
  std::vector<Constraint> constraints;
  for (const Direction& d : directions(shape.dimensions)) {
    std::int64_t most = -100;
    for (const auto& point : points) {
      most = std::max(most, d.x_sign * point[d.x] + d.y_sign * point[d.y]);
    }
    constraints.push_back(constraint_of(d, {.value = most * shape.unit}));
  }
  return octagon_of(shape, constraints);
}

void expect_same_points(const Octagon& octagon, const Points& points) {
  ASSERT_TRUE(octagon.is_exact());
  ASSERT_EQ(points_of(octagon), points);
  ASSERT_EQ(octagon.is_empty(), points.empty());
  expect_consistent(octagon);
  EXPECT_EQ(octagon_around(octagon.shape(), points), octagon) << text(octagon);
}

TEST(Octagon, WholeDimensionsAreRounded) {
  const Shape shape{.dimensions = 2, .whole = {true, true}, .unit = 3};
  Octagon octagon(shape);
  octagon.add(at_most(0, {9, true}));
  EXPECT_EQ(octagon.most(0), Limit{6});
  octagon.add(at_least(0, 4));
  EXPECT_EQ(octagon.least(0), Limit{6});
  octagon.add(pair(1, 0, 1, 1, {11}));
  EXPECT_EQ(octagon.most(0, 1, 1, 1), Limit{9});
  EXPECT_EQ(octagon.most(1), Limit{3});
  EXPECT_FALSE(octagon.contains(Point{6, 2}));
  EXPECT_TRUE(octagon.contains(Point{6, 0}));
  octagon.shift(1, 4, 8);
  EXPECT_EQ(octagon.most(1), Limit{9});
  octagon.shift(1, 4, 5);
  EXPECT_TRUE(octagon.is_empty());
}

TEST(Octagon, WholeDimensionsAgreeWithListingAllPoints) {
  Chance chance(10);
  int refused = 0;
  int shifted = 0;
  for (int round = 0; round < 120 / tests::kShare; ++round) {
    const std::uint32_t dimensions = 2 + static_cast<std::uint32_t>(round % 3 == 0);
    const Shape shape{.dimensions = dimensions,
                      .whole = std::vector<bool>(dimensions, true),
                      .unit = round % 2 == 0 ? 1 : 2};
    const auto filter = [&](Points& points, const Constraint& constraint) {
      std::erase_if(points,
                    [&](const auto& p) { return !holds(constraint, in_ticks(p, shape.unit)); });
    };
    Octagon octagon(shape);
    Points points;
    for_each_whole_point(dimensions, kBox, [&](const auto& point) { points.insert(point); });
    for (std::uint32_t x = 0; x < dimensions; ++x) {
      octagon.add(at_most(x, {kBox * shape.unit}));
      octagon.add(at_least(x, -kBox * shape.unit));
    }
    for (int step = 0; step < 6; ++step) {
      const std::uint32_t x = chance.dimension(dimensions);
      const std::int64_t low = chance.between(-2, 1);
      const std::int64_t high = low + chance.between(0, 2);
      switch (chance.random.below(step < 2 ? 1 : 4)) {
        case 0: {
          for (int i = 0; i < 2; ++i) {
            const Constraint constraint = chance.constraint(dimensions);
            octagon.add(constraint);
            filter(points, constraint);
          }
          break;
        }
        case 1: {
          octagon.forget(x);
          octagon.add(at_most(x, {kBox * shape.unit}));
          octagon.add(at_least(x, -kBox * shape.unit));
          Points larger;
          for (auto point : points) {
            for (point[x] = -kBox; point[x] <= kBox; ++point[x]) larger.insert(point);
          }
          points = larger;
          break;
        }
        case 2: {
          std::vector<Source> sources = random_sources(chance, dimensions);
          for (Source& source : sources) source.from = source.from.value_or(x);
          octagon.assign(sources);
          Points assigned;
          for (const auto& point : points) {
            std::vector<std::int64_t> next;
            for (const Source& source : sources) {
              next.push_back(source.negated ? -point[*source.from] : point[*source.from]);
            }
            assigned.insert(next);
          }
          points = assigned;
          break;
        }
        default: {
          const Together together =
              random_move(chance, dimensions, 1 + chance.random.below(dimensions));
          Points moved;
          for (std::int64_t e = -10; e <= 10; ++e) {
            if (e * shape.unit < low || e * shape.unit > high) continue;
            for (auto point : points) {
              for (std::size_t i = 0; i < dimensions; ++i) point[i] += e * together.direction[i];
              moved.insert(point);
            }
          }
          const Octagon before = octagon;
          if (octagon.shift_together(together.moved, low, high)) {
            points = moved;
            ++shifted;
          } else {
            ++refused;
            EXPECT_GT(together.moved.size(), 1U);
            EXPECT_EQ(octagon, before);
            EXPECT_NE(points_of(octagon_around(shape, moved)), moved) << text(before);
          }
        }
      }
      expect_same_points(octagon, points);
      if (octagon.is_empty()) break;
    }
  }
  EXPECT_GT(refused, 2 / tests::kShare);
  EXPECT_GT(shifted, 40 / tests::kShare);
}

TEST(Octagon, OddSumsOfWholeDimensionsDoNotShiftTogether) {
  const Shape shape{.dimensions = 2, .whole = {true, true}};
  Octagon octagon = octagon_of(
      shape, {at_least(0, 0), at_most(0, {1}), pair(1, 0, 1, 1, {1}), pair(-1, 0, -1, 1, {-1})});
  EXPECT_FALSE(octagon.shift_together(std::array{Moved{0, 1}, Moved{1, 1}}, 0, 1));
  EXPECT_TRUE(octagon.shift_together(std::array{Moved{0, 1}, Moved{1, -1}}, 0, 1));
  EXPECT_TRUE(octagon.shift_together(std::array{Moved{0, 1}, Moved{1, 1}}, 3, 3));
}

TEST(Octagon, WholeAndRealDimensionsSideBySideAreExact) {
  const Shape shape{.dimensions = 2, .whole = {true, false}};
  Octagon octagon = octagon_of(shape, {at_least(0, 0, true), at_most(0, {5, true}),
                                       at_least(1, 0, true), at_most(1, {5, true})});
  EXPECT_EQ(octagon.least(0), Limit{1});
  EXPECT_EQ(octagon.most(0, 1, 1, 1), (Limit{9, true}));
  octagon.add(pair(1, 0, 1, 1, {9}));
  EXPECT_TRUE(octagon.is_exact());
  octagon.shift(0, 0, 1);
  octagon.shift(1, 0, 1);
  EXPECT_TRUE(octagon.is_exact());
  EXPECT_FALSE(octagon.shift_together(std::array{Moved{0, 1}, Moved{1, 1}}, 0, 1));
  octagon.add(pair(1, 0, 1, 1, {9}));
  EXPECT_FALSE(octagon.is_exact());
  octagon.add(at_most(0, {0}));
  EXPECT_TRUE(octagon.is_empty());
  EXPECT_TRUE(octagon.is_exact());
}

TEST(Octagon, RelationsOfWholeAndRealDimensionsLoseNoPoint) {
  Chance chance(11);
  int related = 0;
  int empty = 0;
  for (int round = 0; round < 80; ++round) {
    const Shape shape{.dimensions = 3, .whole = {true, false, round % 2 == 0}, .unit = 2};
    std::vector<Constraint> constraints;
    for (std::uint32_t x = 0; x < 3; ++x) {
      constraints.push_back(at_most(x, {4}));
      constraints.push_back(at_least(x, -4));
    }
    const std::int64_t count = chance.between(1, 7);
    for (std::int64_t i = 0; i < count; ++i) constraints.push_back(chance.constraint(3));
    const Octagon octagon = octagon_of(shape, constraints);
    expect_consistent(octagon);
    if (!octagon.is_exact()) ++related;
    Octagon forgetful = octagon;
    forgetful.forget(0);

    bool some = false;
    for (Rational x = -4; x <= 4; x = x + 2) {
      for (Rational y = -4; y <= 4; y = y + Rational(1, 4)) {
        for (Rational z = -4; z <= 4; z = z + Rational(round % 2 == 0 ? 8 : 1, 4)) {
          const Point point{x, y, z};
          const bool inside = hold(constraints, point);
          ASSERT_EQ(octagon.contains(point), inside) << text(constraints);
          some = some || inside;
          if (inside) {
            EXPECT_TRUE(forgetful.contains(point));
          }
        }
      }
    }
    // Strict bounds may leave only points between those that we tried; then there is one all the
    // same, as expect_consistent() saw.
    if (some) {
      EXPECT_FALSE(octagon.is_empty());
    }
    if (octagon.is_empty()) ++empty;
    if (!octagon.is_empty()) {
      EXPECT_TRUE(hold(constraints, *octagon.point()));
    }
  }
  EXPECT_GT(related, 30);
  EXPECT_GT(empty, 10);
}

TEST(Octagon, WholeDimensionsAreNotHalfAUnitApart) {
  const Shape shape{.dimensions = 3, .whole = {true, true, false}, .unit = 2};
  Octagon octagon =
      octagon_of(shape, {pair(1, 2, -1, 0, {0}), pair(-1, 2, 1, 0, {0}), pair(1, 2, -1, 1, {1})});
  EXPECT_FALSE(octagon.is_empty());
  EXPECT_EQ(octagon.most(0, 1, 1, -1), Limit{0});
  EXPECT_EQ(octagon.most(2, 1, 1, -1), Limit{0});
  octagon.add(pair(-1, 2, 1, 1, {-1}));
  EXPECT_TRUE(octagon.is_empty());
}

TEST(Octagon, SeveralRoundedBoundsCanContradictEachOther) {
  // k, l, m, p are whole; x and y are not.
  const Shape shape{.dimensions = 6, .whole = {true, true, true, true, false, false}};
  const std::uint32_t k = 0, l = 1, m = 2, p = 3, x = 4, y = 5;
  Octagon octagon = octagon_of(shape, {pair(1, k, -1, x, {1}), pair(1, y, -1, l, {-1, false, 1}),
                                       pair(1, m, -1, x, {1, false, 1}), pair(1, y, -1, p, {0}),
                                       pair(1, l, -1, m, {0}), pair(1, p, -1, k, {-1})});
  EXPECT_FALSE(octagon.is_empty());
  expect_consistent(octagon);
  octagon.add(pair(1, x, -1, y, {0}));  // k - l <= 1/2 and m - p <= 1/2
  EXPECT_TRUE(octagon.is_empty());
}

TEST(Octagon, RelationsToASingleValueAreExact) {
  const Shape shape{.dimensions = 3, .whole = {true, false, true}, .unit = 2};
  Octagon octagon = octagon_of(shape, {at_least(0, 4), at_most(0, {4}),
                                       pair(1, 1, -1, 0, {1, true}), pair(-1, 0, -1, 1, {3})});
  EXPECT_TRUE(octagon.is_exact());
  EXPECT_EQ(octagon, octagon_of(shape, {at_least(0, 4), at_most(0, {4}), at_most(1, {5, true}),
                                        at_least(1, -7)}));
  octagon.assign(std::array{Source{.from = 0}, Source{.from = 0, .negated = true}, Source{}});
  EXPECT_TRUE(octagon.is_exact());
  EXPECT_EQ(octagon, octagon_of(shape, {at_least(0, 4), at_most(0, {4}), at_most(1, {-4}),
                                        at_least(1, -4)}));
  octagon.add(pair(1, 2, 1, 1, {1}));
  EXPECT_TRUE(octagon.is_exact());
  EXPECT_EQ(octagon.most(2), Limit{4});
  octagon.shift(1, 1, 1);
  octagon.assign(std::array{Source{.from = 1}, Source{}, Source{}});
  EXPECT_TRUE(octagon.is_empty());
}

TEST(Octagon, FromRealToWholeIsNotExact) {
  const Shape shape{.dimensions = 2, .whole = {true, false}};
  Octagon octagon = octagon_of(shape, {at_least(1, 0, true), at_most(1, {3, true})});
  octagon.assign(std::array{Source{.from = 1}, Source{.from = 1}});
  EXPECT_FALSE(octagon.is_exact());
  EXPECT_EQ(octagon.least(0), Limit{1});
  EXPECT_EQ(octagon.least(1), Limit{1});
  EXPECT_EQ(octagon.most(1), Limit{2});
}

TEST(Octagon, SaysThatItOverflowed) {
  const Shape shape{.dimensions = 2};
  const std::int64_t far = 10'000'000'000'000;
  Octagon octagon = octagon_of(shape, {at_least(0, -far), at_most(0, {far}), at_least(1, 0)});
  EXPECT_FALSE(octagon.overflowed());
  octagon.shift(0, -far, far);
  EXPECT_TRUE(octagon.overflowed());
  EXPECT_FALSE(octagon.is_exact());
  EXPECT_FALSE(octagon.is_empty());
  EXPECT_EQ(octagon, Octagon(shape));
  EXPECT_EQ(octagon.point(), std::nullopt);
  octagon.add(at_most(0, {0}));
  octagon.forget(0);
  EXPECT_TRUE(octagon.overflowed());
  EXPECT_EQ(octagon, Octagon(shape));

  for (const std::int64_t value : {INT64_MAX, INT64_MIN, INT64_MAX / 1000, INT64_MIN / 1000}) {
    EXPECT_TRUE(octagon_of(shape, {at_most(0, {value})}).overflowed());
    EXPECT_TRUE(octagon_of(shape, {pair(1, 0, 1, 1, {value})}).overflowed());
    Octagon moved(shape);
    moved.shift(0, value, value);
    EXPECT_TRUE(moved.overflowed());
  }
}

TEST(Octagon, SumsThatGrowOverflowToo) {
  const Shape shape{.dimensions = 3};
  const std::int64_t far = 17'000'000'000'000;
  Octagon octagon = octagon_of(shape, {pair(1, 0, -1, 1, {far}), pair(1, 1, -1, 2, {far})});
  EXPECT_FALSE(octagon.overflowed());
  octagon.add(at_most(2, {far}));
  EXPECT_TRUE(octagon.overflowed());
}

TEST(Octagon, BoundsThatAreTooFineOverflow) {
  const Shape shape{.dimensions = 2};
  const Limit fine{.value = 1, .strict = false, .halvings = 10};
  EXPECT_FALSE(octagon_of(shape, {pair(1, 0, 1, 1, fine)}).overflowed());
  EXPECT_EQ(octagon_of(shape, {pair(1, 0, 1, 1, fine)}).most(0, 1, 1, 1), fine);
  EXPECT_EQ(octagon_of(shape, {at_most(0, {1, true, 11})}).most(0), (Limit{1, true, 11}));
  EXPECT_TRUE(octagon_of(shape, {pair(1, 0, 1, 1, {1, false, 11})}).overflowed());
  EXPECT_TRUE(octagon_of(shape, {at_most(0, {1, true, 12})}).overflowed());
  EXPECT_EQ(octagon_of(shape, {pair(1, 0, 1, 1, {4, false, 12})}).most(0, 1, 1, 1), fine);
  // x + y is bounded by an odd number of halves of the finest part.
  EXPECT_TRUE(octagon_of(shape, {at_most(0, {1, true, 11}), at_most(1, {0})}).overflowed());
  EXPECT_FALSE(
      octagon_of(shape, {pair(1, 0, 1, 1, {0}), at_most(0, {1, true, 11}), at_most(1, {0})})
          .overflowed());
}

TEST(Octagon, ManyDimensionsNeedNoSpecialCare) {
  const std::uint32_t dimensions = 20;
  const Shape shape{.dimensions = dimensions};
  Octagon octagon(shape);
  octagon.add(at_most(0, {0}));
  for (std::uint32_t x = 1; x < dimensions; ++x) {
    octagon.add(pair(1, x, -1, x - 1, {1, x == 7}));
  }
  EXPECT_EQ(octagon.most(5), Limit{5});
  EXPECT_EQ(octagon.most(19), (Limit{19, true}));
  std::vector<Source> sources(dimensions);
  for (std::uint32_t x = 0; x < dimensions; ++x) sources[x] = {.from = dimensions - 1 - x};
  octagon.assign(sources);
  EXPECT_EQ(octagon.most(0), (Limit{19, true}));
  EXPECT_TRUE(octagon.contains(*octagon.point()));
  EXPECT_TRUE(octagon.shift_together(std::array{Moved{0, 1}, Moved{1, 1}}, 2, 2));
  EXPECT_EQ(octagon.most(0), (Limit{21, true}));
}

}  // namespace
}  // namespace poise::verify
