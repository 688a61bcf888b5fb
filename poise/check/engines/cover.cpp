// For each `on` situation that no cube covers yet, a wide cube around it is found: the fewest of
// its literals, by greedy choice, that exclude every `off` situation. Then cubes whose situations
// the others cover are dropped. Quadratic in the number of situations, which `effort` limits.

#include "poise/check/engines/cover.h"

#include <algorithm>
#include <cstddef>

namespace poise::check {

namespace {

using finding::Conjunction;

// A conjunction: the truth that one situation gives to the kept atoms.
struct Cube {
  TruthRow truth;
  std::vector<std::size_t> kept;  // sorted indices into the atoms

  [[nodiscard]] bool covers(const TruthRow& other) const {
    return std::ranges::all_of(kept, [&](std::size_t i) { return truth[i] == other[i]; });
  }
};

// Returns false once the effort is spent, and from then on always.
bool spend(Effort& effort, std::size_t comparisons) {
  effort.left = effort.left > comparisons ? effort.left - comparisons : 0;
  return effort.left > 0;
}

// Few literals of a situation that exclude every `off` situation. Greedy: each time the literal
// that excludes most of the `off` situations that are still inside. Positive literals win ties,
// because they read better.
Cube widest_cube(const TruthRow& truth, const std::vector<TruthRow>& off, Effort& effort) {
  Cube cube{truth, {}};
  std::vector<const TruthRow*> inside;
  inside.reserve(off.size());
  for (const TruthRow& other : off) inside.push_back(&other);
  while (!inside.empty() && spend(effort, inside.size() * truth.size())) {
    std::vector<std::size_t> kept_out(truth.size(), 0);
    for (const TruthRow* other : inside) {
      for (std::size_t i = 0; i < truth.size(); ++i) {
        kept_out[i] += static_cast<std::size_t>((*other)[i] != truth[i]);
      }
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < truth.size(); ++i) {
      if (kept_out[i] > kept_out[best] ||
          (kept_out[i] == kept_out[best] && truth[i] > truth[best])) {
        best = i;
      }
    }
    cube.kept.push_back(best);
    std::erase_if(inside, [&](const TruthRow* other) { return (*other)[best] != truth[best]; });
  }
  // Later choices may have made earlier ones superfluous.
  for (std::size_t i = 0; i < cube.kept.size() && spend(effort, off.size() * cube.kept.size());) {
    Cube without = cube;
    without.kept.erase(without.kept.begin() + static_cast<std::ptrdiff_t>(i));
    if (std::ranges::none_of(off, [&](const TruthRow& other) { return without.covers(other); })) {
      cube = without;
    } else {
      ++i;
    }
  }
  std::ranges::sort(cube.kept);
  return cube;
}

// Drops cubes whose situations the others cover, the most specific ones first.
std::vector<Cube> irredundant(std::vector<Cube> cubes, const std::vector<TruthRow>& on) {
  std::vector<std::size_t> covered(on.size(), 0);
  const auto count = [&](const Cube& cube, std::size_t by) {
    for (std::size_t i = 0; i < on.size(); ++i) {
      if (cube.covers(on[i])) covered[i] += by;
    }
  };
  for (const Cube& cube : cubes) count(cube, 1);
  std::ranges::stable_sort(cubes, std::greater{},
                           [](const Cube& cube) { return cube.kept.size(); });
  std::erase_if(cubes, [&](const Cube& cube) {
    for (std::size_t i = 0; i < on.size(); ++i) {
      if (covered[i] == 1 && cube.covers(on[i])) return false;
    }
    count(cube, static_cast<std::size_t>(-1));
    return true;
  });
  return cubes;
}

}  // namespace

std::optional<std::vector<Conjunction>> condition_for(const std::vector<model::AtomId>& atoms,
                                                      const std::vector<TruthRow>& on,
                                                      const std::vector<TruthRow>& off,
                                                      Effort& effort) {
  std::vector<Cube> cubes;
  for (const TruthRow& truth : on) {
    const auto covers = [&](const Cube& cube) { return cube.covers(truth); };
    spend(effort, cubes.size());
    if (std::ranges::none_of(cubes, covers)) cubes.push_back(widest_cube(truth, off, effort));
    if (effort.left == 0) return std::nullopt;
  }
  if (!spend(effort, cubes.size() * on.size())) return std::nullopt;
  std::vector<Conjunction> condition;
  for (const Cube& cube : irredundant(std::move(cubes), on)) {
    Conjunction conjunction;
    for (const std::size_t i : cube.kept) conjunction.push_back({atoms[i], cube.truth[i] == '1'});
    condition.push_back(std::move(conjunction));
  }
  std::ranges::sort(condition, [](const Conjunction& a, const Conjunction& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return condition;
}

}  // namespace poise::check
