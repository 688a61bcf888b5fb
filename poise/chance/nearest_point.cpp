#include "poise/chance/nearest_point.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poise::chance {
namespace {

// The multiplier says how far the slab has moved the point so far: positive from its lower side,
// negative from its upper one. `pull` is the direction of the move: the normal, with each component
// times the variance there.
struct Moving {
  std::vector<double> normal;
  std::vector<double> pull;
  double lower;
  double upper;
  double stiffness;  // normal . pull
  double multiplier = 0;
};

}  // namespace

std::vector<double> nearest_point(std::span<const Slab> slabs, std::span<const Law> noise) {
  std::vector<double> at;
  std::vector<double> variances;
  for (const Law& law : noise) {
    at.push_back(law.mean());
    variances.push_back(law.variance());
  }
  std::vector<Moving> moving;
  for (const Slab& slab : slabs) {
    Moving one = {slab.normal, slab.normal, slab.lower, slab.upper, 0};
    for (std::size_t i = 0; i < at.size(); ++i) one.pull[i] *= variances[i];
    one.stiffness = std::inner_product(one.normal.begin(), one.normal.end(), one.pull.begin(), 0.0);
    if (one.stiffness > 0) moving.push_back(std::move(one));
  }
  std::vector<double> kept(at.size());  // how far the range of each noise has moved it
  double moved = 1;
  for (int round = 0; round < 500 && moved > 1e-6; ++round) {
    moved = 0;
    for (Moving& slab : moving) {
      const double value =
          std::inner_product(slab.normal.begin(), slab.normal.end(), at.begin(), 0.0);
      // The value without this slab, and how far the slab has to move it from there.
      const double free = value - slab.multiplier * slab.stiffness;
      const double wanted = (std::clamp(free, slab.lower, slab.upper) - free) / slab.stiffness;
      const double step = wanted - slab.multiplier;
      slab.multiplier = wanted;
      for (std::size_t i = 0; i < at.size(); ++i) at[i] += step * slab.pull[i];
      moved = std::max(moved, std::abs(step) * std::sqrt(slab.stiffness));
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double free = at[i] - kept[i];
      at[i] = std::clamp(free, noise[i].low(), noise[i].high());
      kept[i] = at[i] - free;
    }
  }
  return at;
}

}  // namespace poise::chance
