#pragma once

// Octagons: sets of points given by conjunctions of `±x <= c` and `±x ±y <= c`, some of them
// strict. For most models, the values that an application with sensing errors can meet are a union
// of octagons, and every part of a step (a guard, a walk that is longer or shorter than meant, a
// turn, a variable that takes a new value) turns an octagon into an octagon, without approximation.
//
//   const Octagon::Shape shape{.dimensions = 2};
//   Octagon room(shape);                                         // every (F, B)
//   room.add({.x = 0, .x_sign = -1, .most = {.value = -20}});    // F >= 20
//   room.add({.x = 0, .x_sign = 1, .y = 1, .y_sign = 1, .most = {.value = 400}});  // F + B <= 400
//   const std::array walk{Octagon::Moved{.x = 0, .sign = -1}, Octagon::Moved{.x = 1, .sign = 1}};
//   room.shift_together(walk, 5, 15);                            // F -= u, B += u, 5 <= u <= 15
//   room.least(0)                                                // F >= 5
//
// Input numbers are whole "ticks"; the caller chooses how many ticks make one of its own units.
// Derived bounds may be halves, quarters and so on (x + y <= 2 and x - y <= 1 give x <= 3/2), exact
// down to 1/1024 of a tick. If a bound needs finer parts, or is more than about 10^13 ticks away
// from 0, the octagon has `overflowed`.
//
// A dimension is real, or *whole*: a multiple of `unit`. Octagons of real dimensions only are
// exact, and so are those of whole ones only. A relation between a whole and a real dimension is
// kept as far as possible, but then the octagon may contain points that it should not: is_exact().
//
// Exact octagons with the same points are equal and have the same hash, however they were made. For
// an octagon is always in its normal form, which is strongly closed (A. Miné, The octagon abstract
// domain, 2006) and, for whole dimensions, tightly closed (R. Bagnara, P. Hill, E. Zaffanella,
// Weakly-relational shapes for numeric abstractions, 2009). octagon.cpp explains the algorithms.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/base/rational.h"
#include "poise/verify/zones/packed.h"

namespace poise::verify {

// A bound in ticks: value / 2^halvings.
struct Limit {
  std::int64_t value = 0;
  bool strict = false;        // the bound itself is excluded
  std::uint8_t halvings = 0;  // as few as possible in limits that an octagon returns

  friend bool operator==(const Limit&, const Limit&) = default;
};

[[nodiscard]] Rational ticks(const Limit& limit);

class Octagon {
 public:
  // Common to all octagons of a model; must outlive them.
  struct Shape {
    std::uint32_t dimensions = 0;
    std::vector<bool> whole = {};  // by dimension; empty: all are real
    std::int64_t unit = 1;         // ticks between two values of a whole dimension; positive
  };

  // All points.
  explicit Octagon(const Shape& shape);

  [[nodiscard]] const Shape& shape() const { return *shape_; }
  [[nodiscard]] bool is_empty() const { return empty_; }

  // If it is not, the octagon has all the points that it should, but maybe others, too: a relation
  // between a whole and a real dimension was needed, or the octagon overflowed. An empty octagon is
  // always exact.
  [[nodiscard]] bool is_exact() const { return exact_; }

  // A bound did not fit into 64 bits. Such an octagon contains all points, and no operation changes
  // it any more.
  [[nodiscard]] bool overflowed() const { return overflowed_; }

  // x_sign * x + y_sign * y <= most. A sign is 1 or -1; y_sign is 0 if this is about x only.
  struct Constraint {
    std::uint32_t x = 0;
    int x_sign = 1;
    std::uint32_t y = 0;
    int y_sign = 0;
    Limit most;

    friend bool operator==(const Constraint&, const Constraint&) = default;
  };
  void add(const Constraint& constraint);
  // Whether adding the constraint would make the octagon empty. Looks at one bound, so it is much
  // cheaper than add().
  [[nodiscard]] bool excludes(const Constraint& constraint) const;

  // Assigns all dimensions at once: dimension i takes the old value of `from`, or its negation, or
  // any value if there is no `from`. Two dimensions with the same source are equal afterwards. From
  // whole to real or back is not exact, unless the source has a single value.
  struct Source {
    std::optional<std::uint32_t> from;
    bool negated = false;
  };
  void assign(std::span<const Source> sources);

  // x takes any value.
  void forget(std::uint32_t x);

