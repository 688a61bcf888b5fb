#pragma once

// Operations on lines (axis.h) that turn bounds into bounds. A value function is known between two
// lines, one above and one below it. Each operation takes the bound of a function and returns a
// bound of what becomes of it, on every value of every cell, not only at nodes. How: the result is
// computed at both ends of a cell, and then moved as far as it may deviate from the straight line
// in between. Both errors shrink with the square of the width of the cell, where there is no jump.
//
// Bounds are never negative. Where a lower one would be, at one end of a cell, it becomes 0 in the
// cell.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "poise/chance/law.h"
#include "poise/verify/mission/axis.h"

namespace poise::verify {

enum class Side { Upper, Lower };

// By cell, how far an operation had to move its result: what it costs not to cut the cell.
using Moved = std::vector<double>;

// Moves both ends of a bound in a cell outwards, so that it is one. `moved` becomes at least that.
void move_ends(Side side, double by, double& low, double& high, double& moved);

// A function of the value that is known between two lines: the probability of a reading.
class Factor {
 public:
  // The probability that a value, off by an error, is sensed between low and high.
  struct Reading {
    double low = -kInfinity;
    double high = kInfinity;
  };
  Factor(const Axis& axis, const chance::Law& error, const Reading& reading);

  // A line times the factor.
  void multiply(Side side, std::span<double> line, Moved& moved) const;

 private:
  void add_beyond(const AxisCell& cell, const chance::Law& error, const Reading& reading);

  std::vector<double> upper_;
  std::vector<double> lower_;
  Moved moved_;  // to make these bounds
};

// x -> E f(x + shift + factor * error), where f is a line on `to`, and the result one on `from`.
// The law is no single value, and neither axis is whole.
class Blur {
 public:
  Blur(const Axis& from, const Axis& to, const chance::Law& law, double factor, double shift);

  void apply(Side side, std::span<const double> line, std::span<double> result, Moved& moved) const;
  [[nodiscard]] std::size_t size() const { return weights_.size() + bends_.size(); }

 private:
  struct Weight {
    std::size_t at;  // an index in the line
    double weight;
  };
  // What a jump, or a change of slope, at a node of `to` may add between the ends of a cell.
  struct Bend {
    std::size_t node;
    double of_jump;
    double of_slope;
  };
  struct Beyond {
    std::size_t cell;
    std::size_t first;  // cells of `to` that it may lead to
    std::size_t last;
  };
  void add_weights(const chance::Law& law, const std::vector<double>& panels, double factor,
                   double middle);
  void add_bends(const chance::Law& law, double factor, double shift, const AxisCell& cell);

  std::vector<AxisCell> from_;
  std::vector<AxisCell> to_;
  std::vector<std::size_t> low_row_;  // by cell of from_: the row for its low end
  std::vector<std::size_t> high_row_;
  std::vector<std::size_t> rows_;  // where the weights of a row begin
  std::vector<Weight> weights_;
  std::vector<std::size_t> bend_rows_;  // by cell of from_: where its bends begin
  std::vector<Bend> bends_;
  std::vector<double> nodes_;         // of to_
  std::vector<std::size_t> ends_at_;  // by node: the interval that ends there, and the next one
  std::vector<std::size_t> begins_at_;
  std::vector<Beyond> beyond_;
};

// x -> the greatest f(z) for factor * x + low <= z <= factor * x + high, 0 where there is no such
// z; f is a line on `to`, the result one on `from`. If the two are the same, f(factor * x + low).
class Reach {
 public:
  struct Window {
    double factor = 1;  // not 0
    double low = 0;     // may be infinite
    double high = 0;
    bool low_open = false;  // of bounds that are not attained
    bool high_open = false;
  };
  // Who chooses z: an adversary, so that both bounds are of the greatest value, or chance by some
  // law, so that one is of the greatest and one of the least.
  enum class Chooser { Adversary, Chance };
  Reach(const Axis& from, const Axis& to, Window window, Chooser chooser = Chooser::Adversary);

  // Lines that belong together are the corners of cells of a function of several numbers: for a
  // bound from below, the adversary has to choose the same z for all of them.
  void apply(Side side, std::span<const std::vector<double>> lines,
             std::span<std::vector<double>> results, Moved& moved) const;
  [[nodiscard]] std::size_t size() const;  // what a line costs

 private:
  struct At {
    std::size_t cell;
    double begin;  // where in the cell, from 0 to 1, at both ends of the piece
    double end;
  };
  // A part of a cell of `from` in which both ends of the window stay in one cell.
  struct Piece {
    double begin = 0;  // where in the cell, from 0 to 1
    double end = 0;
    std::optional<At> low;
    std::optional<At> high;
    std::size_t first = 0;  // the ends of cells that lie between them, in a line; without the last
    std::size_t last = 0;
  };
  struct Choice {
    const At* at = nullptr;
    std::optional<std::size_t> site;
  };
  [[nodiscard]] std::vector<Piece> pieces_of(const AxisCell& cell) const;
  [[nodiscard]] Piece exact_piece(double x, double where) const;
  [[nodiscard]] Piece open_piece(const AxisCell& cell, double begin, double end) const;
  [[nodiscard]] Piece beyond_piece(const AxisCell& cell) const;
  [[nodiscard]] double snapped(double value) const;
  [[nodiscard]] static double place_in(const AxisCell& cell, double value);
  [[nodiscard]] std::optional<std::size_t> cell_with(double value) const;
  void set_between(Piece& piece, double low, double high) const;
  [[nodiscard]] Choice best(const Piece& piece, std::span<const double> sums) const;
  void apply_extreme(Side side, std::span<const double> line, std::span<double> result,
                     Moved& moved) const;
  void apply_lower(std::span<const std::vector<double>> lines,
                   std::span<std::vector<double>> results, Moved& moved) const;
  void set_least_beyond(std::span<const std::vector<double>> lines,
                        std::span<std::vector<double>> results) const;

  std::vector<AxisCell> from_;
  Axis to_;
  std::vector<double> nodes_;
  Window window_;
  Chooser chooser_;
  std::vector<std::vector<Piece>> pieces_;  // by cell of from_
};

}  // namespace poise::verify
