#pragma once

// The probability that independent noise satisfies linear constraints: that a path is taken, given
// where it starts. There may be more constraints than noise.
//
// How: one after the other, each noise is drawn from its law cut to what the constraints leave it,
// given those before it and the ranges of those after it, and the mass of that cut is a factor of
// the probability (Genz, 1992; Geweke, Hajivassiliou and Keane call it GHK). So a point is never
// wasted on a branch that is known to fail, and noise that nothing after it depends on, as that of
// sensing, is not drawn at all: its mass is exact. The mean of the product over all draws is the
// probability. The draws are a lattice (Richtmyer: multiples of square roots of primes), folded,
// and shifted at random several times; how far the shifts disagree is the error.
//
// Rare events are far from the middle of Gauss laws, so these are also tried with their middle
// moved towards the likeliest noise that satisfies the constraints, which a factor makes up for;
// what varies least in a first round is taken.
//
// What is exact: without noise that must be drawn, the value is a product of masses and the error
// 0. Else the value has no bias, but the error is an estimate, not a bound: where a proof is
// asked for, sample and use interval.h.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "poise/chance/law.h"
#include "poise/chance/linear_constraint.h"

namespace poise::chance {

// When to stop: as soon as the error is small enough, or the points are used up.
struct Precision {
  double relative = 1e-3;
  double absolute = 0;
  std::size_t most_points = 400'000;
  std::uint64_t seed = 1;
};

struct Estimate {
  double value = 0;
  double error = 0;  // three standard deviations: holds about 98 times in 100; 0: exact
  std::size_t points = 0;
};

[[nodiscard]] Estimate probability(std::span<const LinearConstraint> constraints,
                                   std::span<const Law> noise, const Precision& precision = {});

// One event that is asked for again and again, with other sides of its constraints, as one does who
// looks for the likeliest. Rough: a hundred points or so, the same each time, so that the value
// changes as smoothly as the probability does. Exact where nothing must be drawn.
class RoughEvent {
 public:
  // The sides that the constraints have are not looked at.
  RoughEvent(std::vector<LinearConstraint> constraints, std::vector<Law> noise);
  ~RoughEvent();
  RoughEvent(RoughEvent&&) noexcept;
  RoughEvent& operator=(RoughEvent&&) noexcept;

  [[nodiscard]] bool is_exact() const;
  // Chooses how to draw by what is best with these sides, one of each for each constraint.
  void aim(std::span<const double> lower, std::span<const double> upper);
  [[nodiscard]] double probability(std::span<const double> lower, std::span<const double> upper);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace poise::chance
