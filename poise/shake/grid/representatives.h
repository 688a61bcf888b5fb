#pragma once

// The representative values of a number, which stand for all the others: the ends of its range;
// every constant that it is compared with, and its neighbours; the corners of its terms, and where
// one term begins to fit better than the next; and then others, evenly between them on its scale,
// until there are enough. All lie on the number's steps, counted from the low end.
//
//   `sense load : int 0..100`, compared with > 80 and < 40, 12 values:
//   0 13 26 39 40 41 54 66 79 80 81 100

#include <cstddef>
#include <string>
#include <vector>

#include "poise/base/rational.h"
#include "poise/model/model.h"
#include "poise/shake/grid/constants.h"

namespace poise::shake {

// The most values that a number gets because of constants and terms. If there are more, the ends
// stay, then constants, their neighbours, crossings of terms, and corners of terms, in this order;
// the first of these kinds that does not fit as a whole is thinned out evenly.
inline constexpr std::size_t kMostForced = 64;
inline constexpr std::size_t kMostValues = 1000;

struct Representatives {
  std::vector<Rational> values;  // ascending
  std::vector<bool> boundary;    // an end, a constant, beside one, or where terms cross
  // By value: the term that fits best, the first of equals; values that no term fits are one more
  // cell. Without terms, constants cut the range into cells.
  std::vector<std::uint32_t> cells;
  std::vector<std::string> cell_names;
};

// Of a variable that is an int or a real.
[[nodiscard]] Representatives representatives(const model::Variable& variable,
                                              const Constants& constants, std::size_t most);

// The degree to which a term fits a number, 0 to 1, exactly.
[[nodiscard]] Rational degree(const model::Shape& shape, const Rational& x);

}  // namespace poise::shake