  // x := x + e for any e with low <= e <= high. If x is whole, e is a multiple of the unit; if
  // there is no such e, the octagon becomes empty.
  void shift(std::uint32_t x, std::int64_t low, std::int64_t high);

  // x := x + sign * e, with the same e for several different dimensions. The result need not be an
  // octagon: then the answer is false, and the octagon is unchanged. It is one
  //   - if low == high;
  //   - if these dimensions have bounds of their own only, and no relations to any others;
  //   - if they are two real dimensions that have relations to each other only;
  // and in further cases, which take longer to recognise. For two whole dimensions the third does
  // not hold: if x + y = 1, then after x += e, y += e the sum is any odd number. A whole and a real
  // dimension never move together unless low == high.
  struct Moved {
    std::uint32_t x = 0;
    int sign = 1;
  };
  [[nodiscard]] bool shift_together(std::span<const Moved> moved, std::int64_t low,
                                    std::int64_t high);

  // Whether it contains every point of the other one, which has the same shape.
  [[nodiscard]] bool includes(const Octagon& other) const;
  // A cheap test before includes(): how far the octagon extends in eight directions. If neither is
  // empty, one that includes another extends at least as far in each of them.
  using Extent = std::array<std::int32_t, 8>;
  [[nodiscard]] Extent extent() const;
  // The same points, exact or not.
  friend bool operator==(const Octagon& a, const Octagon& b);
  [[nodiscard]] std::size_t hash() const;

  // To store many: takes a fraction of the space, and equal octagons have equal bytes. Not for an
  // empty one.
  void write(PackedWriter& bytes) const;
  [[nodiscard]] static Octagon read(const Shape& shape, PackedReader& bytes);

  // The tightest bounds: x <= most, x >= least, x_sign * x + y_sign * y <= most; none if it is
  // unbounded. Not for an empty octagon.
  [[nodiscard]] std::optional<Limit> most(std::uint32_t x) const;
  [[nodiscard]] std::optional<Limit> least(std::uint32_t x) const;
  [[nodiscard]] std::optional<Limit> most(std::uint32_t x, int x_sign, std::uint32_t y,
                                          int y_sign) const;

  // A set of constraints for this octagon, none of which follows from the others: those of one
  // dimension first, by dimension, upper bounds before lower ones. Slow. Not for an empty octagon.
  [[nodiscard]] std::vector<Constraint> constraints() const;

  // A point of the octagon, in ticks: round numbers, near the middle where possible. None if and
  // only if the octagon is empty or overflowed.
  [[nodiscard]] std::optional<std::vector<Rational>> point() const;

  [[nodiscard]] bool contains(std::span<const Rational> point) const;

 private:
  // octagon.cpp explains both.
  using Entry = std::int64_t;
  using Node = std::uint32_t;

  [[nodiscard]] Node nodes() const { return 2 * shape_->dimensions; }
  [[nodiscard]] bool is_whole(Node node) const;
  [[nodiscard]] bool is_fixed(Node node) const;
  [[nodiscard]] Entry at(Node a, Node b) const;
  [[nodiscard]] Entry& at(Node a, Node b);
  [[nodiscard]] bool says_something() const { return !empty_ && !overflowed_; }

  void become_empty();
  void overflow();
  // v(a) - v(b) <= most.
  struct Edge {
    Node a;
    Node b;
    Entry most;
  };
  [[nodiscard]] std::optional<Edge> edge_of(const Constraint& constraint) const;
  [[nodiscard]] Entry rounded(const Edge& edge) const;
  void meet(Node a, Node b, Entry most);
  void meet_own(Node a, Entry most);
  bool close_through(Node a, Node b, Entry most);
  void close_fully();
  void strengthen();
  bool tighten();
  void relax(std::span<const Entry> rates, Entry low, Entry high);
  [[nodiscard]] bool shifts_exactly(std::span<const Entry> rates, Entry low, Entry high) const;
  [[nodiscard]] Entry follows(std::span<Node> terms, std::span<const Entry> rates, Entry low,
                              Entry high) const;
  [[nodiscard]] bool follows_from_own_bounds(Node a, Node b) const;
  [[nodiscard]] Constraint constraint(Node a, Node b) const;

  const Shape* shape_;
  bool empty_ = false;
  bool exact_ = true;
  bool overflowed_ = false;
  std::vector<Entry> entries_;
};

}  // namespace poise::verify

template <>
struct std::hash<poise::verify::Octagon> {
  std::size_t operator()(const poise::verify::Octagon& octagon) const noexcept {
    return octagon.hash();
  }
};
