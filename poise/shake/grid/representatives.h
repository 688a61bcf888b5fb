#pragma once

// Which values of a number stand for all the others: the ends of its range; every constant that it
// is compared with, and its neighbours; where its terms begin, end and bend, and where one of them
// begins to fit better than the next; and then others, evenly between on its scale, until there are
// enough. All lie on the number's steps, counted from the low end.

#include <cstddef>
#include <string>
#include <vector>

#include "poise/base/rational.h"
#include "poise/model/model.h"
#include "poise/shake/grid/constants.h"

namespace poise::shake {

// A number gets no more values than this on account of constants and terms. If there are more, the
// ends stay, then constants, their neighbours, where terms cross, and corners of terms, in this
// order; of the kind for which there is no room left, as many as there is, evenly taken.
inline constexpr std::size_t kMostForced = 64;
inline constexpr std::size_t kMostValues = 1000;

struct Representatives {
  std::vector<Rational> values;  // ascending
  std::vector<bool> boundary;    // an end, a constant, beside one, or where terms cross
  // The term that fits best, the first of those; what no term fits is one more cell. Without terms,
  // constants cut the range into cells.
  std::vector<std::uint32_t> cells;
  std::vector<std::string> cell_names;
};

// Of a variable that is an int or a real.
[[nodiscard]] Representatives representatives(const model::Variable& variable,
                                              const Constants& constants, std::size_t most);

// How far a term fits a number, exactly.
[[nodiscard]] Rational degree(const model::Shape& shape, const Rational& x);

}  // namespace poise::shake
