#include "poise/chance/sensed.h"

#include <algorithm>
#include <cmath>

#include "poise/base/check.h"

namespace poise::chance {

Chance certain() {
  return {.at = [](double) { return 1.0; }};
}

Chance both(const Chance& one, const Chance& other) {
  Chance product = {.at = [a = one.at, b = other.at](double d) { return a(d) * b(d); },
                    .from = std::max(one.from, other.from),
                    .to = std::min(one.to, other.to),
                    .kinks = one.kinks};
  product.kinks.insert(product.kinks.end(), other.kinks.begin(), other.kinks.end());
  return product;
}

Chance sensed_within(const Sensed& sensed) {
  POISE_CHECK(sensed.slope != 0);
  Chance chance;
  chance.at = [sensed](double d) {
    const double truth = sensed.offset + sensed.slope * d;
    return sensed.error.mass(sensed.from - truth, sensed.to - truth);
  };
  const double one = (sensed.from - sensed.error.high() - sensed.offset) / sensed.slope;
  const double other = (sensed.to - sensed.error.low() - sensed.offset) / sensed.slope;
  chance.from = std::min(one, other);
  chance.to = std::max(one, other);
  for (const double end : {sensed.from, sensed.to}) {
    for (const double kink : sensed.error.kinks()) {
      const double at = (end - kink - sensed.offset) / sensed.slope;
      if (std::isfinite(at)) chance.kinks.push_back(at);
    }
  }
  return chance;
}

}  // namespace poise::chance
