#pragma once

// A function of several numbers, known between two bounds. The numbers have axes (axis.h); a cell
// is a product of cells of axes, and in each cell a bound is multilinear: it is given by its values
// at the corners. So an operation along one axis works on lines, one for each corner of the other
// axes, and what is a bound on all these lines is one in between.
//
// A field depends on the axes that are listed in it, and on no others. Fields that would be too
// large become "between 0 and 1", which is a bound of every probability.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "poise/base/truth.h"
#include "poise/verify/mission/axis.h"
#include "poise/verify/mission/line_maps.h"

namespace poise::verify {

using Grid = std::vector<Axis>;

struct Field {
  std::vector<std::size_t> axes;  // of a grid, in any order
  // By corner: for each axis, low and high end of its first cell, of its second, ...; the last axis
  // varies fastest.
  std::vector<double> upper = {0};
  std::vector<double> lower = {0};
};

// What fields of one computation have in common.
struct Workshop {
  const Grid* grid = nullptr;
  std::size_t most_corners = 0;  // of a field
  std::size_t most_work = 0;
  // No time left: every result is "between 0 and 1" from now on, as it is after too much work.
  std::function<bool()> is_over;
  std::vector<Moved> moved = {};  // by axis
  std::size_t work = 0;           // about as many multiplications
  bool gave_up = false;           // something is "between 0 and 1" for want of space or time

  [[nodiscard]] const Axis& axis(std::size_t number) const { return (*grid)[number]; }
};

[[nodiscard]] Field constant_field(double value);
[[nodiscard]] bool is_zero(const Field& field);
[[nodiscard]] bool depends_on(const Field& field, std::size_t axis);

// The same function, with more axes, in this order.
[[nodiscard]] Field spread(Workshop& shop, const Field& field, std::span<const std::size_t> axes);
[[nodiscard]] Field sum(Workshop& shop, const Field& a, const Field& b);
[[nodiscard]] Field scaled(Field field, double factor);
// The adversary has the choice between them; at least one.
[[nodiscard]] Field greatest(Workshop& shop, const std::vector<Field>& fields);
[[nodiscard]] Field product(Workshop& shop, const Field& field, std::size_t axis,
                            const Factor& factor);

// Replaces the number at a place of the list of axes by another one on which it depends. If that is
// listed already, it is twice then: see merged().
[[nodiscard]] Field mapped(Workshop& shop, const Field& field, std::size_t place, std::size_t from,
                           const Blur& blur);
[[nodiscard]] Field mapped(Workshop& shop, const Field& field, std::size_t place, std::size_t from,
                           const Reach& reach);
// The greatest value for low <= number <= high, or 0 if there is none. It takes the number off the
// list.
[[nodiscard]] Field at_best(Workshop& shop, const Field& field, std::size_t place, double low,
                            double high);
// Where an axis is listed twice: both are the same number.
[[nodiscard]] Field merged(Workshop& shop, const Field& field);

// By axis of a grid, a cell; of axes that do not matter, the first one.
using Box = std::vector<std::size_t>;
// Where the condition fails, 0; where it holds, the field. It reads these axes.
[[nodiscard]] Field restricted(Workshop& shop, const Field& field,
                               std::span<const std::size_t> axes,
                               const std::function<Truth(const Box&)>& condition);

// What becomes of a value in a box.
struct Verdicts {
  bool may_fail = false;  // and that counts
  bool may_end = false;   // fails, and that does not count
  bool may_go_on = false;
};
[[nodiscard]] Field judged(Workshop& shop, const Field& field, std::span<const std::size_t> axes,
                           const std::function<Verdicts(const Box&)>& judge);

// The greatest value where a condition holds: at most, and at least.
struct Span {
  double low = 0;
  double high = 0;
};
[[nodiscard]] Span greatest_value(Workshop& shop, const Field& field,
                                  std::span<const std::size_t> axes,
                                  const std::function<Truth(const Box&)>& condition);

}  // namespace poise::verify
