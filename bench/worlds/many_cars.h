#pragma once

// Random robot cars of any size, in the world of examples/robot-cars: for measuring times where the
// twelve cars are too small. The same seed gives the same car.
//
// A *dense* car decides among four rules in every state, as state A of the paper does: ahead, left,
// right, back. Left leads to the next state, the others to a random one; the distances in the
// conditions are random, too. A *sparse* car senses once and then takes a few steps without
// sensing: 5 rules in 4 states, over and over. If it cannot go on, it turns and senses again.
//
// A *safe* car asks for more free distance than its steps take, with all errors. An *unsafe* one
// sometimes asks for too little (20 cm before one step, which can take 21), and if it is dense it
// goes back without sensing.

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
  std::size_t varied = 10;  // a distance in a condition is drawn from so many
  std::uint64_t seed = 1;
};

// The model of the car, as text.
[[nodiscard]] std::string car(const ManyCars& which);

}  // namespace poise::bench
