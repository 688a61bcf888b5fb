#include "poise/chance/quadrature.h"

#include <cmath>
#include <numbers>

#include "poise/base/check.h"

namespace poise::chance {
namespace {

struct Legendre {
  double value;
  double slope;
};

// The Legendre polynomial of a degree of at least 1 at x, -1 < x < 1, by its three-term recursion.
Legendre legendre(std::size_t degree, double x) {
  double before = 1;
  double value = x;
  for (std::size_t n = 2; n <= degree; ++n) {
    const auto k = static_cast<double>(n);
    const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
    before = value;
    value = next;
  }
  const auto n = static_cast<double>(degree);
  return {value, n * (x * value - before) / (x * x - 1)};
}

}  // namespace

// The nodes are the zeros of the Legendre polynomial. Newton's method finds each of them from the
// usual approximation by a cosine.
GaussLegendre::GaussLegendre(std::size_t nodes) {
  POISE_CHECK(nodes > 0);
  const auto n = static_cast<double>(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    double x = -std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5));
    for (int round = 0; round < 8; ++round) {
      const Legendre here = legendre(nodes, x);
      x -= here.value / here.slope;
    }
    const double slope = legendre(nodes, x).slope;
    nodes_.push_back({x, 2 / ((1 - x * x) * slope * slope)});
  }
}

}  // namespace poise::chance
