#pragma once

// Proved bounds of the probability of a chain of moves, from one start.
//
// A position begins at 0 and is moved by one error after another. Conditions are about the position
// after so many moves, alone or together with one error of their own, such as that of a sensor. The
// question is how likely it is that all of them hold. This is what is left of a path once its
// environment is fixed; path_on_line.h answers the same for all starts at once, but approximately.
//
// How: backward from the end, V(d) is the probability that all conditions from here on hold. Errors
// have log-concave laws and conditions are linear, so V is log-concave (Prekopa, 1971). It is
// worked out on a grid. Between two points of the grid a log-concave function lies above the
// exponential through both, and below the exponentials through the neighbours on each side. The
// integrals of such pieces over a law have closed forms, so nothing but the grid is between the two
// bounds: each is off by the square of its width. A relative 1e-9 is added for the rounding of
// doubles.
//
//   Chain chain;
//   chain.moves.push_back({Law::uniform(-5, 5), -1});
//   chain.rows.push_back({.position = 1, .slope = 1, .constant = 4});  // the position is <= -4
//   bounds(chain)  // {0.1, 0.1}

#include <cstddef>
#include <optional>
#include <vector>

#include "poise/chance/interval.h"
#include "poise/chance/law.h"

namespace poise::chance {

struct Chain {
  // By factor * error. A move that is chosen is not drawn: whoever wants the conditions to hold
  // takes any error of the law's range, knowing the position. Then there is an upper bound only.
  struct Move {
    Law law;
    double factor = 1;
    bool chosen = false;
  };
  // constant + slope * position + factor * error <= 0, where the error is one of `errors`, if any.
  // Rows about the same error are about the same position.
  struct Row {
    std::size_t position = 0;  // after so many moves
    double slope = 0;
    double constant = 0;
    std::optional<std::size_t> error = {};
    double factor = 0;
  };
  std::vector<Move> moves;  // no law is a point
  std::vector<Law> errors;
  std::vector<Row> rows;
};

// All laws of moves and, if there are moves, of errors are log-concave.
[[nodiscard]] Interval bounds(const Chain& chain);

}  // namespace poise::chance
