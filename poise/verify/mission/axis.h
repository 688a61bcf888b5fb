#pragma once

// The values of one number, cut into cells. A cell is a single value or an interval; the first and
// the last reach to infinity. Cells end at *nodes*. A *mark* is a node that is a cell of its own,
// because conditions may change their truth there; at other nodes the intervals at both sides
// include the node.
//
// A *line* is a function on an axis, linear in each cell: two values for each cell, the limits at
// its low and its high end. So it may jump at nodes. On a cell that reaches to infinity, and on a
// single value, both are the same.

#include <cstddef>
#include <vector>

#include "poise/base/infinity.h"

namespace poise::verify {

struct AxisCell {
  double low = -kInfinity;
  double high = kInfinity;
  bool low_open = true;  // whether the end is a mark, and so no part of the interval
  bool high_open = true;

  [[nodiscard]] bool is_point() const { return low == high; }
  [[nodiscard]] bool is_bounded() const { return low > -kInfinity && high < kInfinity; }
  [[nodiscard]] double width() const { return high - low; }
};

struct Axis {
  bool whole = false;  // then all cells are single values, but for the first and the last
  std::vector<AxisCell> cells;
};

// An axis of real numbers with these nodes, at least one. Marks are nodes, too.
[[nodiscard]] Axis real_axis(std::vector<double> marks, std::vector<double> nodes);
// low .. high, whole numbers.
[[nodiscard]] Axis whole_axis(double low, double high);

// Where one cell ends and the next begins, ascending, without repetition.
[[nodiscard]] std::vector<double> nodes_of(const Axis& axis);

// The axis with some intervals cut in halves. What is too narrow to be cut stays.
[[nodiscard]] Axis cut(const Axis& axis, const std::vector<bool>& cells);

// Doubles that are as close as this stand for the same number: they differ by rounding only.
[[nodiscard]] bool is_same(double a, double b);

}  // namespace poise::verify
