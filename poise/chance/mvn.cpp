#include "poise/chance/mvn.h"

#include <vector>

namespace poise::chance {

Estimate probability(const NormalVector& vector, const Box& box, const Precision& precision) {
  for (std::size_t i = 0; i < box.lower.size(); ++i) {
    if (box.lower[i] > box.upper[i]) return {};
  }
  const std::vector<Law> noise(vector.mean.size(), Law::standard_normal());
  return probability(triangular(vector, box), noise, precision);
}

}  // namespace poise::chance
