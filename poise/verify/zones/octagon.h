#pragma once

// Octagons: sets of points that conjunctions of `±x <= c` and `±x ±y <= c` describe, some of these
// strict. What an application with sensing errors can meet is, for most models, a set of such sets,
// and every step of it (a guard, a walk that is longer or shorter than meant, a turn, something
// that is sensed anew) makes an octagon of an octagon, without an approximation.
//
//   const Octagon::Shape shape{.dimensions = 2};
//   Octagon room(shape);                                         // every (F, B)
//   room.add({.x = 0, .x_sign = -1, .most = {.value = -20}});    // F >= 20
//   room.add({.x = 0, .x_sign = 1, .y = 1, .y_sign = 1, .most = {.value = 400}});  // F + B <= 400
//   const std::array walk{Octagon::Moved{.x = 0, .sign = -1}, Octagon::Moved{.x = 1, .sign = 1}};
//   room.shift_together(walk, 5, 15);                            // F -= u, B += u, 5 <= u <= 15
//   room.least(0)                                                // F >= 5
//
// Numbers are whole "ticks" as they come in: the caller chooses how many of them make one of its
// own units. Between them, bounds may be halves, quarters and so on (x + y <= 2 and x - y <= 1 give
// x <= 3/2), and are exact up to 1/1024 of a tick. What is finer, or more than about 10^13 ticks
// away from 0, makes the octagon say that it `overflowed`.
//
// A dimension is real, or *whole*: a multiple of `unit`. Octagons of real dimensions are exact, and
// so are those of whole ones; a relation between a whole and a real dimension is kept as far as
// possible, but then the octagon may hold points that should not be there: see is_exact().
//
// Two exact octagons with the same points are equal, and have the same hash, however they came
// about: there is one strongly closed form (A. Miné, The octagon abstract domain, 2006; for whole
// dimensions tightly closed: R. Bagnara, P. Hill, E. Zaffanella, Weakly-relational shapes for
// numeric abstractions, 2009), and an octagon is always in it. octagon.cpp tells how.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/base/rational.h"
#include "poise/verify/zones/packed.h"

namespace poise::verify {

// A bound, in ticks: value / 2^halvings, or just below it.
struct Limit {
  std::int64_t value = 0;
  bool strict = false;
  std::uint8_t halvings = 0;  // as few as possible in what an octagon tells

  friend bool operator==(const Limit&, const Limit&) = default;
};

[[nodiscard]] Rational ticks(const Limit& limit);

class Octagon {
 public:
  // What all octagons of a model have in common; it outlives them.
  struct Shape {
    std::uint32_t dimensions = 0;
    std::vector<bool> whole = {};  // by dimension; empty: all are real
    std::int64_t unit = 1;         // ticks between two values of a whole dimension; positive
  };

  // All points.
  explicit Octagon(const Shape& shape);

  [[nodiscard]] const Shape& shape() const { return *shape_; }
  [[nodiscard]] bool is_empty() const { return empty_; }

  // Otherwise the points that should be here are all here, but maybe others, too: a relation
  // between a whole and a real dimension was needed, or the octagon overflowed. Empty is always
  // exact.
  [[nodiscard]] bool is_exact() const { return exact_; }

  // A bound could not be kept in 64 bits. Nothing is known any more: such an octagon holds all
  // points, and stays as it is whatever one does with it.
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
  // No point satisfies it: adding it would leave nothing. That is told by one bound, where adding
  // works out what follows.
  [[nodiscard]] bool excludes(const Constraint& constraint) const;

  // All at once: dimension i becomes what `from` was, or the negation of that, or anything. Two
  // that come from the same one are equal afterwards. From whole to real or back is not exact,
  // unless it is about a single value.
  struct Source {
    std::optional<std::uint32_t> from;
    bool negated = false;
  };
  void assign(std::span<const Source> sources);

  // x becomes anything.
  void forget(std::uint32_t x);

  // x := x + e for any e with low <= e <= high, and a multiple of the unit if x is whole: if there
  // is none, nothing is left.
  void shift(std::uint32_t x, std::int64_t low, std::int64_t high);

  // The same e for several different dimensions: x := x + sign * e. That need not be an octagon:
  // then the answer is false, and nothing was done. It is one
  //   - if low == high;
  //   - if each of these dimensions has relations to no others, but only bounds of its own;
  //   - if they are two real dimensions that have relations to each other only;
  // and in further cases, which are found out at some cost. Two whole dimensions are different: if
  // x + y = 1, the sums after x += e, y += e are odd numbers. Whole and real ones never move
  // together unless low == high.
  struct Moved {
    std::uint32_t x = 0;
    int sign = 1;
  };
  [[nodiscard]] bool shift_together(std::span<const Moved> moved, std::int64_t low,
                                    std::int64_t high);

  // Of two octagons of the same shape: every point of the other one is also here.
  [[nodiscard]] bool includes(const Octagon& other) const;
  // How far it goes to some sides: nowhere less far than an octagon that it includes, if neither is
  // empty. So most that do not include each other can be told apart by a few numbers.
  using Extent = std::array<std::int32_t, 8>;
  [[nodiscard]] Extent extent() const;
  // The same points, exact or not.
  friend bool operator==(const Octagon& a, const Octagon& b);
  [[nodiscard]] std::size_t hash() const;

  // To keep many: in a fraction of the room, and the same bytes exactly for the same octagon. For
  // octagons that are not empty.
  void write(PackedWriter& bytes) const;
  [[nodiscard]] static Octagon read(const Shape& shape, PackedReader& bytes);

  // The tightest bounds: x <= most, x >= least, x_sign * x + y_sign * y <= most; none if there is
  // none. For octagons that are not empty.
  [[nodiscard]] std::optional<Limit> most(std::uint32_t x) const;
  [[nodiscard]] std::optional<Limit> least(std::uint32_t x) const;
  [[nodiscard]] std::optional<Limit> most(std::uint32_t x, int x_sign, std::uint32_t y,
                                          int y_sign) const;

  // Constraints that mean the same, none of which follows from the others: those of one dimension
  // first, by dimension, upper bounds before lower ones. For octagons that are not empty. Takes
  // time; meant for printing.
  [[nodiscard]] std::vector<Constraint> constraints() const;

  // A point of the octagon, in ticks: round numbers about the middle of what each dimension can be.
  // None exactly if the octagon is empty or overflowed.
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
