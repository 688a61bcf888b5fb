#pragma once

// Robot cars of any size, by chance, in the world of examples/robot-cars: for times that the twelve
// cars are too small for. The same seed gives the same car.
//
// A *dense* car decides among four rules in every state, as state A of the paper does: ahead, left,
// right, back. Left leads to the next state, the others to any; the distances that it asks for are
// drawn, too. A *sparse* car looks once and then does a few things by heart: 5 rules in 4 states,
// over and over. Where it cannot go it turns and looks elsewhere.
//
// A *safe* car asks for more than it takes, with all errors. An *unsafe* one asks for 20 cm at
// times, where it takes more than 21, and the dense one walks back without looking.

#include <cstddef>
#include <cstdint>
#include <string>

namespace poise::bench {

enum class Paths { Sparse, Dense };
enum class Margins { Safe, Unsafe };

struct ManyCars {
  std::size_t rules;  // a multiple of 20
  Paths paths;
  Margins margins;
  std::size_t varied = 10;  // how many different distances a comparison may ask for
  std::uint64_t seed = 1;
};

// As text.
[[nodiscard]] std::string car(const ManyCars& which);

}  // namespace poise::bench
