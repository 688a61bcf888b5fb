#pragma once

// The probability that independent noise satisfies linear constraints, for example that a path is
// taken from a given start. There may be more constraints than noise.
//
// How: the noise is drawn number by number. Each is drawn from its law, cut to the interval that
// the constraints leave it, given the numbers before it and the ranges of those after it; the mass
// of that interval is a factor of the probability (Genz, 1992; the GHK simulator of Geweke,
// Hajivassiliou and Keane). So no point is wasted on a branch that is known to fail. Noise that no
// later factor depends on, such as an error of sensing, is not drawn at all: its mass is exact. The
// probability is the mean of the product over all points. The points are quasi-random
// (quasi_random.h) under several random shifts; how far the shifts disagree gives the error.
//
// Rare events lie far out in the tails of Gauss laws. So other ways to draw are tried, too:
// importance sampling, with the means of the Gauss laws moved towards the likeliest noise that
// satisfies the constraints (nearest_point.h), and rotated noise (rotate_gauss.h). A trial on few
// points chooses the way with the least relative error.
//
// Exactness: if no noise has to be drawn, the value is a product of masses and the error is 0.
// Otherwise the value is unbiased, but the error is an estimate, not a bound; for a bound that is
// proved, draw independent samples and use interval.h.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "poise/chance/law.h"
#include "poise/chance/linear_constraint.h"

namespace poise::chance {

// When to stop: as soon as the error is within either bound, or the points are used up.
struct Precision {
  double relative = 1e-3;  // of the value
  double absolute = 0;
  std::size_t most_points = 400'000;  // over all shifts
  std::uint64_t seed = 1;
};

struct Estimate {
  double value = 0;
  double error = 0;  // three standard deviations: holds about 98 times in 100; 0: exact
  std::size_t points = 0;
};

[[nodiscard]] Estimate probability(std::span<const LinearConstraint> constraints,
                                   std::span<const Law> noise, const Precision& precision = {});

// A quick estimate of one event for many different bounds of its constraints, for a search for the
// bounds with the greatest probability. It uses about a hundred points, the same ones each time, so
// that the value changes as smoothly with the bounds as the probability does. Exact if nothing has
// to be drawn.
class RoughEvent {
 public:
  // The bounds in the constraints are ignored: aim() and probability() get theirs.
  RoughEvent(std::vector<LinearConstraint> constraints, std::vector<Law> noise);
  ~RoughEvent();
  RoughEvent(RoughEvent&&) noexcept;
  RoughEvent& operator=(RoughEvent&&) noexcept;

  [[nodiscard]] bool is_exact() const;
  // Chooses the way to draw that is best near these bounds: one lower and one upper for each
  // constraint. Without it, the noise is drawn from its own laws.
  void aim(std::span<const double> lower, std::span<const double> upper);
  [[nodiscard]] double probability(std::span<const double> lower, std::span<const double> upper);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace poise::chance
