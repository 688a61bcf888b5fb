#include "poise/shake/flows/objectives.h"

#include <algorithm>

namespace poise::shake {

double local_objective(const LocalTerms& terms, const LocalWeights& weights) {
  double sum = weights.coverage * terms.coverage + weights.profiles * terms.profiles;
  double whole = weights.coverage + weights.profiles;
  if (terms.realism) {
    sum += weights.realism * *terms.realism;
    whole += weights.realism;
  }
  if (terms.robustness) {
    sum += weights.robustness * (1 - *terms.robustness);
    whole += weights.robustness;
  }
  return whole > 0 ? sum / whole : 0;
}

double profile_share(std::size_t profiles, std::size_t length) {
  return length < 3 ? 0 : static_cast<double>(profiles) / static_cast<double>(length - 2);
}

double global_gain(const GlobalTerms& terms, const GlobalWeights& weights, std::size_t flows) {
  return weights.coverage * terms.coverage + weights.shapes * terms.shapes +
         weights.kills * terms.kills -
         weights.size / static_cast<double>(std::max<std::size_t>(flows, 1));
}

}  // namespace poise::shake
