#include "poise/shake/grid/number.h"

#include <cstdlib>

namespace poise::shake {

double ticks_in(const Rational& seconds, const Rational& tick) {
  constexpr double kMost = 1e15;
  if (seconds.sign() <= 0) return 0;
  const Integer ticks = (seconds / tick).ceil();
  return ticks.fits_int64() ? std::min(static_cast<double>(ticks.to_int64()), kMost) : kMost;
}

}  // namespace poise::shake
